/**
 * Converts typed values to what the driver binds; refuses values that the column's transformer refuses or does not turn
 * into a single value.
 */
import { type CatalogColumn, crudError } from '@nestwright/crud/adapter';
import { getColumn } from '../database/links.js';
import type { Database } from '../database/database.js';

/** The value as the database stores it: by the column's `encode`. */
export function storedValue(database: Database, column: CatalogColumn, value: unknown): unknown {
  const storedColumn = getColumn(column);

  if (column.kind === 'array') return column.elementKind === 'enum' ? String(value) : value;

  let stored: unknown;

  try {
    stored = storedColumn.encode(column.transformed ? asProperty(column, value) : value);
  } catch (cause) {
    throw crudError('CRUD_INVALID_VALUE', { field: column.path, cause });
  }

  // A transformer may return anything for a client's text.
  if (column.transformed && !database.dialect.binds(stored))
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
