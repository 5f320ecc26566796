/** `@AfterLoad` listeners and subscribers' `afterLoad`. */
import type { DataSource, ObjectLiteral, QueryRunner } from 'typeorm';
import type { RecordShape } from './record-shape.js';

/** The part of a related statement that names its shape. */
export interface Below {
  readonly shape: RecordShape;
  readonly related: readonly Below[];
}

/** Calls load listeners and subscribers with each record, its relations set. */
export async function broadcastLoad(
  runner: QueryRunner,
  shape: RecordShape,
  related: readonly Below[],
  records: ObjectLiteral[],
): Promise<void> {
  if (records.length > 0 && isObserved(runner.connection, shape, related)) {
    await runner.broadcaster.broadcast('Load', shape.metadata, records);
  }
}

/** Whether there are load listeners or subscribers. */
export function isObserved({ subscribers }: DataSource, shape: RecordShape, related: readonly Below[]): boolean {
  // Checked each time, since subscribers may be added while the application runs.
  return subscribers.some((subscriber) => subscriber.afterLoad) || hasListeners(shape, related);
}

function hasListeners({ metadata, joined }: RecordShape, related: readonly Below[]): boolean {
  return (
    [metadata, ...metadata.childEntityMetadatas].some(({ afterLoadListeners }) => afterLoadListeners.length > 0) ||
    joined.some(({ shape }) => hasListeners(shape, [])) ||
    related.some((below) => hasListeners(below.shape, below.related))
  );
}
