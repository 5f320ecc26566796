/**
 * `instanceToPlain`, but faster: the decorators of each class are looked up once. Unsupported values fall back to
 * `instanceToPlain`.
 */
import { instanceToPlain } from 'class-transformer';
import { FAST_PATHS } from '../fast-paths.js';
import { type ClassPlan, getClassPlan } from './class-transformer.js';

/** Thrown if a value needs class-transformer itself. */
const UNCOVERED = Symbol('uncovered');

export function convertToPlain(value: object, options?: object): unknown {
  if ((options && hasOptions(options)) || !FAST_PATHS.serialization) return uncompiled(value, options);

  try {
    return plainValue(value, undefined);
  } catch (error) {
    if (error !== UNCOVERED) throw error;

    return uncompiled(value);
  }
}

function uncompiled(value: object, options?: object): unknown {
  try {
    return instanceToPlain(value, options);
  } catch (error) {
    // JSON that a client stored must not make a record unreadable.
    if (!hasConstructorKey(value)) throw error;

    return instanceToPlain(withoutConstructorKeys(value), options);
  }
}

function hasOptions(options: object): boolean {
  return Object.values(options).some((value) => value !== undefined && !(Array.isArray(value) && value.length === 0));
}

/** Values that a type turns into, whatever they are; null and undefined stay. */
const CONVERSIONS: ReadonlyMap<unknown, (value: never) => unknown> = new Map<unknown, (value: never) => unknown>([
  [String, String],
  [Number, Number],
  [Boolean, Boolean],
  [Date, (value: Date) => printable(new Date(value))],
  [Buffer, (value: Buffer) => Buffer.from(value)],
]);

function plainValue(value: unknown, type: unknown): unknown {
  if (typeof value === 'object' && value !== null) return plainObject(value, type);
  if (type === undefined || value === null || value === undefined) return value;

  const convert = CONVERSIONS.get(type);

  return convert ? convert(value as never) : value;
}

function plainObject(value: object, type: unknown): unknown {
  if (Array.isArray(value)) return plainItems(value, type);
  if (value instanceof Set) return plainItems([...value], type);

  const convert = type === undefined ? undefined : CONVERSIONS.get(type);
  if (convert) return convert(value as never);
  if (value instanceof Date) return printable(new Date(value.valueOf()));
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (value instanceof Map || 'then' in value || (type !== undefined && typeof type !== 'function')) throw UNCOVERED;

  const target = (type as object | undefined) ?? findOwnClass(value);

  return target
    ? plainInstance(value as Record<string, unknown>, target)
    : plainRecord(value as Record<string, unknown>);
}

function plainItems(items: readonly unknown[], type: unknown): unknown[] {
  const plain: unknown[] = [];

  // Holes are skipped.
  items.forEach((item) => plain.push(plainValue(item, type)));

  return plain;
}

function findOwnClass(value: object): object | undefined {
  const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null;
  const target = prototype?.constructor;

  return typeof target === 'function' && target !== Object && target !== Array ? target : undefined;
}

function plainRecord(value: Record<string, unknown>): object {
  const plain: Record<string, unknown> = {};

  for (const key of Object.keys(value)) if (!isReserved(key)) plain[key] = plainValue(read(value, key), undefined);

  return plain;
}

function plainInstance(value: Record<string, unknown>, target: object): object {
  const plan = getClassPlan(target);
  if (typeof plan === 'string') throw UNCOVERED;

  const copy = plan.keepsAll ? plainCopy(value, plan.types) : undefined;
  if (copy) return copy;

  const { exposesAll, hidden, exposed, names, types, decorated } = plan;
  const plain: Record<string, unknown> = {};
  const put = (key: string) => {
    plain[names.get(key) ?? key] = plainValue(read(value, key), types.get(key)?.());
  };

  if (exposesAll) {
    for (const key of Object.keys(value)) {
      if (isReserved(key)) continue;
      if (!decorated.has(key)) plain[key] = plainValue(read(value, key), undefined);
      else if (!hidden.has(key)) put(key);
    }
  }
  for (const key of exposed) if (!(exposesAll && isOwn(value, key)) && !isReserved(key)) put(key);

  return plain;
}

