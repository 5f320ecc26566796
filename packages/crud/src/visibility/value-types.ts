/** Which values a `@Type()` leaves as they are. */
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';
import { planOf } from '../serialization/class-plan.js';
import type { TransformOptions } from './transform-options.js';

const NUMBERS = ['integer', 'bigint', 'decimal', 'float'];
const SCALARS = ['text', ...NUMBERS, 'boolean', 'uuid', 'enum', 'date', 'time', 'datetime'];

/** What values are converted to, and the columns whose values it does not change. */
const CONVERSIONS: ReadonlyMap<unknown, readonly string[]> = new Map<unknown, readonly string[]>([
  [String, SCALARS],
  [Number, NUMBERS],
  [Boolean, ['boolean']],
  [Date, ['date', 'datetime']],
  [Buffer, []],
] satisfies [unknown, ColumnKind[] | readonly string[]][]);

export function isConversion(type: unknown): boolean {
  return CONVERSIONS.has(type);
}

/** Whether the values of a column, or of a key in its JSON, stay as they are under a type. */
export function keepsValue(
  type: unknown,
  { kind, elementKind, transformed }: CatalogColumn,
  jsonPath: readonly string[] = [],
  options: TransformOptions,
): boolean {
  const kindOfItems = kind === 'array' ? (elementKind ?? 'json') : kind;
  const isScalar = SCALARS.includes(kindOfItems) && jsonPath.length === 0;
  const kept = CONVERSIONS.get(type);
  if (kept) return isScalar && kept.includes(kindOfItems);
  if (isScalar && !transformed) return true;

  // What is in an object, nobody knows.
  return options.exposesAll && options.excludePrefixes.length === 0 && showsAll(type);
}

/** Whether objects that are taken for a class are shown whole. */
function showsAll(type: unknown, outer: readonly unknown[] = []): boolean {
  if (type === undefined || outer.includes(type)) return true;
  const plan = typeof type === 'function' && !isConversion(type) ? planOf(type) : '';

  return (
    typeof plan !== 'string' &&
    plan.keepsAll &&
    [...plan.types.values()].every((inner) => showsAll(inner(), [...outer, type]))
  );
}
