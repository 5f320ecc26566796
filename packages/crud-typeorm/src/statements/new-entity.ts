import { randomUUID } from 'node:crypto';
import type { WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { getMetadata } from '../catalog/catalog.js';
import { setColumnValue, setOwnProperty } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';
import type { Changes } from './changes.js';
import { batches } from './values.js';

/** Most rows of one statement, whatever else would allow more. */
const MAX_ROWS = 1000;

/** A record to insert: its plan, its path in the body, and its foreign key to its parent. */
export interface NewRecord {
  readonly plan: WritePlan;
  readonly path: string;
  readonly foreignKey?: Changes | undefined;
}

/** A record to insert, with its entity. */
export interface PreparedRecord extends NewRecord {
  readonly entity: ObjectLiteral;
}

/** The entity of a planned record; other values override those of the plan. */
export function newEntity(metadata: EntityMetadata, { values }: WritePlan, others?: Changes): ObjectLiteral {
  const entity = metadata.create();

  // A new record has nothing to load, but TypeORM's lazy getters would query the database for its relations.
  for (const { propertyName } of metadata.lazyRelations.filter(({ isWithJoinColumn }) => isWithJoinColumn))
    setOwnProperty(entity, propertyName, {});

  for (const { column, value } of values) setColumnValue(getMetadata(column), entity, value);

  for (const [column, value] of others ?? []) setColumnValue(column, entity, value);

  return entity;
}

/** Generates uuids that the database cannot, as TypeORM's builder would, but in the entity. */
export function generateUuids(metadata: EntityMetadata, entity: ObjectLiteral): void {
  if (metadata.connection.driver.isUUIDGenerationSupported()) return;

  for (const column of metadata.generatedColumns) {
    if (column.generationStrategy === 'uuid' && column.getEntityValue(entity) === undefined)
      column.setEntityValue(entity, randomUUID());
  }
}

/** Splits a list into chunks that fit into one statement. */
export function chunks<T>(items: readonly T[], metadata: EntityMetadata): Iterable<readonly T[]> {
  const { parameterLimit } = getDialect(metadata.connection);
  const size = Math.max(1, Math.min(MAX_ROWS, Math.floor(parameterLimit / Math.max(1, metadata.columns.length))));

  return batches(items, size);
}
