/** What aggregates are, computed record by record, with bigints for whatever has to be exact. */
import type { DealRow, SellerRow } from './deals.js';

export type Value = string | number | boolean | null;
export type Row = Record<string, Value>;

/** A deal beside the seller that is joined to it. */
export interface Joined {
  readonly deal: DealRow;
  readonly seller: SellerRow | undefined;
}

export interface Term {
  readonly field: string;
  readonly unit?: string | undefined;
  readonly name: string;
}

export interface Call {
  readonly fn: string;
  readonly field: string;
  readonly name: string;
}

const SCALES: Readonly<Record<string, number>> = { big: 0, price: 4 };
const pad = (number: number, length = 2): string => String(number).padStart(length, '0');

/** The value of a field as it is stored: a moment as its milliseconds. */
export function storedAt({ deal, seller }: Joined, field: string): Value {
  const [relation, name] = field.split('.');
  const from = (name === undefined ? deal : relation === 'seller' ? seller : undefined) as object | undefined;
  const value = (from as Record<string, unknown> | undefined)?.[name ?? field];
  return value instanceof Date ? value.getTime() : ((value ?? null) as Value);
}

/** As JSON has it. */
function printed(field: string, value: Value): Value {
  return field === 'at' && typeof value === 'number' ? new Date(value).toISOString() : value;
}

function periodOf(value: Value, unit: string): Value {
  if (value === null) return null;
  const moment = new Date(typeof value === 'number' ? value : `${String(value)}T00:00:00Z`);
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth() + 1, moment.getUTCDate()];
  const monday = new Date(Date.UTC(year, month - 1, day - ((moment.getUTCDay() + 6) % 7)));
  return {
    day: `${pad(year, 4)}-${pad(month)}-${pad(day)}`,
    week: monday.toISOString().slice(0, 10),
    month: `${pad(year, 4)}-${pad(month)}`,
    quarter: `${pad(year, 4)}-Q${Math.ceil(month / 3)}`,
    year: pad(year, 4),
  }[unit] as string;
}

/** A decimal in units of its scale. */
export function unitsOf(text: string, scale: number): bigint {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const size = BigInt(whole + fraction.padEnd(scale, '0'));
  return text.startsWith('-') ? -size : size;
}

function decimal(units: bigint, scale: number): string {
  const digits = String(units < 0n ? -units : units).padStart(scale + 1, '0');
  return `${units < 0n ? '-' : ''}${scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`}`;
}

function total(fn: string, field: string, values: readonly Value[]): Value {
  if (values.length === 0) return null;
  const scale = SCALES[field];
  if (scale === undefined) {
    const sum = values.reduce<number>((all, value) => all + (value as number), 0);
    return fn === 'sum' ? sum : sum / values.length;
  }
  const sum = values.reduce<bigint>((all, value) => all + unitsOf(String(value), scale), 0n);
  if (fn === 'sum') return decimal(sum, scale);
  const size = (sum < 0n ? -sum : sum) * 10n ** 6n;
  const rounded = (2n * size + BigInt(values.length)) / (2n * BigInt(values.length));
  return decimal(sum < 0n ? -rounded : rounded, scale + 6);
}

/** The least and largest by the order of values, whatever they are. */
export function compare(field: string, left: Value, right: Value): number {
  const scale = SCALES[field];
  const [one, other] =
    scale === undefined ? [left, right] : [unitsOf(String(left), scale), unitsOf(String(right), scale)];
  return one! < other! ? -1 : one! > other! ? 1 : 0;
}

function computed({ fn, field }: Call, records: readonly Joined[]): Value {
  if (field === '*') return records.length;
  const values = records.map((record) => storedAt(record, field)).filter((value) => value !== null);
  if (fn === 'count') return values.length;
  if (fn === 'countDistinct') return new Set(values.map((value) => (field in SCALES ? String(value) : value))).size;
  if (fn === 'sum' || fn === 'avg') return total(fn, field, values);
  const sorted = values.sort((left, right) => compare(field, left, right));
  return printed(field, (fn === 'min' ? sorted[0] : sorted.at(-1)) ?? null);
}

/** The rows for some records, in no order. */
export function aggregated(records: readonly Joined[], terms: readonly Term[], calls: readonly Call[]): Row[] {
  const groups = new Map<string, Joined[]>();
  const keyOf = (record: Joined): Value[] =>
    terms.map(({ field, unit }) => {
      const value = storedAt(record, field);
      return unit === undefined ? printed(field, value) : periodOf(value, unit);
    });
  if (terms.length === 0) groups.set('[]', []);
  for (const record of records) {
    const key = JSON.stringify(keyOf(record));
    groups.set(key, [...(groups.get(key) ?? []), record]);
  }
  return [...groups].map(([key, members]) =>
    Object.fromEntries([
      ...(JSON.parse(key) as Value[]).map((value, index) => [terms[index]!.name, value] as const),
      ...calls.map((call) => [call.name, computed(call, members)] as const),
    ]),
  );
}
