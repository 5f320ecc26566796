import { mapInSlices } from '@nestwright/crud/adapter';
import type { Row } from '../database/rows.js';
import { keyText } from '../rows/row-groups.js';
import { getHydrator, setRelation } from './hydrator.js';
import type { ReadRows } from './read-rows.js';
import type { Entity, Relation } from '../database/database.js';

/**
 * The records of a read. A record with two parents is created twice, so that none is shared.
 *
 * @param proceed See `mapInSlices`.
 */
export async function hydrateRecords(read: ReadRows, proceed: () => void): Promise<Entity[]> {
  const hydrate = getHydrator(read.statement.shape, read.format);
  const records = await mapInSlices(read.rows, (row) => hydrate(row)!, proceed);

  if (read.related.length > 0) await attachRelated(records, read, proceed);

  return records;
}

/** Sets the related records of each record, recursively. */
async function attachRelated(
  records: readonly Entity[],
  { rows, format, related }: ReadRows,
  proceed: () => void,
): Promise<void> {
  for (const list of related) {
    const { statement, groups } = list;
    const keys = statement.parentNames.map((name) => format.key(name));
    const hydrate = getHydrator(statement.shape, list.format);
    const made: Entity[] = [];
    const madeOf: Row[] = [];

    const attach = (record: Entity, index: number): void => {
      const parent = follow(record, statement.pathToParent);
      if (!parent) return;

      const own = (groups.get(keyText(rows[index]!, keys)) ?? []).map((row) => {
        const one = hydrate(row)!;
        made.push(one);
        madeOf.push(row);

        return one;
      });

      setRelation(parent, statement.relation, own);
    };

    await mapInSlices(records, attach, proceed);
    await attachRelated(made, { ...list, rows: madeOf }, proceed);
  }
}

function follow(record: Entity, pathToParent: readonly Relation[]): Entity | undefined {
  let end: Entity | undefined = record;

  for (const relation of pathToParent) {
    // Read as a property: a lazy relation's own getter was replaced when the record was made.
    const holder: Entity | undefined = relation.embedded ? undefined : end;

    end = (holder ? holder[relation.propertyName] : relation.read(end)) as Entity | undefined;

    if (!end) return undefined;
  }

  return end;
}
