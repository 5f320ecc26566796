/** Binds rows to insert directly from their plans, if entities would give the same values. */
import type { CatalogColumn, PlannedValue, WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { getMetadata } from '../catalog/catalog.js';
import { readRecordKey } from '../statements/changes.js';
import { bindRow, type BoundRow, insertedColumns } from '../statements/insert-text.js';

/** Where the planned columns of the latest plan stand. */
interface Positions {
  readonly planned: readonly CatalogColumn[];
  /** By inserted column: index of its value among the planned ones, or -1. */
  readonly indexes: readonly number[];
}

const latest = new WeakMap<EntityMetadata, Positions>();

/** The row that the entity of a plan would have, if {@link isPlain}. */
export function bindPlan(metadata: EntityMetadata, { values }: WritePlan): BoundRow {
  const indexes = findPositions(metadata, values);

  return bindRow(metadata, 'database', (column, index) => {
    const at = indexes[index]!;
    const planned = at < 0 ? undefined : values[at]!.value;

    return column.referencedColumn ? readRecordKey(column, planned) : planned;
  });
}

function findPositions(metadata: EntityMetadata, values: readonly PlannedValue[]): readonly number[] {
  const last = latest.get(metadata);
  if (last?.planned.length === values.length && last.planned.every((column, index) => values[index]!.column === column))
    return last.indexes;

  const planned = values.map(({ column }) => column);
  const columns = planned.map((column) => getMetadata(column));
  const indexes = insertedColumns(metadata).map((column) => columns.indexOf(column));
  latest.set(metadata, { planned, indexes });

  return indexes;
}

const watched = new WeakMap<EntityMetadata, readonly string[] | undefined>();

/**
 * Whether a new entity has no values of its own; checked each time, since a constructor may not always set the same.
 */
export function isPlain(metadata: EntityMetadata): boolean {
  if (!watched.has(metadata)) watched.set(metadata, watchedProperties(metadata));

  const properties = watched.get(metadata);
  const entity = properties && metadata.create();

  return entity !== undefined && properties!.every((property) => entity[property] === undefined);
}

/** The properties that make an entity's row; undefined if any is more than a plain property. */
function watchedProperties(metadata: EntityMetadata): readonly string[] | undefined {
  const { lazyRelations, generatedColumns, connection } = metadata;
  const columns = insertedColumns(metadata);
  const makesUuids =
    !connection.driver.isUUIDGenerationSupported() &&
    generatedColumns.some(({ generationStrategy }) => generationStrategy === 'uuid');

  if (
    makesUuids ||
    lazyRelations.length > 0 ||
    columns.some(
      ({ embeddedMetadata, isVirtual, referencedColumn, relationMetadata }) =>
        embeddedMetadata !== undefined || isVirtual || (referencedColumn && !relationMetadata),
    )
  )
    return undefined;

  const entity = metadata.create();
  const properties = columns.flatMap(({ propertyName, relationMetadata }) =>
    relationMetadata ? [propertyName, relationMetadata.propertyName] : [propertyName],
  );

  return Object.isExtensible(entity) && properties.every((property) => isPlace(entity, property))
    ? [...new Set(properties)]
    : undefined;
}

/** Whether a property is plain: an accessor of the class may change what is set. */
function isPlace(entity: ObjectLiteral, property: string): boolean {
  const own = Object.getOwnPropertyDescriptor(entity, property);

  return own ? own.writable === true : !(property in entity);
}
