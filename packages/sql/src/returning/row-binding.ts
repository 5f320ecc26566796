/** Binds rows to insert directly from their plans, if entities would give the same values. */
import type { CatalogColumn, PlannedValue, WritePlan } from '@nestwright/crud/adapter';
import { readRecordKey } from '../statements/changes.js';
import { bindRow, type BoundRow, insertedColumns } from '../statements/insert-text.js';
import { getColumn } from '../database/links.js';
import type { Entity, Table } from '../database/database.js';

/** Where the planned columns of the latest plan stand. */
interface Positions {
  readonly planned: readonly CatalogColumn[];
  /** By inserted column: index of its value among the planned ones, or -1. */
  readonly indexes: readonly number[];
}

const latest = new WeakMap<Table, Positions>();

/** The row that the entity of a plan would have, if {@link isPlain}. */
export function bindPlan(table: Table, { values }: WritePlan): BoundRow {
  const indexes = findPositions(table, values);

  return bindRow(table, 'database', (column, index) => {
    const at = indexes[index]!;
    const planned = at < 0 ? undefined : values[at]!.value;

    return column.referencedColumn ? readRecordKey(column, planned) : planned;
  });
}

function findPositions(table: Table, values: readonly PlannedValue[]): readonly number[] {
  const last = latest.get(table);
  if (last?.planned.length === values.length && last.planned.every((column, index) => values[index]!.column === column))
    return last.indexes;

  const planned = values.map(({ column }) => column);
  const columns = planned.map((column) => getColumn(column));
  const indexes = insertedColumns(table).map((column) => columns.indexOf(column));
  latest.set(table, { planned, indexes });

  return indexes;
}

const watched = new WeakMap<Table, readonly string[] | undefined>();

/**
 * Whether a new entity has no values of its own; checked each time, since a constructor may not always set the same.
 */
export function isPlain(table: Table): boolean {
  if (!watched.has(table)) watched.set(table, watchedProperties(table));

  const properties = watched.get(table);
  const entity = properties && table.create();

  return entity !== undefined && properties!.every((property) => entity[property] === undefined);
}

/** The properties that make an entity's row; undefined if any is more than a plain property. */
function watchedProperties(table: Table): readonly string[] | undefined {
  const { database } = table;
  const columns = insertedColumns(table);
  const makesUuids = !database.makesUuids && table.columns.some(({ generation }) => generation === 'uuid');

  if (
    makesUuids ||
    table.relations.some(({ isLazy }) => isLazy) ||
    columns.some(
      ({ embedded, isVirtual, referencedColumn, relation }) =>
        embedded !== undefined || isVirtual || (referencedColumn && !relation),
    )
  )
    return undefined;

  const entity = table.create();
  const properties = columns.flatMap(({ propertyName, relation }) =>
    relation ? [propertyName, relation.propertyName] : [propertyName],
  );

  return Object.isExtensible(entity) && properties.every((property) => isPlace(entity, property))
    ? [...new Set(properties)]
    : undefined;
}

/** Whether a property is plain: an accessor of the class may change what is set. */
function isPlace(entity: Entity, property: string): boolean {
  const own = Object.getOwnPropertyDescriptor(entity, property);

  return own ? own.writable === true : !(property in entity);
}
