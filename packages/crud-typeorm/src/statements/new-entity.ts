/** New entities: made of what is planned for them, with the keys that their database cannot make, as many as one statement takes. */
import { randomUUID } from 'node:crypto';
import type { WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { metadataOf } from '../catalog/catalog.js';
import { setColumnValue } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import type { Changes } from './changes.js';

/** Most rows of one statement, whatever else would allow more. */
const ROWS = 1000;

/** A record to insert: what of it is stored, where it stands in the body, and the columns that tie it to its parent. */
export interface NewRecord {
  readonly plan: WritePlan;
  readonly path: string;
  readonly ties?: Changes | undefined;
}

/** The entity of a planned record. */
export function newEntity(metadata: EntityMetadata, { values }: WritePlan, ties?: Changes): ObjectLiteral {
  const entity = metadata.create();

  // A new record has nothing to load: TypeORM's getters would ask the database for relations when their foreign keys are read.
  for (const { propertyName } of metadata.lazyRelations.filter(({ isWithJoinColumn }) => isWithJoinColumn)) {
    Object.defineProperty(entity, propertyName, { value: {}, enumerable: true, writable: true, configurable: true });
  }

  for (const { column, value } of values) {
    setColumnValue(metadataOf(column), entity, value);
  }

  for (const [column, value] of ties ?? []) {
    setColumnValue(column, entity, value);
  }

  return entity;
}

/** Makes the uuids that the database cannot, as the builder would, but where they can be seen. */
export function generateUuids(metadata: EntityMetadata, entity: ObjectLiteral): void {
  if (metadata.connection.driver.isUUIDGenerationSupported()) {
    return;
  }

  for (const column of metadata.generatedColumns) {
    if (column.generationStrategy === 'uuid' && column.getEntityValue(entity) === undefined) {
      column.setEntityValue(entity, randomUUID());
    }
  }
}

/** Cuts a list into what one statement takes. */
export function* chunks<T>(items: readonly T[], metadata: EntityMetadata): Generator<readonly T[]> {
  const { parameterLimit } = dialectOf(metadata.connection);
  const size = Math.max(1, Math.min(ROWS, Math.floor(parameterLimit / Math.max(1, metadata.columns.length))));

  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
  }
}
