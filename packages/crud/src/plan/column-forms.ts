/** Reads body values of columns that planning does not compare: bytes, intervals, points and the like. */
import { isRecord } from '../definition/plain-objects.js';
import type { ColumnForm } from './catalog.js';
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

// GeoJSON and well-known text. Anything else is refused here, since some databases store null in place of a shape that
// they cannot read.

/** A checked GeoJSON geometry. */
interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

/** How deep GeoJSON may nest collections in collections; well-known text may not at all. */
const DEEPEST = 16;

/** Shapes by GeoJSON's names: what the list of their positions must be. */
const SHAPES: ReadonlyMap<string, (coordinates: unknown) => boolean> = new Map([
  ['Point', isPosition],
  ['LineString', isLine],
  ['Polygon', makeListCheck(isRing)],
  ['MultiPoint', makeListCheck(isPosition)],
  ['MultiLineString', makeListCheck(isLine)],
  ['MultiPolygon', makeListCheck(makeListCheck(isRing))],
]);
const COLLECTION = 'GeometryCollection';

/** Reads a GeoJSON geometry; members that GeoJSON does not name are left out. */
function readGeoJson(raw: unknown, depth = 0): Geometry | undefined {
  if (!isRecord(raw) || depth > DEEPEST) return undefined;

  const { type, coordinates, geometries } = raw as Partial<Geometry>;
  if (type === COLLECTION) {
    if (!Array.isArray(geometries) || geometries.length === 0) return undefined;
    const items = geometries.map((item: unknown) => readGeoJson(item, depth + 1));
    return items.every((item) => item !== undefined) ? { type, geometries: items } : undefined;
  }

  return typeof type === 'string' && SHAPES.get(type)?.(coordinates) ? { type, coordinates } : undefined;
}

function isPosition(value: unknown): boolean {
  return Array.isArray(value) && (value.length === 2 || value.length === 3) && value.every(Number.isFinite);
}

function isLine(value: unknown): boolean {
  return Array.isArray(value) && value.length >= 2 && value.every(isPosition);
}

/** A line that ends where it begins. */
function isRing(value: unknown): boolean {
  if (!Array.isArray(value) || value.length < 4 || !value.every(isPosition)) return false;

  return JSON.stringify(value[0]) === JSON.stringify(value.at(-1));
}

function makeListCheck(isItem: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.length > 0 && value.every(isItem);
}

/** Whether all positions have two dimensions, and no collection is nested in another. */
function isFlat({ coordinates, geometries = [] }: Geometry): boolean {
  const isFlatList = (list: unknown): boolean =>
    !Array.isArray(list) || (Array.isArray(list[0]) ? list.every(isFlatList) : list.length === 2);

  return isFlatList(coordinates) && geometries.every((item) => !item.geometries && isFlat(item));
}

/** Prints a geometry as well-known text, in two dimensions. */
function wellKnownText({ type, coordinates, geometries }: Geometry): string {
  const inner = geometries ? `(${geometries.map(wellKnownText).join(',')})` : printed(coordinates);

  return `${type.toUpperCase()}${type === 'Point' ? `(${inner})` : inner}`;
}

function printed(coordinates: unknown): string {
  const list = coordinates as readonly unknown[];

  return Array.isArray(list[0]) ? `(${list.map(printed).join(',')})` : `${String(list[0])} ${String(list[1])}`;
}

const NAMES: ReadonlyMap<string, string> = new Map(
  [...SHAPES.keys(), COLLECTION].map((name) => [name.toUpperCase(), name]),
);
/** The depth of a position in `GEOMETRYCOLLECTION(MULTIPOLYGON(((1 2,…` */
const DEEPEST_ITEM = 6;
const TOKENS = /[(),]|[^\s,()]+/g;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** Reads a geometry of two dimensions from well-known text. */
function readWellKnownText(text: string): Geometry | undefined {
  const tokens = (text.match(TOKENS) ?? []).reverse();
  const geometry = readItem(tokens);

  return tokens.length === 0 ? readGeoJson(geometry) : undefined;
}

/**
 * Takes one item from the end of the tokens: a geometry, a list in brackets, or a position. Which of them belongs where
 * is left to {@link readGeoJson}.
 */
function readItem(tokens: string[], depth = 0): unknown {
  const token = tokens.pop() ?? '';
  if (depth > DEEPEST_ITEM) return undefined;
  if (token === '(') return readList(tokens, depth);
  const type = NAMES.get(token.toUpperCase());

  return type === undefined
    ? [readNumber(token), readNumber(tokens.pop() ?? '')]
    : makeGeometry(type, readItem(tokens, depth + 1));
}

function readList(tokens: string[], depth: number): unknown {
  const items: unknown[] = [];
  let mark: string | undefined = ',';
  while (mark === ',') {
    items.push(readItem(tokens, depth + 1));
    mark = tokens.pop();
  }

  return mark === ')' ? items : undefined;
}

function readNumber(token: string): number {
  return NUMBER.test(token) ? Number(token) : NaN;
}

function makeGeometry(type: string, items: unknown): unknown {
  if (!Array.isArray(items)) return undefined;
  const list: readonly unknown[] = items;
  if (type === COLLECTION) return { type, geometries: list };
  if (type === 'Point') return { type, coordinates: list.length === 1 ? list[0] : undefined };
  // MySQL prints the points of a MULTIPOINT in brackets of their own.
  const isInBrackets = (item: unknown) => Array.isArray(item) && item.length === 1;

  return {
    type,
    coordinates:
      type === 'MultiPoint' ? list.map((item) => (isInBrackets(item) ? (item as unknown[])[0] : item)) : list,
  };
}
