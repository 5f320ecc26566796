/**
 * Reads GeoJSON and well-known text. Anything else is refused here, since some databases store null in place of a shape
 * that they cannot read.
 */
import { isRecord } from './property-paths.js';

type Position = readonly number[];

/** A checked GeoJSON geometry. */
export interface Geometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly Geometry[];
}

/** How deep collections of collections may be nested. */
const DEEPEST = 16;

/** Shapes by GeoJSON's names: how deep the list of their positions is nested, and what it must be. */
const SHAPES: ReadonlyMap<string, { readonly nesting: number; readonly fits: (coordinates: unknown) => boolean }> =
  new Map([
    ['Point', { nesting: 0, fits: isPosition }],
    ['LineString', { nesting: 1, fits: isLine }],
    ['Polygon', { nesting: 2, fits: listOf(isRing) }],
    ['MultiPoint', { nesting: 1, fits: listOf(isPosition) }],
    ['MultiLineString', { nesting: 2, fits: listOf(isLine) }],
    ['MultiPolygon', { nesting: 3, fits: listOf(listOf(isRing)) }],
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

  return typeof type === 'string' && SHAPES.get(type)?.fits(coordinates) ? { type, coordinates } : undefined;
}

function isPosition(value: unknown): value is Position {
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

function listOf(isItem: (value: unknown) => boolean): (value: unknown) => boolean {
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
  try {
    const tokens = new Tokens(text.match(TOKENS) ?? []);
    const geometry = tokens.geometry(0);
    return tokens.isAtEnd ? readGeoJson(geometry) : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Tokens of well-known text, read from left to right; throws a SyntaxError for an unexpected one. */
class Tokens {
  private at = 0;

  constructor(private readonly tokens: readonly string[]) {}

  get isAtEnd(): boolean {
    return this.at === this.tokens.length;
  }

  geometry(depth: number): Geometry {
    const type = NAMES.get(this.next().toUpperCase());
    if (!type || depth > DEEPEST) throw new SyntaxError();
    if (type === COLLECTION) return { type, geometries: this.list(() => this.geometry(depth + 1)) };

    const nesting = SHAPES.get(type)!.nesting;
    // MySQL prints the points of a MULTIPOINT in brackets of their own.
    const isBracketed = () => nesting === 0 || (type === 'MultiPoint' && this.tokens[this.at] === '(');
    return { type, coordinates: this.positions(nesting, () => (isBracketed() ? this.point() : this.position())) };
  }

  private positions(nesting: number, position: () => Position): unknown {
    return nesting === 0 ? position() : this.list(() => this.positions(nesting - 1, position));
  }

  private point(): Position {
    const [point, ...others] = this.list(() => this.position());
    if (!point || others.length > 0) throw new SyntaxError();

    return point;
  }

  private position(): Position {
    return [this.number(), this.number()];
  }

  private number(): number {
    const token = this.next();
    if (!NUMBER.test(token)) throw new SyntaxError();

    return Number(token);
  }

  private list<T>(item: () => T): T[] {
    const items: T[] = [];
    if (this.next() !== '(') throw new SyntaxError();

    for (let mark = ','; mark !== ')'; mark = this.next()) {
      if (mark !== ',') throw new SyntaxError();
      items.push(item());
    }

    return items;
  }

  private next(): string {
    const token = this.tokens[this.at];
    if (token === undefined) throw new SyntaxError();
    this.at += 1;

    return token;
  }
}
