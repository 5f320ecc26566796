/** What JSON shows of a stored value. */
import type { Database } from './differences.js';
import type { Column, ColumnType, Value } from './tables.js';

const PRINTERS: { readonly [T in ColumnType]?: (value: Value, column: Column, database: Database) => unknown } = {
  bigint: String,
  datetime: (value) => new Date(value as number).toISOString(),
  decimal: (value, { raw }, { differences }) =>
    raw && differences.decimals !== 'a number' ? (value as number).toFixed(2) : value,
};

export function printValue(column: Column, value: Value, database: Database): unknown {
  return value === null ? null : (PRINTERS[column.type]?.(value, column, database) ?? value);
}
