import type { DataSource } from 'typeorm';
import type { ReadShape } from './read-rows.js';
import type { RecordShape } from './record-shape.js';

/** Whether there are load listeners or subscribers. */
export function isLoadObserved({ subscribers }: DataSource, { shape, related }: ReadShape): boolean {
  // Checked each time, since subscribers may be added while the application runs.
  return subscribers.some((subscriber) => subscriber.afterLoad) || hasListeners(shape, related);
}

function hasListeners({ metadata, joined }: RecordShape, related: readonly ReadShape[]): boolean {
  return (
    [metadata, ...metadata.childEntityMetadatas].some(({ afterLoadListeners }) => afterLoadListeners.length > 0) ||
    joined.some(({ shape }) => hasListeners(shape, [])) ||
    related.some((relation) => hasListeners(relation.shape, relation.related))
  );
}