/**
 * For a record whose properties are all returned under their own names: copies it whole, then visits only values that
 * are not primitive.
 */
function plainCopy(value: Record<string, unknown>, types: ClassPlan['types']): object | undefined {
  const plain: Record<string, unknown> = { ...value };
  if (Object.getOwnPropertySymbols(plain).length > 0) return undefined;

  // The fastest loop over a plain object; it also visits properties of Object.prototype.
  for (const key in plain) {
    if (isReserved(key)) return undefined;
    const found = plain[key];
    const isPrimitive = typeof found === 'object' ? found === null : typeof found !== 'function';

    if (types.size === 0 ? isPrimitive : isPrimitive && !types.has(key)) continue;
    if (Object.hasOwn(plain, key)) plain[key] = plainValue(read(value, key), types.get(key)?.());
  }

  return plain;
}

/** Methods are called. */
function read(value: Record<string, unknown>, key: string): unknown {
  const found = value[key];

  return typeof found === 'function' ? (value[key] as () => unknown)() : found;
}

function isReserved(key: string): boolean {
  return key === '__proto__' || key === 'constructor';
}

function isOwn(value: object, key: string): boolean {
  return Object.prototype.propertyIsEnumerable.call(value, key);
}

/** Keys `constructor` in stored JSON mislead class-transformer. */

/** Whether any object in the value has an own key `constructor`, as stored JSON may: it misleads class-transformer. */
function hasConstructorKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;

  return Object.hasOwn(value, 'constructor') || Object.values(value).some(hasConstructorKey);
}

/** A copy of the same classes without such keys. class-transformer leaves them out of its results anyway. */
function withoutConstructorKeys(value: unknown): unknown {
  if (!hasConstructorKey(value)) return value;
  if (Array.isArray(value)) return value.map(withoutConstructorKeys);

  const entries = Object.entries(value as object).filter(([key]) => key !== 'constructor' && key !== '__proto__');
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;

  return Object.assign(copy, Object.fromEntries(entries.map(([key, item]) => [key, withoutConstructorKeys(item)])));
}

/**
 * Dates that print as JSON in a third of the time: JavaScript's own `toJSON` is the most expensive part of a response
 * with dates. Dates outside of the years 1000 to 9999, and replaced built-in methods, are left to
 * `Date.prototype.toJSON`.
 */

// The process's own, before anybody may have replaced them.
const { toISOString, toJSON, valueOf } = Date.prototype;
const FIRST = Date.UTC(1000, 0, 1);
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const padded = (count: number, length: number) =>
  Array.from({ length: count }, (_, number) => String(number).padStart(length, '0'));
const TWO = padded(100, 2);
const THREE = padded(1000, 3);

/** Not enumerable, so that it is invisible to code that lists the properties of a date. */
const PRINTED = { value: printed, writable: true, configurable: true };

/** Makes a date print quickly. */
export function printable(date: Date): Date {
  return Object.defineProperty(date, 'toJSON', PRINTED);
}

/** Computed when printed, since a date may be changed after it was copied. */
function printed(this: Date, key?: string): unknown {
  const own = Date.prototype;

  if (
    this.toISOString !== toISOString ||
    own.toJSON !== toJSON ||
    this.valueOf !== valueOf ||
    !isCommon(valueOf.call(this))
  )
    return own.toJSON.call(this, key);

  return isoText(this);
}

function isCommon(time: number): boolean {
  return time >= FIRST && time <= LAST;
}

function isoText(date: Date): string {
  const day = `${String(date.getUTCFullYear())}-${TWO[date.getUTCMonth() + 1]!}-${TWO[date.getUTCDate()]!}`;
  const time = `${TWO[date.getUTCHours()]!}:${TWO[date.getUTCMinutes()]!}:${TWO[date.getUTCSeconds()]!}`;

  return `${day}T${time}.${THREE[date.getUTCMilliseconds()]!}Z`;
}
