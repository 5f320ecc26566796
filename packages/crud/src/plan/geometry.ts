/**
 * Reads GeoJSON and well-known text. Anything else is refused here, since some databases store null in place of a shape
 * that they cannot read.
 */
import { isRecord } from './property-paths.js';

/** A checked GeoJSON geometry. */
export interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

/** How deep collections of collections may be nested. */
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
export function readGeoJson(raw: unknown, depth = 0): Geometry | undefined {
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
export function isFlat({ coordinates, geometries = [] }: Geometry): boolean {
  const isFlatList = (list: unknown): boolean =>
    !Array.isArray(list) || (Array.isArray(list[0]) ? list.every(isFlatList) : list.length === 2);

  return isFlatList(coordinates) && geometries.every((item) => !item.geometries && isFlat(item));
}

/** Prints a geometry as well-known text, in two dimensions. */
export function wellKnownText({ type, coordinates, geometries }: Geometry): string {
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
const TOKENS = /[(),]|[^\s,()]+/g;
const NUMBER = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i;

/** Reads a geometry of two dimensions from well-known text. */
export function readWellKnownText(text: string): Geometry | undefined {
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
  // A collection is nested in the list of another.
  if (depth > 2 * DEEPEST + 4) return undefined;
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
