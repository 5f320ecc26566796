import type { CrudRequest } from '@nestwright/crud';
import { type Entity, isRetryable, isServerAway, queueWork, toCrudError, withRetries } from '@nestwright/sql';
import type { FindManyOptions, Repository } from 'typeorm';
import { toTable } from './typeorm/entity-tables.js';
import { toDatabase } from './typeorm/database.js';
import { toConnection } from './typeorm/runner-connection.js';

/** What `count` takes: a request, or TypeORM's options. */
export interface Count<T extends Entity> {
  (request: CrudRequest): Promise<number>;
  (options?: FindManyOptions<T>): Promise<number>;
}

/** Whether the argument is a request; TypeORM's options have no such property. */
export function isRequest(asked: unknown): asked is CrudRequest {
  return typeof asked === 'object' && asked !== null && 'parsed' in asked;
}

/** TypeORM picks a replica at random: of two, the one that is down is picked each time for one read in two thousand. */
const REPLICA_RETRIES = 10;

/**
 * Runs a read, and retries it after a deadlock or conflict, unless it is part of a transaction, which is aborted then.
 */
export function runRead<T extends Entity, R>({ manager, metadata }: Repository<T>, work: () => Promise<R>): Promise<R> {
  const { queryRunner, connection } = manager;
  const done = queryRunner?.isTransactionActive
    ? queueWork(toConnection(queryRunner, toDatabase(connection)), work)
    : connection.driver.isReplicated && !queryRunner
      ? withRetries(work, REPLICA_RETRIES, (error) => isRetryable(error) || isServerAway(error))
      : withRetries(work);

  return done.catch((error: unknown) => {
    throw toCrudError(error, toTable(metadata), 'read');
  });
}
