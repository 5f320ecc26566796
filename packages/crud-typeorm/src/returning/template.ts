/** TypeORM's own text of a statement in, the same text cut at its placeholders out, so that it can be bound to other values of the same shape; undefined where the cut is not certain. */
import { isDeepStrictEqual } from 'node:util';
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import type { Weigh } from '../lru-cache.js';

/** The text of INSERT up to its values, and that of one row, cut at its placeholders. */
export interface RowTemplate {
  readonly head: string;
  readonly row: readonly string[];
  /** Columns whose values stand at the cuts. */
  readonly columns: readonly ColumnMetadata[];
  /** Told what more is kept with it. */
  readonly weigh: Weigh;
}

/** The text of UPDATE up to its condition, cut at its placeholders. */
export interface SetTemplate {
  readonly set: readonly string[];
  readonly columns: readonly ColumnMetadata[];
}

/** Columns that TypeORM names in an INSERT which leaves a counted key to the database. */
export function columnsToInsert({ columns, connection }: EntityMetadata): ColumnMetadata[] {
  const { namesCounted } = dialectOf(connection);

  return columns.filter(
    (column) => column.isInsert && (namesCounted || !column.isGenerated || column.generationStrategy !== 'increment'),
  );
}

/** The value of a column as the driver takes it; undefined where the database is to fill it in. */
export function storedValue(column: ColumnMetadata, entity: ObjectLiteral): unknown {
  return column.entityMetadata.connection.driver.preparePersistentValue(column.getEntityValue(entity), column);
}

/**
 * The template of rows of an entity's shape. TypeORM writes the text of one row and of two: what the second has more is the row.
 *
 * @param columns The columns that the entity gives values for, in the order in which TypeORM binds them.
 */
export function rowTemplate(
  dataSource: DataSource,
  metadata: EntityMetadata,
  entity: ObjectLiteral,
  columns: readonly ColumnMetadata[],
): Omit<RowTemplate, 'weigh'> | undefined {
  const write = (entities: ObjectLiteral[]) =>
    dataSource
      .createQueryBuilder()
      .insert()
      .into(metadata.target)
      .values(entities)
      .callListeners(false)
      .updateEntity(false);
  const single = write([entity]);
  const one = single.getQuery();
  const two = write([entity, entity]).getQuery();
  const row = two.startsWith(`${one}, `) ? cut(two.slice(one.length + 2), columns.length) : undefined;
  const values = Object.entries(single.getParameters()).flatMap(([name, value]) =>
    NAMED.test(`:${name}`) ? [value as unknown] : [],
  );
  const stored = columns.map((column) => storedValue(column, entity));

  if (!row || !isDeepStrictEqual(values, stored)) {
    return undefined;
  }

  const parts = one.split(NAMED);
  const names = columnsToInsert(metadata).map(({ databaseName }) => dataSource.driver.escape(databaseName));
  const head = parts[0]!.slice(0, parts[0]!.length - row[0]!.length);

  // The list of columns says which value stands where, whatever the values of this entity are.
  return isDeepStrictEqual([head + row[0]!, ...row.slice(1)], parts) && head.endsWith(`(${names.join(', ')}) VALUES `)
    ? { head, row, columns }
    : undefined;
}

/** The template of an UPDATE's SET clause, from the properties to set as TypeORM's builder takes them. */
export function setTemplate(
  dataSource: DataSource,
  metadata: EntityMetadata,
  set: ObjectLiteral,
  columns: readonly ColumnMetadata[],
): SetTemplate | undefined {
  const text = dataSource
    .createQueryBuilder()
    .update(metadata.target)
    .set(set)
    .callListeners(false)
    .updateEntity(false)
    .getQuery();
  const parts = cut(text, columns.length);
  // TypeORM sets embedded columns together: each placeholder tells its column by the name before it.
  const ordered = parts
    ?.slice(0, -1)
    .map((part) => columns.find((column) => part.includes(`${dataSource.driver.escape(column.databaseName)} = `)));

  return parts && ordered?.every((column) => column !== undefined) && new Set(ordered).size === columns.length
    ? { set: parts, columns: ordered }
    : undefined;
}

/** TypeORM's names of values, which its drivers turn into placeholders of theirs. */
const NAMED = /:orm_param_\d+/;

/** Cuts a text at its values; undefined where there are not as many as there are columns. */
function cut(text: string, count: number): string[] | undefined {
  const parts = text.split(NAMED);

  return parts.length === count + 1 ? parts : undefined;
}

/** Puts placeholders between the parts of a text, the first of them after `offset` others. */
export function join({ driver }: DataSource, parts: readonly string[], offset: number): string {
  let text = parts[0] ?? '';

  for (let index = 1; index < parts.length; index += 1) {
    text += driver.createParameter('p', offset + index - 1) + parts[index]!;
  }

  return text;
}
