/**
 * The values that a column of kind `binary` stores, by TypeORM's column type. A type that is not listed takes texts,
 * numbers and booleans, which the database judges.
 */
import type { ColumnForm } from '@nestwright/crud/adapter';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Dialect } from '../dialect/dialect.js';
import { SPATIAL_TYPES } from '../dialect/mysql.js';

const BYTES: readonly (readonly [type: string, form: ColumnForm])[] = [
  'bytea',
  'blob',
  'tinyblob',
  'mediumblob',
  'longblob',
  'binary',
  'varbinary',
].map((type) => [type, 'bytes']);

const POSTGRES: ReadonlyMap<unknown, ColumnForm> = new Map<unknown, ColumnForm>([
  ...BYTES,
  ['point', 'point'],
  ['circle', 'circle'],
  ['interval', 'interval'],
  ['hstore', 'pairs'],
  ['ltree', 'text'],
  ['cube', 'numbers'],
  ['vector', 'numbers'],
  ['halfvec', 'numbers'],
  ['geometry', 'geojson'],
  ['geography', 'geojson'],
]);

const MYSQL: ReadonlyMap<unknown, ColumnForm> = new Map<unknown, ColumnForm>([
  ...BYTES,
  // Drivers return bits as bytes.
  ['bit', 'bits'],
  ...SPATIAL_TYPES.map((type) => [type, 'wkt'] as const),
]);

const FORMS: Readonly<Record<Dialect['name'], ReadonlyMap<unknown, ColumnForm>>> = {
  sqlite: new Map(BYTES),
  postgres: POSTGRES,
  mysql: MYSQL,
};

/**
 * The form of a column, or of the elements of an array; drivers send array elements correctly only if they are texts,
 * numbers or bytes.
 */
export function decideForm({ type, isArray }: ColumnMetadata, { name }: Dialect): ColumnForm {
  const form = FORMS[name].get(type) ?? 'plain';

  return isArray && form !== 'bytes' ? 'plain' : form;
}
