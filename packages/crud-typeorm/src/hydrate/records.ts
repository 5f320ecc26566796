import { mapInSlices } from '@nestwright/crud/adapter';
import type { DataSource, ObjectLiteral, RelationMetadata } from 'typeorm';
import type { Row } from '../rows/row-format.js';
import { keyText } from '../rows/row-groups.js';
import { getHydrator, setRelation } from './hydrator.js';
import type { ReadRows } from './read-rows.js';

/**
 * The records of a read. A record with two parents is created twice, so that none is shared.
 *
 * @param proceed See `mapInSlices`.
 */
export async function hydrateRecords(
  read: ReadRows,
  dataSource: DataSource,
  proceed: () => void,
): Promise<ObjectLiteral[]> {
  const hydrate = getHydrator(read.statement.shape, dataSource, read.format);
  const records = await mapInSlices(read.rows, (row) => hydrate(row)!, proceed);

  if (read.related.length > 0) await attachRelated(records, read, dataSource, proceed);

  return records;
}

/** Sets the related records of each record, recursively. */
async function attachRelated(
  records: readonly ObjectLiteral[],
  { rows, format, related }: ReadRows,
  dataSource: DataSource,
  proceed: () => void,
): Promise<void> {
  for (const list of related) {
    const { statement, groups } = list;
    const keys = statement.parentNames.map((name) => format.key(name));
    const hydrate = getHydrator(statement.shape, dataSource, list.format);
    const made: ObjectLiteral[] = [];
    const madeOf: Row[] = [];

    const attach = (record: ObjectLiteral, index: number): void => {
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
    await attachRelated(made, { ...list, rows: madeOf }, dataSource, proceed);
  }
}

function follow(record: ObjectLiteral, pathToParent: readonly RelationMetadata[]): ObjectLiteral | undefined {
  let end: ObjectLiteral | undefined = record;

  for (const relation of pathToParent) {
    // Read as a property: a lazy relation's own getter was replaced when the record was made.
    const holder: ObjectLiteral | undefined = relation.embeddedMetadata ? undefined : end;

    end = (holder ? holder[relation.propertyName] : relation.getEntityValue(end)) as ObjectLiteral | undefined;

    if (!end) return undefined;
  }

  return end;
}
