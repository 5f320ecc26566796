/** TypeORM's listeners and subscribers. */
import type { Connection, Entity, Listeners, Observed, Table, WriteEvent } from '@nestwright/sql';
import type { DataSource, EntityMetadata, EntitySubscriberInterface } from 'typeorm';
import { getColumnMetadata, getEntityMetadata, getRelationMetadata } from './maker.js';
import { getRunner } from './runner-connection.js';

const LISTENERS = {
  Insert: ['beforeInsertListeners', 'afterInsertListeners'],
  Update: ['beforeUpdateListeners', 'afterUpdateListeners'],
  Remove: ['beforeRemoveListeners', 'afterRemoveListeners'],
  SoftRemove: ['beforeSoftRemoveListeners', 'afterSoftRemoveListeners'],
  Recover: ['beforeRecoverListeners', 'afterRecoverListeners'],
} as const satisfies Record<WriteEvent, readonly (keyof EntityMetadata)[]>;

/** Methods of subscribers that need a transaction or a loaded record. */
const OF_TRANSACTIONS = [
  'afterLoad',
  'beforeTransactionStart',
  'afterTransactionStart',
  'beforeTransactionCommit',
  'afterTransactionCommit',
  'beforeTransactionRollback',
  'afterTransactionRollback',
] as const satisfies readonly (keyof EntitySubscriberInterface<unknown>)[];

export class DataSourceListeners implements Listeners {
  constructor(private readonly dataSource: DataSource) {}

  get observeLoads(): boolean {
    return this.dataSource.subscribers.some((subscriber) => subscriber.afterLoad);
  }

  get observeTransactions(): boolean {
    return this.dataSource.subscribers.some((subscriber) => OF_TRANSACTIONS.some((name) => subscriber[name]));
  }

  observe(table: Table, event: WriteEvent): boolean {
    const metadata = getEntityMetadata(table);

    return (
      LISTENERS[event].some((name) => metadata[name].length > 0) ||
      this.dataSource.subscribers.some((subscriber) => isListening(subscriber, table, event))
    );
  }

  observeLoadsOf(table: Table): boolean {
    return getEntityMetadata(table).afterLoadListeners.length > 0;
  }

  async broadcast(
    connection: Connection,
    table: Table,
    event: `${'Before' | 'After'}${WriteEvent}`,
    { entity, before, columns = [], relations = [] }: Observed,
  ): Promise<void> {
    const { broadcaster } = getRunner(connection);
    const metadata = getEntityMetadata(table);

    // Inserts have no previous state, and only updates have changed columns; the broadcaster types each event
    // separately.
    if (event.endsWith('Insert')) {
      await broadcaster.broadcast(event as 'BeforeInsert', metadata, entity);
    } else if (event.endsWith('Update')) {
      await broadcaster.broadcast(
        event as 'BeforeUpdate',
        metadata,
        entity,
        before,
        columns.map(getColumnMetadata),
        relations.map(getRelationMetadata),
      );
    } else {
      await broadcaster.broadcast(event as 'BeforeSoftRemove', metadata, entity, before);
    }
  }

  async broadcastLoad(connection: Connection, table: Table, records: readonly Entity[]): Promise<void> {
    await getRunner(connection).broadcaster.broadcast('Load', getEntityMetadata(table), [...records]);
  }

  async broadcastRemoval(connection: Connection, table: Table, event: 'BeforeRemove' | 'AfterRemove'): Promise<void> {
    await getRunner(connection).broadcaster.broadcast(event, getEntityMetadata(table));
  }
}

function isListening(subscriber: EntitySubscriberInterface<unknown>, { target }: Table, event: WriteEvent): boolean {
  if (!subscriber[`before${event}`] && !subscriber[`after${event}`]) return false;

  const of = subscriber.listenTo?.();

  return (
    of === undefined ||
    of === Object ||
    of === target ||
    (typeof of === 'function' && typeof target === 'function' && target.prototype instanceof of)
  );
}
