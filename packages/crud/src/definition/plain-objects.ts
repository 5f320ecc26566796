import { isStandardSchema } from './standard-schema.js';

/** Whether a value is an object of any kind, lists included. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Whether a value is an object literal, as options are, rather than an instance of something. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);

  return prototype === Object.prototype || prototype === null;
}

/** Whether a value is an object with keys. */
export function hasKeys(value: unknown): value is object {
  return isObject(value) && Object.keys(value).length > 0;
}

/** A deep, frozen copy, which later changes to the original do not affect. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  // Schemas of some libraries are plain objects.
  if (!isPlainObject(value) || isStandardSchema(value)) return value;

  return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, item]) => [key, frozenCopy(item)]))) as T;
}

/**
 * Whether a value is what another one is or was: lists and object literals part by part, dates by their time. Goes no
 * deeper than the other one does.
 */
export function isSameValue(value: unknown, other: unknown): boolean {
  if (Object.is(value, other)) return true;
  if (other instanceof Date) return value instanceof Date && value.getTime() === other.getTime();
  if (Array.isArray(other)) {
    const isList = Array.isArray(value) && value.length === other.length;
    return isList && other.every((item, index) => isSameValue(value[index], item));
  }
  if (!isPlainObject(other) || isStandardSchema(other) || !isPlainObject(value)) return false;
  const keys = Object.keys(other);

  return (
    Object.keys(value).length === keys.length &&
    keys.every((key) => Object.hasOwn(value, key) && isSameValue(value[key], other[key]))
  );
}

/**
 * Merges overrides into defaults: objects key by key, everything else is replaced. `undefined` overrides nothing.
 */
export function merged<T extends object>(defaults: T, overriding: Partial<T> | undefined): T {
  const result = { ...defaults } as Record<string, unknown>;

  for (const [key, value] of Object.entries(overriding ?? {})) {
    if (value === undefined) continue;
    const under = result[key];

    result[key] = isPlainObject(under) && isPlainObject(value) ? merged(under, value) : value;
  }

  return result as T;
}

/** Merges overrides into defaults key by key. `undefined` overrides nothing. */
export function mergedByKey(defaults: object | undefined, overriding: object | undefined): object {
  const defined = Object.entries(overriding ?? {}).filter(([, value]) => value !== undefined);

  return { ...defaults, ...Object.fromEntries(defined) };
}

/** Merges levels option by option; `false` discards the levels before it. */
export function mergedValidation<T extends object>(...levels: readonly (T | false | undefined)[]): T | false {
  return levels.reduce<T | false>((under, over) => {
    if (over === undefined) return under;

    return isPlainObject(under) && isPlainObject(over) ? merged(under, over) : over;
  }, {} as T);
}

// Paths are read by own properties only, so that nothing on a prototype is ever taken for data.

/** The value at a path, or undefined; a `null` embedded object means null for all of its columns. */
export function readOwnPath(body: object, path: string): unknown {
  if (!path.includes('.')) return Object.hasOwn(body, path) ? (body as Record<string, unknown>)[path] : undefined;

  let value: unknown = body;
  for (const name of path.split('.')) {
    if (value === null) return null;
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }

  return value;
}

/** The value at a path of own properties, or undefined. */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce(ownProperty, value);
}

/** An own property of an object, or undefined; also of what is no object. */
export function ownProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Whether a value is a record: no list, no date, no primitive. */
export function isRecord(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array)
  );
}

/** Embedded objects around a path, outermost first: `name` for `name.first`. */
export function listEnclosingPaths(path: string): string[] {
  const segments = path.split('.');

  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
}
