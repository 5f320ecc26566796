/** Parents with their rows and the rows of their related records in, the parents with those records set out; a record that belongs to two parents becomes two, as nobody expects to share it. */
import { mapInSlices } from '@nestwright/crud';
import type { DataSource, ObjectLiteral, RelationMetadata } from 'typeorm';
import type { FormedRows, Row, RowForm } from '../rows/row-form.js';
import { hydratorOf, setRelation } from './hydrator.js';
import type { RecordShape } from './record-shape.js';

/** A record and the row that it was made of. */
export interface ReadRecord {
  readonly record: ObjectLiteral;
  readonly row: Row;
}

/** What of a related statement hydration needs. */
export interface RelatedShape {
  readonly relation: RelationMetadata;
  readonly way: readonly RelationMetadata[];
  readonly parentNames: readonly string[];
  readonly childNames: readonly string[];
  readonly asked: number;
  readonly shape: RecordShape;
}

/** A record that related ones belong to, with the text by which they find it. */
interface Parent {
  readonly record: ObjectLiteral;
  readonly key: string | undefined;
}

/** The parents in some rows, and the distinct keys to ask for: one list per key column. */
export function findParents(
  statement: RelatedShape,
  rows: readonly ReadRecord[],
  form: RowForm,
): { parents: Parent[]; keys: unknown[][] } {
  const { way, asked } = statement;
  const parentNames = statement.parentNames.map((name) => form.key(name) as string);
  const askedNames = parentNames.slice(0, asked);
  const parents: Parent[] = [];
  const seen = new Set<string>();
  const keys: unknown[][] = askedNames.map(() => []);

  for (const { record, row } of rows) {
    const parent = follow(record, way);

    if (!parent) {
      continue;
    }

    parents.push({ record: parent, key: keyText(row, parentNames) });

    const askedKey = keyText(row, askedNames);

    if (askedKey !== undefined && !seen.has(askedKey)) {
      seen.add(askedKey);
      askedNames.forEach((name, index) => keys[index]!.push(row[name]));
    }
  }

  return { parents, keys };
}

/**
 * Sets the related records of each parent; all of them go out with their rows, for what hangs on them in turn.
 *
 * @param proceed See `mapInSlices`.
 */
export async function attachRelated(
  statement: RelatedShape,
  parents: readonly Parent[],
  { rows, form }: FormedRows,
  dataSource: DataSource,
  proceed: () => void,
): Promise<ReadRecord[]> {
  const hydrate = hydratorOf(statement.shape, dataSource, form);
  const childNames = statement.childNames.map((name) => form.key(name));
  const groups = new Map<string, Row[]>();

  const group = (row: Row): void => {
    const key = keyText(row, childNames);
    const known = key === undefined ? undefined : groups.get(key);

    if (known) known.push(row);
    else if (key !== undefined) groups.set(key, [row]);
  };

  await mapInSlices(rows, group, proceed);

  const found: ReadRecord[] = [];
  const attach = ({ record, key }: Parent): void => {
    const own: ObjectLiteral[] = [];

    for (const row of (key === undefined ? undefined : groups.get(key)) ?? []) {
      const related = hydrate(row)!;

      own.push(related);
      found.push({ record: related, row });
    }

    setRelation(record, statement.relation, own);
  };

  await mapInSlices(parents, attach, proceed);

  return found;
}

function follow(record: ObjectLiteral, way: readonly RelationMetadata[]): ObjectLiteral | undefined {
  let end: ObjectLiteral | undefined = record;

  for (const relation of way) {
    // Read as a property: a lazy relation's own getter was replaced when the record was made.
    const holder: ObjectLiteral | undefined = relation.embeddedMetadata ? undefined : end;

    end = (holder ? holder[relation.propertyName] : relation.getEntityValue(end)) as ObjectLiteral | undefined;

    if (!end) {
      return undefined;
    }
  }

  return end;
}

/** One text for a key; undefined where a part of it is null, so that nothing belongs to it. */
export function keyText(row: Row, names: readonly (string | number)[]): string | undefined {
  let text = '';

  for (let index = 0; index < names.length; index += 1) {
    const value = row[names[index] as string];

    if (value === null || value === undefined) {
      return undefined;
    }

    text = index === 0 ? partText(value) : `${text}\u0000${partText(value)}`;
  }

  return text;
}

function partText(value: unknown): string {
  if (typeof value === 'string') {
    return value;
  }

  if (value instanceof Date) {
    return String(value.getTime());
  }

  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
