import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { equal, lock, type Predicate } from './values.js';

/** Columns and the values that they must have. */
interface ColumnValues {
  readonly columns: readonly ColumnMetadata[];
  readonly values: readonly unknown[];
  /** Whether the records are read as committed now and locked until the transaction ends. Default: `false`. */
  readonly locked?: boolean;
}

/** Records whose columns hold the given values, soft-deleted ones too, as plain objects with the columns asked for. */
export function findRecords(
  runner: QueryRunner,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  { columns, values, locked = false }: ColumnValues,
): Promise<ObjectLiteral[]> {
  return findMatching(runner, metadata, wanted, { where: equal(columns, values, 'value'), locked });
}

/** Which records are found, and how. */
interface MatchOptions {
  readonly where: Predicate;
  /** As {@link ColumnValues.locked}. */
  readonly locked?: boolean;
  /** Whether they are read and locked in the order of the selected columns. Default: `false`. */
  readonly sorted?: boolean;
}

/** Records that satisfy a condition over the columns of their table, soft-deleted ones too. */
export async function findMatching(
  runner: QueryRunner,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  { where, locked = false, sorted = false }: MatchOptions,
): Promise<ObjectLiteral[]> {
  const { driver } = metadata.connection;
  // Conditions use the table's name as alias.
  const table = metadata.tableName;
  const select = runner.manager.createQueryBuilder().from(metadata.target, table).withDeleted();

  const { selected } = dialectOf(metadata.connection);

  wanted.forEach((column, index) =>
    select.addSelect(
      selected(`${driver.escape(table)}.${driver.escape(column.databaseName)}`, column),
      `column${index}`,
    ),
  );

  if (where.sql) {
    select.where(where.sql, where.parameters);
  }

  if (sorted) wanted.forEach((_, index) => select.addOrderBy(`column${index}`));

  if (locked) {
    lock(select);
  }

  const rows = await select.getRawMany<ObjectLiteral>();

  return rows.map((row) => {
    const record: ObjectLiteral = {};

    // Values are assigned by column, since several foreign keys of one relation share its property.
    wanted.forEach((column, index) =>
      setColumnValue(column, record, driver.prepareHydratedValue(row[`column${index}`], column)),
    );

    return record;
  });
}
