/** Columns and values go in, the records that hold them come out with a few of their columns; refuses values that are no single ones (400). */
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, setColumnValue } from '../column-metadata.js';
import { equal, lock, type Predicate } from './values.js';

/** Values that columns must hold. */
export interface Holding {
  readonly columns: readonly ColumnMetadata[];
  readonly values: readonly unknown[];
  /** Whether the records are as others left them just now, and stay so until the transaction ends. Default: `false`. */
  readonly locked?: boolean;
}

/**
 * Records whose columns hold the given values, soft-deleted ones too, as plain objects with the columns asked for.
 *
 * @example
 * await findRecords(runner, metadata, metadata.primaryColumns, { columns: [companyIdColumn], values: [3] }); // [{ id: 1 }, { id: 2 }]
 */
export function findRecords(
  runner: QueryRunner,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  { columns, values, locked = false }: Holding,
): Promise<ObjectLiteral[]> {
  return findMatching(runner, metadata, wanted, { where: equal(columns, values, 'value'), locked });
}

/** Records that satisfy a condition over the columns of their table, soft-deleted ones too. */
export async function findMatching(
  runner: QueryRunner,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  { where, locked }: { readonly where: Predicate; readonly locked: boolean },
): Promise<ObjectLiteral[]> {
  const { driver } = metadata.connection;
  // Conditions call the table by its name.
  const table = metadata.tableName;
  const select = runner.manager.createQueryBuilder().from(metadata.target, table).withDeleted();

  wanted.forEach((column, index) =>
    select.addSelect(`${driver.escape(table)}.${driver.escape(column.databaseName)}`, `column${index}`),
  );

  if (where.sql) {
    select.where(where.sql, where.parameters);
  }

  if (locked) {
    lock(select);
  }

  const rows = await select.getRawMany<ObjectLiteral>();

  return rows.map((row) => {
    const record: ObjectLiteral = {};

    // The columns know their places: several foreign keys of one relation share its property.
    wanted.forEach((column, index) =>
      setColumnValue(column, record, driver.prepareHydratedValue(row[`column${index}`], column)),
    );

    return record;
  });
}
