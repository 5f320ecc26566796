/** Binds rows to insert directly from their plans, if entities would give the same values. */
import type { CatalogColumn, PlannedValue, WritePlan } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral } from 'typeorm';
import { metadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { numberOf } from '../number-of.js';
import { LruCache } from '../lru-cache.js';
import { OBJECT_BYTES } from '../weight.js';
import { insertedColumns, type BoundRow, type RowTemplate } from '../statements/insert-text.js';

/** How rows of plans with the same columns are bound. */
interface RowBinding {
  /** Columns of the plans, in their order. */
  readonly planned: readonly CatalogColumn[];
  readonly template: RowTemplate;
  readonly bound: readonly BoundColumn[];
}

/** A column that may have a value. */
interface BoundColumn {
  readonly column: ColumnMetadata;
  /** Index of the value among the planned ones; -1 for a column that only has a transformer's default. */
  readonly index: number;
  /** Whether the template has a placeholder for it. */
  readonly stored: boolean;
}

const bindings = new LruCache<{ readonly binding: RowBinding | undefined }>();
const latest = new WeakMap<EntityMetadata, RowBinding>();

/**
 * The binding of plans with the same columns as this one; undefined if entities must be made.
 *
 * @param rowOfEntity The plan's row, made by way of its entity.
 */
export function bindingOf(
  metadata: EntityMetadata,
  plan: WritePlan,
  rowOfEntity: () => BoundRow,
): RowBinding | undefined {
  const last = latest.get(metadata);
  if (last && fits(last, plan)) return last;

  const { values } = plan;
  const shape = JSON.stringify([numberOf(metadata), ...values.map(({ column }) => column.path)]);
  const { binding } = bindings.get(metadata.connection, shape, (weigh) => {
    weigh(values.length * 3 * OBJECT_BYTES);

    return { binding: compile(metadata, values, rowOfEntity()) };
  });

  if (binding) latest.set(metadata, binding);

  return binding;
}

function compile(metadata: EntityMetadata, values: readonly PlannedValue[], row: BoundRow): RowBinding | undefined {
  const planned = values.map(({ column }) => column);
  const columns = planned.map((column) => metadataOf(column));
  const bound = insertedColumns(metadata).flatMap((column): BoundColumn[] => {
    const index = columns.indexOf(column);

    return index >= 0 || column.transformer ? [{ column, index, stored: row.template.columns.includes(column) }] : [];
  });
  const stored = bound.filter((one) => one.stored).map(({ column }) => column);

  // A value from elsewhere would be lost.
  return !row.hasSql && stored.length === row.template.columns.length
    ? { planned, template: row.template, bound }
    : undefined;
}

/** Whether a plan has the columns of a binding. */
function fits({ planned }: RowBinding, { values }: WritePlan): boolean {
  return planned.length === values.length && planned.every((column, index) => values[index]!.column === column);
}

/** Appends the values of a plan's row; returns false and appends nothing if its entity must be made after all. */
export function bindRow({ bound }: RowBinding, { values }: WritePlan, parameters: unknown[]): boolean {
  const start = parameters.length;
  const [{ column: first } = {}] = bound;
  if (!first) return true;

  const { connection } = first.entityMetadata;
  const { driver } = connection;
  const dialect = dialectOf(connection);

  for (const { column, index, stored } of bound) {
    const planned = index < 0 ? undefined : values[index]!.value;
    const value: unknown = driver.preparePersistentValue(planned, column);

    // TypeORM takes an object in place of a foreign key for the related record.
    if (
      (value !== undefined) !== stored ||
      typeof value === 'function' ||
      (column.referencedColumn && typeof planned === 'object' && planned !== null)
    ) {
      parameters.length = start;

      return false;
    }

    if (stored) parameters.push(dialect.bound(value));
  }

  return true;
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
