/**
 * Converts typed values to what the driver binds; refuses values that the column's transformer refuses or does not turn
 * into a single value.
 */
import { type CatalogColumn, crudError } from '@nestwright/crud/adapter';
import type { DataSource } from 'typeorm';
import { getMetadata } from '../catalog/catalog.js';
import { toDriver } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';

/** The value as the database stores it: through TypeORM's driver and the column's transformer. */
export function storedValue(dataSource: DataSource, column: CatalogColumn, value: unknown): unknown {
  const metadata = getMetadata(column);

  if (column.kind === 'array') return column.elementKind === 'enum' ? String(value) : value;

  let stored: unknown;

  try {
    stored = toDriver(metadata, column.transformed ? asProperty(column, value) : value);
  } catch (cause) {
    throw crudError('CRUD_INVALID_VALUE', { field: column.path, cause });
  }

  // A transformer may return anything for a client's text.
  if (column.transformed && !getDialect(dataSource).binds(stored))
    throw crudError('CRUD_INVALID_VALUE', { field: column.path });

  return stored;
}

/**
 * What a transformer expects: the value as the entity's property would hold it, which for decimals is mostly a number.
 */
function asProperty({ kind }: CatalogColumn, value: unknown): unknown {
  return kind === 'decimal' && typeof value === 'string' && Number.isFinite(Number(value)) ? Number(value) : value;
}

/** Smallest text of a moment that is stored as text: milliseconds that are zero may be missing. */
export function earliestText(moment: unknown): unknown {
  return typeof moment === 'string' ? moment.replace(/\.000$/, '') : moment;
}
