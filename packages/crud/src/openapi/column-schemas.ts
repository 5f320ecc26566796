/** Which values a column holds, as JSON Schema. */
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';
import type { SchemaObject } from './json-schema.js';

/** A value of which nothing is known. @nestjs/swagger leaves the type out beside `anyOf`. */
export const ANY: SchemaObject = { type: 'object', anyOf: [{}] };
const OBJECT: SchemaObject = { type: 'object', additionalProperties: true };

const KINDS: Readonly<Record<ColumnKind, SchemaObject>> = {
  text: { type: 'string' },
  integer: { type: 'integer' },
  bigint: { type: 'string', format: 'int64', example: '1' },
  decimal: { type: 'string', format: 'decimal', example: '1' },
  float: { type: 'number' },
  boolean: { type: 'boolean' },
  uuid: { type: 'string', format: 'uuid' },
  enum: { type: 'string' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time', example: '12:00:00' },
  datetime: { type: 'string', format: 'date-time' },
  json: OBJECT,
  array: { type: 'array' },
  binary: ANY,
};

/** Kinds whose values depend on the driver or on the application, so that the type of the property tells more. */
const BY_TYPE: ReadonlySet<ColumnKind> = new Set(['bigint', 'decimal', 'json', 'binary']);

/** The values of properties by the types that TypeScript leaves behind for decorators. */
export const DESIGNED: ReadonlyMap<unknown, SchemaObject> = new Map<unknown, SchemaObject>([
  [String, { type: 'string' }],
  [Number, { type: 'number' }],
  [Boolean, { type: 'boolean' }],
  [Date, { type: 'string', format: 'date-time' }],
]);
const TYPES = new Map([...DESIGNED, [Array, { type: 'array', items: {} } as SchemaObject]]);

/** The format of a 32-bit integer says its range. */
const INT32 = [-(2n ** 31n), 2n ** 31n - 1n] as const;

/**
 * What a column holds.
 *
 * @param type TypeScript's type of the property, as decorators see it.
 */
export function columnSchema(column: CatalogColumn, type: unknown): SchemaObject {
  const { nullable, transformed } = column;
  const schema = transformed ? (TYPES.get(type) ?? ANY) : storedSchema(column, TYPES.get(type));

  return nullable ? { ...schema, nullable } : schema;
}

function storedSchema(column: CatalogColumn, byType: SchemaObject | undefined): SchemaObject {
  const { kind, elementKind, members, length, range, autoIncrement, source } = column;
  const usual = KINDS[column.assumed ? 'float' : kind];
  if (byType && BY_TYPE.has(kind) && byType.type !== usual.type) return byType;

  return {
    ...usual,
    ...(kind === 'array' && { items: elementKind ? { type: KINDS[elementKind].type, ...KINDS[elementKind] } : {} }),
    ...(members && memberSchema(members)),
    ...(length !== undefined && usual.type === 'string' && { maxLength: length }),
    ...(range && kind === 'integer' && rangeSchema(range)),
    // What a new record has: a version of 0 in a body would be stale.
    ...((autoIncrement || source === 'version') && kind === 'integer' && { example: 1 }),
  };
}

/** One of some texts or numbers. */
export function memberSchema(members: readonly (string | number)[]): SchemaObject {
  return { type: members.every((member) => typeof member === 'number') ? 'number' : 'string', enum: members };
}

function rangeSchema([minimum, maximum]: NonNullable<CatalogColumn['range']>): SchemaObject {
  if (minimum === INT32[0] && maximum === INT32[1]) return { format: 'int32' };

  return { minimum: Number(minimum), maximum: Number(maximum) };
}
