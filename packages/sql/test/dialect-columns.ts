/** What dialects are asked of. */
import { type CatalogColumn, type ColumnKind, describeColumn } from '@nestwright/crud/adapter';
import type { ColumnType, JsonValue, Server } from '../src/database/dialect.js';

export type Case = [sql: unknown, write: () => unknown];

export const SERVER: Server = { isMariaDb: false, isUtc: true, hasOldSpatialNames: false };

export const of = (kind: ColumnKind, more: Partial<CatalogColumn> = {}) => describeColumn('x', kind, more);

export const stored = (type: string, more: object = {}) =>
  ({ type, server: SERVER, catalogColumn: of('text'), ...more }) as unknown as ColumnType;

/** A value within an object of a document. */
export const documentValue: JsonValue = {
  column: 'doc',
  storedColumn: stored('jsonb'),
  keys: ['a', 'b"'],
  constant: (value) => `<${String(value)}>`,
};
