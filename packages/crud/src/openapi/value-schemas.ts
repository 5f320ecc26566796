/** Which values a column holds, and what the rules of class-validator require of a value, as JSON Schema. */
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';
import { KINDS, type PropertyRules, type Reason } from '../validation/applicable-rules.js';
import type { SchemaObject } from './json-schema.js';

/** A value of which nothing is known. @nestjs/swagger leaves the type out beside `anyOf`. */
export const ANY: SchemaObject = { type: 'object', anyOf: [{}] };
const OBJECT: SchemaObject = { type: 'object', additionalProperties: true };

const COLUMN_KINDS: Readonly<Record<ColumnKind, SchemaObject>> = {
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
  const usual = COLUMN_KINDS[column.assumed ? 'float' : kind];
  if (byType && BY_TYPE.has(kind) && byType.type !== usual.type) return byType;
  const one = members && memberSchema(members);

  return {
    ...usual,
    ...(kind === 'array' ? { items: elementKind ? { ...COLUMN_KINDS[elementKind], ...one } : {} } : one),
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

type Row = (constraints: readonly unknown[]) => { readonly [K in keyof SchemaObject]?: unknown };

/** By the names of class-validator. Rules without a row are not documented. */
const RULES: Readonly<Record<string, Row>> = {
  isString: () => ({ type: 'string' }),
  isInt: () => ({ type: 'integer' }),
  isNumber: () => ({ type: 'number' }),
  isBoolean: () => ({ type: 'boolean' }),
  isObject: () => ({ type: 'object' }),
  isNotEmptyObject: () => ({ type: 'object' }),
  isDate: () => ({ type: 'string', format: 'date-time' }),
  isDateString: () => ({ type: 'string', format: 'date-time' }),
  isIso8601: () => ({ type: 'string', format: 'date-time' }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isUuid: () => ({ type: 'string', format: 'uuid' }),
  isUrl: () => ({ type: 'string', format: 'uri' }),
  isFqdn: () => ({ type: 'string', format: 'hostname' }),
  isIp: ([version]) => ({ type: 'string', format: String(version) === '6' ? 'ipv6' : 'ipv4' }),
  isIn: ([members]) => ({ enum: members }),
  isEnum: ([members]) => ({ enum: enumMembers(members as object) }),
  equals: ([value]) => ({ enum: [value] }),
  isNotEmpty: () => ({ minLength: 1 }),
  minLength: ([minLength]) => ({ type: 'string', minLength }),
  maxLength: ([maxLength]) => ({ type: 'string', maxLength }),
  isLength: ([minLength, maxLength]) => ({ type: 'string', minLength, maxLength }),
  matches: ([pattern]) => ({ type: 'string', ...patternSchema(pattern) }),
  min: ([minimum]) => ({ minimum }),
  max: ([maximum]) => ({ maximum }),
  isPositive: () => ({ minimum: 0 }),
  isNegative: () => ({ maximum: 0 }),
  isDivisibleBy: ([multipleOf]) => ({ multipleOf }),
  isArray: () => ({ type: 'array' }),
  arrayMinSize: ([minItems]) => ({ type: 'array', minItems }),
  arrayMaxSize: ([maxItems]) => ({ type: 'array', maxItems }),
  arrayNotEmpty: () => ({ type: 'array', minItems: 1 }),
  arrayUnique: () => ({ type: 'array', uniqueItems: true }),
};

/** What rules require of a value together. */
export function ruleSchema(rules: PropertyRules['rules']): SchemaObject {
  const own: { type?: SchemaObject['type'] } = {};
  const items: SchemaObject = {};
  let isList = false;

  for (const { rule } of rules) {
    isList ||= rule.each;
    Object.assign(rule.each ? items : own, known(RULES[rule.name ?? '']?.(rule.constraints ?? []) ?? {}));
  }

  return isList || own.type === 'array' ? { ...own, type: 'array', items } : own;
}

/** Whether validation refuses a body that lacks the property. */
export function isRequiredByRules(rules: PropertyRules['rules']): boolean {
  const conditions = rules.filter(({ rule }) => rule.type === KINDS.condition);
  // A condition without a group releases rules without one alone.
  const releases = (reason: Reason) => conditions.some((by) => by.reason !== 'free' || reason === 'free');

  return rules.some(({ rule, reason }) => REQUIRING.has(rule.type) && !releases(reason));
}

/** Kinds of rules that a missing value may break. */
const REQUIRING: ReadonlySet<string> = new Set([KINDS.check, KINDS.defined]);

/** JSON Schema has patterns, but no flags that change what they match. */
function patternSchema(pattern: unknown): SchemaObject {
  return pattern instanceof RegExp && !/[imsvy]/.test(pattern.flags) ? { pattern: pattern.source } : {};
}

/** The members of a list or of a TypeScript enum, which maps its numbers back to their names. */
export function enumMembers(values: object): (string | number)[] {
  if (Array.isArray(values)) return values as (string | number)[];
  const members = values as Record<string, string | number>;

  return Object.keys(members)
    .filter((key) => !(/^-?\d+(\.\d+)?$/.test(key) && typeof members[key] === 'string'))
    .map((key) => members[key] as string | number);
}

function known(schema: object): object {
  return Object.fromEntries(Object.entries(schema).filter(([, value]) => value !== undefined));
}
