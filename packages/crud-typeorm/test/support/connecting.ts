/** Data sources that are connected while the tests of a block run, and tables that each test finds empty. */
import { afterAll, beforeAll } from '@jest/globals';
import { DataSource, type DataSourceOptions, type EntityTarget, type ObjectLiteral } from 'typeorm';
import type { TestDatabase } from '../../../../integration/test-support/index.js';

/** Connects before the first test of the block, and makes the tables of entities; services may be made of it at once. */
export function connecting(
  { connection }: Pick<TestDatabase, 'connection'>,
  entities: readonly EntityTarget<ObjectLiteral>[],
  options: object = {},
): DataSource {
  const source = new DataSource({ ...connection, entities, synchronize: true, ...options } as DataSourceOptions);
  beforeAll(() => source.initialize(), 60_000);
  afterAll(() => source.destroy());
  return source;
}

const REFERENCES = {
  sqljs: ['PRAGMA foreign_keys = OFF', 'PRAGMA foreign_keys = ON'],
  postgres: ['SET session_replication_role = replica', 'SET session_replication_role = DEFAULT'],
  mysql: ['SET FOREIGN_KEY_CHECKS = 0', 'SET FOREIGN_KEY_CHECKS = 1'],
  mariadb: ['SET FOREIGN_KEY_CHECKS = 0', 'SET FOREIGN_KEY_CHECKS = 1'],
} as const;

/** Empties all tables but some, in whatever way they refer to each other. */
export async function empty(source: DataSource, ...kept: string[]): Promise<void> {
  const tables = new Set(source.entityMetadatas.map(({ tableName }) => tableName));
  for (const table of kept) tables.delete(table);
  const [ignored, heeded] = REFERENCES[source.options.type as keyof typeof REFERENCES];
  const runner = source.createQueryRunner();
  await runner.query(ignored);
  for (const table of tables) await runner.query(`DELETE FROM ${source.driver.escape(table)}`);
  await runner.query(heeded);
  await runner.release();
}
