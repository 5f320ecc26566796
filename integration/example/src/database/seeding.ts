/** What records of a seed are made with, and how they are stored. */
import { createHash } from 'node:crypto';
import type { DataSource, EntityTarget, ObjectLiteral } from 'typeorm';

/** A list of as many records. */
export const times = <T>(count: number, record: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => record(index));

/** Picks in turn: lists of coprime lengths meet in all combinations. */
export const turn = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

/** A version-4 uuid made of a text's digest. */
export const uuid = (text: string): string =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5');

/** A table and the records in it. */
export type Stored = readonly [table: EntityTarget<ObjectLiteral>, records: object[]];

/** Fills tables in their order, parents first, in one transaction: a start that fails leaves them empty. */
export async function store(dataSource: DataSource, tables: readonly Stored[]): Promise<void> {
  await dataSource.transaction(async (manager) => {
    for (const [table, records] of tables)
      await manager.createQueryBuilder().insert().into(table).values(records).updateEntity(false).execute();
  });
}
