/** Columns and values go in, the records that hold them come out with a few of their columns; refuses nothing. */
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { lock } from './values.js';

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
export async function findRecords(
  runner: QueryRunner,
  metadata: EntityMetadata,
  wanted: readonly ColumnMetadata[],
  { columns, values, locked = false }: Holding,
): Promise<ObjectLiteral[]> {
  const { driver } = metadata.connection;
  const select = runner.manager.createQueryBuilder().from(metadata.target, 'stored').withDeleted();

  wanted.forEach((column, index) => select.addSelect(`stored.${driver.escape(column.databaseName)}`, `column${index}`));
  columns.forEach((column, index) =>
    select.andWhere(`stored.${driver.escape(column.databaseName)} = :value${index}`, {
      [`value${index}`]: driver.preparePersistentValue(values[index], column),
    }),
  );

  if (locked) {
    lock(select);
  }

  const rows = await select.getRawMany<ObjectLiteral>();

  return rows.map((row) => {
    const record: ObjectLiteral = {};

    // The columns know their places: several foreign keys of one relation share its property.
    wanted.forEach((column, index) =>
      column.setEntityValue(record, driver.prepareHydratedValue(row[`column${index}`], column)),
    );

    return record;
  });
}
