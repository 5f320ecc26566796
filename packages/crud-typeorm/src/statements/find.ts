import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { lock, type Predicate } from './values.js';

interface FindOptions {
  readonly where: Predicate;
  /** Whether they are read as committed now and locked until the transaction ends. Default: `false`. */
  readonly locked?: boolean;
  /** Whether they are read and locked in the order of the selected columns. Default: `false`. */
  readonly sorted?: boolean;
}

/**
 * Records that satisfy a condition over the columns of their table, soft-deleted ones too, as plain objects with the
 * wanted columns.
 */
export async function findRecords(
  runner: QueryRunner,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  { where, locked = false, sorted = false }: FindOptions,
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

  if (where.sql) select.where(where.sql, where.parameters);

  if (sorted) wanted.forEach((_, index) => select.addOrderBy(`column${index}`));

  if (locked) lock(select);

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
