import type { EntityMetadata, EntitySubscriberInterface, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';

/** A pair of events around a statement, as TypeORM names them. */
type WriteEvent = 'Insert' | 'Update' | 'Remove' | 'SoftRemove' | 'Recover';

const LISTENERS = {
  Insert: ['beforeInsertListeners', 'afterInsertListeners'],
  Update: ['beforeUpdateListeners', 'afterUpdateListeners'],
  Remove: ['beforeRemoveListeners', 'afterRemoveListeners'],
  SoftRemove: ['beforeSoftRemoveListeners', 'afterSoftRemoveListeners'],
  Recover: ['beforeRecoverListeners', 'afterRecoverListeners'],
} as const satisfies Record<WriteEvent, readonly (keyof EntityMetadata)[]>;

/** Whether an event has listeners or subscribers; checked each time, since subscribers may be added at run time. */
export function isObserved(metadata: EntityMetadata, event: WriteEvent): boolean {
  return (
    LISTENERS[event].some((name) => metadata[name].length > 0) ||
    metadata.connection.subscribers.some((subscriber) => isListening(subscriber, metadata, event))
  );
}

function isListening(
  subscriber: EntitySubscriberInterface<unknown>,
  { target }: EntityMetadata,
  event: WriteEvent,
): boolean {
  if (!subscriber[`before${event}`] && !subscriber[`after${event}`]) return false;

  const of = subscriber.listenTo?.();

  return (
    of === undefined ||
    of === Object ||
    of === target ||
    (typeof of === 'function' && typeof target === 'function' && target.prototype instanceof of)
  );
}

/** What TypeORM passes to subscribers besides the entity. */
interface Observed {
  readonly entity: ObjectLiteral;
  readonly before?: ObjectLiteral;
  /** The columns that an update changes. */
  readonly columns?: readonly ColumnMetadata[];
  readonly relations?: readonly RelationMetadata[];
}

/** Calls listeners and subscribers of an event and awaits them, one record after another. */
export async function broadcast(
  runner: QueryRunner,
  metadata: EntityMetadata,
  event: `${'Before' | 'After'}${WriteEvent}`,
  { entity, before, columns, relations }: Observed,
): Promise<void> {
  const { broadcaster } = runner;

  // Inserts have no previous state, and only updates have changed columns; the broadcaster types each event separately.
  if (event.endsWith('Insert')) {
    await broadcaster.broadcast(event as 'BeforeInsert', metadata, entity);
  } else if (event.endsWith('Update')) {
    await broadcaster.broadcast(
      event as 'BeforeUpdate',
      metadata,
      entity,
      before,
      [...(columns ?? [])],
      [...(relations ?? [])],
    );
  } else {
    await broadcaster.broadcast(event as 'BeforeSoftRemove', metadata, entity, before);
  }
}
