import { enqueue } from '@nestwright/sql';
import type { DataSource, EntityManager } from 'typeorm';
import { toDatabase } from './database.js';

const serializing = new WeakSet<EntityManager>();

/**
 * Serializes the transactions that the application begins by `dataSource.transaction()` or
 * `repository.manager.transaction()`, too, if all share one connection: a request in between would otherwise be part of
 * one, and lost when it is rolled back.
 */
export function serializeTransactions(dataSource: DataSource): void {
  const { manager } = dataSource;
  const database = toDatabase(dataSource);
  if (serializing.has(manager) || !database.dialect.sharedConnection) return;

  serializing.add(manager);
  const transaction = manager.transaction.bind(manager) as (...parameters: unknown[]) => Promise<unknown>;
  manager.transaction = (...parameters: unknown[]) => enqueue(database, () => transaction(...parameters)) as never;
}
