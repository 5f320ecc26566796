/** Reads body values of columns that planning does not compare: bytes, intervals, points and the like. */
import { isRecord } from './property-paths.js';
import type { ColumnForm } from './catalog.js';
import { type Geometry, isFlat, readGeoJson, readWellKnownText, wellKnownText } from './geometry.js';
import { unstorable } from './values.js';

type Reader = (raw: unknown) => unknown;

/** What objects and lists each form takes besides a text, number or boolean, which the database judges. */
const OBJECTS: Readonly<Record<ColumnForm, Reader>> = {
  plain: () => undefined,
  bytes: readBytes,
  bits: readBytes,
  numbers: (raw) => (Array.isArray(raw) && raw.length > 0 && raw.every(Number.isFinite) ? raw : undefined),
  text: () => undefined,
  point: (raw) => {
    const [x, y] = readNumbers(raw, ['x', 'y']) ?? [];
    return x === undefined ? undefined : `(${x},${y})`;
  },
  circle: (raw) => {
    const [x, y, radius] = readNumbers(raw, ['x', 'y', 'radius']) ?? [];
    return x === undefined ? undefined : `<(${x},${y}),${radius}>`;
  },
  interval: readInterval,
  pairs: (raw) => (isRecord(raw) && Object.entries(raw).every(isPair) ? raw : undefined),
  geojson: (raw) => readGeoJson(raw),
  wkt: (raw) => printGeometry(readGeoJson(raw)),
};

/**
 * Forms whose texts are parsed here, since the database does not refuse every invalid one, or the driver cannot send
 * it.
 */
const TEXTS: Readonly<Partial<Record<ColumnForm, (text: string) => unknown>>> = {
  geojson: () => undefined,
  wkt: (text) => printGeometry(readWellKnownText(text)),
  numbers: () => undefined,
  bits: (text) => text || undefined,
};

/** Forms for which every number and boolean is a text. */
const NUMBERS: ReadonlySet<ColumnForm> = new Set(['plain', 'interval']);

/** Reads a value by the form of its column. */
export function readForm(form: ColumnForm, raw: unknown): unknown {
  switch (typeof raw) {
    case 'string':
      return unstorable(raw) ? undefined : TEXTS[form] ? TEXTS[form](raw) : raw;
    case 'number':
    case 'boolean':
      return NUMBERS.has(form) || (form === 'bits' && isBits(raw)) ? raw : undefined;
    default:
      return OBJECTS[form](raw);
  }
}

/** The spelling that all databases read; not all of them keep a third dimension or nested collections. */
function printGeometry(geometry: Geometry | undefined): string | undefined {
  return geometry && isFlat(geometry) ? wellKnownText(geometry) : undefined;
}

/** Bytes, or what JSON prints of a Buffer. */
function readBytes(raw: unknown): Uint8Array | undefined {
  if (raw instanceof Uint8Array) return raw;
  if (!isRecord(raw) || !('type' in raw) || raw.type !== 'Buffer' || !('data' in raw)) return undefined;

  return isBytes(raw.data) ? Buffer.from(raw.data) : undefined;
}

function isBits(value: number | boolean): boolean {
  return typeof value === 'boolean' || (Number.isSafeInteger(value) && value >= 0);
}

function isBytes(value: unknown): value is number[] {
  return (
    Array.isArray(value) &&
    value.every((byte: unknown) => Number.isInteger(byte) && (byte as number) >= 0 && (byte as number) <= 255)
  );
}

/** The numbers of an object that has these and nothing else. */
function readNumbers(raw: unknown, names: readonly string[]): number[] | undefined {
  if (!isRecord(raw) || Object.keys(raw).length !== names.length) return undefined;

  const numbers = names.map((name) => (Object.hasOwn(raw, name) ? (raw as Record<string, unknown>)[name] : undefined));
  return numbers.every((value): value is number => Number.isFinite(value)) ? numbers : undefined;
}

const UNITS: ReadonlySet<string> = new Set(['years', 'months', 'days', 'hours', 'minutes', 'seconds', 'milliseconds']);

/** An interval as answers show it: `{"hours":2,"minutes":3}`. */
function readInterval(raw: unknown): string | undefined {
  if (!isRecord(raw)) return undefined;

  const parts = Object.entries(raw);
  return parts.every(([unit, value]) => UNITS.has(unit) && Number.isFinite(value))
    ? parts.map(([unit, value]) => `${value} ${unit}`).join(' ') || '0 seconds'
    : undefined;
}

function isPair([key, value]: [string, unknown]): boolean {
  const isText = (text: unknown) => typeof text === 'string' && !unstorable(text);

  return isText(key) && (value === null || typeof value === 'number' || typeof value === 'boolean' || isText(value));
}
