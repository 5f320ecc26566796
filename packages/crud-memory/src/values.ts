/** Values of columns: as they are stored, compared and printed. */
import { type CatalogColumn, type ColumnKind, readValue } from '@nestwright/crud/adapter';

/** A stored record: values by property path, none of them undefined. Never changed, only replaced. */
export type Row = Readonly<Record<string, unknown>>;

const AS_GIVEN: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['json', 'array', 'binary']);

/** A value as its column stores it. */
export function stored(column: CatalogColumn, value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (AS_GIVEN.has(column.kind)) return given(value);
  const read = readValue(column, value);

  return column.kind === 'decimal' ? withScale(String(read), column.scale ?? 0) : read;
}

function withScale(text: string, scale: number): string {
  const [whole, fraction = ''] = text.split('.');

  return scale === 0 ? whole! : `${whole}.${fraction.padEnd(scale, '0')}`;
}

/** A copy of a value, which may be changed. */
export function given(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (value instanceof Uint8Array) return Uint8Array.from(value);
  if (Array.isArray(value)) return value.map(given);

  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, given(item)]));
}

/** Digits after the point that decimals are compared with. */
const DIGITS = 30;

/** A decimal text without its point, by so many digits. */
export function scaled(text: string, digits = DIGITS): bigint {
  const [whole = '', fraction = ''] = text.split('.');

  return BigInt(whole + fraction.slice(0, digits).padEnd(digits, '0'));
}

/** What stands for a value that is not null: equal for equal ones, and in their order. */
export function comparable(kind: ColumnKind, value: unknown): string | number | bigint {
  switch (kind) {
    case 'integer':
    case 'float':
    case 'boolean':
      return Number(value);
    case 'bigint':
      return BigInt(String(value));
    case 'decimal':
      return scaled(String(value));
    case 'datetime':
      return value instanceof Date ? value.getTime() : Date.parse(String(value));
    case 'binary':
      return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : JSON.stringify(value);
    case 'json':
    case 'array':
      return JSON.stringify(value);
    default:
      return String(value);
  }
}

/** Order of two values, null before all others. */
export function compareValues(kind: ColumnKind, one: unknown, other: unknown): number {
  if (one === null || other === null) return Number(one !== null) - Number(other !== null);
  const [a, b] = [comparable(kind, one), comparable(kind, other)];

  return a < b ? -1 : Number(a > b);
}

/** Whether two values are the same, null included. */
export function isSame({ kind }: CatalogColumn, one: unknown, other: unknown): boolean {
  return one === null || other === null ? one === other : comparable(kind, one) === comparable(kind, other);
}

/** One text for equal values. */
export function textOf({ kind }: CatalogColumn, value: unknown): string | null {
  return value === null || value === undefined ? null : String(comparable(kind, value));
}
