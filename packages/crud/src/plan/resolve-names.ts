/**
 * What a name means: the one place where names of clients and trusted conditions are looked up in the catalog and the
 * join options.
 */
import type { JoinOption, QueryOptions } from '../definition/query-options.js';
import { getOrInsert } from '../get-or-insert.js';
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';

/** One relation of a path from the root. */
export interface RelationStep {
  /** Path from the root: `company.projects`. */
  readonly path: string;
  readonly relation: CatalogRelation;
}

/** The column that a name means. */
export interface FoundField {
  /** Relations from the root to the column's entity; empty for the root's own columns. */
  readonly steps: readonly RelationStep[];
  readonly catalog: Catalog;
  readonly column: CatalogColumn;
  /** Keys into a JSON column; empty for the column itself. */
  readonly jsonPath: readonly string[];
}

/** What a resource's names mean. */
export interface Names {
  readonly root: Catalog;
  /** The options that say so; none configure nothing: names mean columns, and relations by their paths. */
  readonly query: QueryOptions;
  /** Join options by the path of their relation, in the order of the options. */
  readonly configured: ReadonlyMap<string, JoinOption>;
  /** Position in {@link configured} order of each configured relation and of the relations before it. */
  readonly order: ReadonlyMap<string, number>;
  /** SQL alias of the root (`''`), of each configured relation and of those before it. */
  readonly aliases: ReadonlyMap<string, string>;
  /** Relations by the second names that clients may use: `alias` and last segment. */
  readonly shortNames: ReadonlyMap<string, readonly RelationStep[]>;
}

const NO_QUERY: QueryOptions = Object.freeze({});
/** Bounds the work that a name of a client can cause. */
const MAX_SEGMENTS = 64;
const known = new WeakMap<object, WeakMap<Catalog, Names>>();

/** The names of a resource; made once for the frozen options of a definition, and anew for options that may change. */
export function getNames(catalog: Catalog, query: QueryOptions = NO_QUERY): Names {
  if (!Object.isFrozen(query)) return makeNames(catalog, query);

  const byCatalog = getOrInsert(known, query, () => new WeakMap<Catalog, Names>());

  return getOrInsert(byCatalog, catalog, () => makeNames(catalog, query));
}

/**
 * Looks a column up: `email`, `name.first`, `company.name`, `alias.name`, `settings.theme` (a key into a JSON column).
 * The root's own columns come first, then relations by path, then second names. Undefined if nothing has the name.
 */
export function findField(names: Names, name: string): FoundField | undefined {
  // What most names are, without a look at their parts.
  const column = names.root.columns.get(name);
  if (column) return { steps: [], catalog: names.root, column, jsonPath: [] };

  const segments = split(name);
  if (!segments) return undefined;

  const own = findColumn(names.root, segments);
  if (own) return { steps: [], catalog: names.root, ...own };

  return columnAtEnd(walk(names.root, segments), segments) ?? columnAtEnd(throughShortName(names, segments), segments);
}

/** Looks a relation up by path, alias or last segment: the steps from the root, or undefined. */
export function findRelation(names: Names, name: string): readonly RelationStep[] | undefined {
  const segments = split(name);
  if (!segments) return undefined;

  return [walk(names.root, segments), throughShortName(names, segments)].find(
    (walked) => walked?.used === segments.length,
  )?.steps;
}

/** What `join` may name: a relation by its path or its `alias`, not by the last segment of its path. */
export function namesInJoins(names: Names, { unknown }: QueryOptions): Names {
  return unknown === 'ignore' ? names : keepShortNames(names, new Set());
}

/**
 * The names, in which the last segment of a path stands for it only if the path is among `paths`; every `alias` is
 * kept.
 */
export function keepShortNames(names: Names, paths: ReadonlySet<string>): Names {
  const isKept = (name: string, path: string) => paths.has(path) || names.configured.get(path)?.alias === name;
  const kept = [...names.shortNames].filter(([name, steps]) => isKept(name, steps.at(-1)!.path));

  return { ...names, shortNames: new Map(kept) };
}

/** The relations along an exact path, without short names; undefined if the entity has no such path. */
export function relationSteps(root: Catalog, path: string): readonly RelationStep[] | undefined {
  const segments = split(path);
  const walked = segments && walk(root, segments);

  return walked && walked.used === segments.length ? walked.steps : undefined;
}

/**
 * Follows the relations of a path: the entity that they reach, and the remaining segments, for which that entity has no
 * relation.
 */
export function followRelations(root: Catalog, path: string): { readonly catalog: Catalog; readonly rest: string } {
  const segments = split(path);
  const { steps, used } = segments ? walk(root, segments) : { steps: [], used: 0 };

  return { catalog: steps.at(-1)?.relation.target ?? root, rest: segments?.slice(used).join('.') ?? path };
}

/** Looks a column up among an entity's own, JSON keys included. */
export function findColumn(
  catalog: Catalog,
  segments: readonly string[],
): Pick<FoundField, 'column' | 'jsonPath'> | undefined {
  for (let length = segments.length; length > 0; length--) {
    const column = catalog.columns.get(segments.slice(0, length).join('.'));
    if (column && (length === segments.length || column.kind === 'json'))
      return { column, jsonPath: segments.slice(length) };
  }

  return undefined;
}

/** A walk over relations: its steps, and the number of name segments that they use. */
interface Walk {
  readonly steps: readonly RelationStep[];
  readonly used: number;
}

function split(name: string): string[] | undefined {
  // No identifier holds a NUL, and PostgreSQL takes none in a JSON key.
  if (typeof name !== 'string' || name.includes('\0')) return undefined;
  const segments = name.split('.', MAX_SEGMENTS + 1);

  return segments.length > MAX_SEGMENTS || segments.includes('') ? undefined : segments;
}

/**
 * Follows relations as far as the segments name them; a relation inside an embedded object takes more than one segment.
 */
function walk(root: Catalog, segments: readonly string[], start: readonly RelationStep[] = [], from = 0): Walk {
  const steps = [...start];
  let catalog = steps.at(-1)?.relation.target ?? root;
  let used = from;

  for (let end = used + 1; end <= segments.length; end++) {
    const name = segments.slice(used, end).join('.');
    const relation = catalog.relations.get(name);
    if (!relation) continue;

    const before = steps.at(-1)?.path;
    steps.push({ path: before === undefined ? name : `${before}.${name}`, relation });
    catalog = relation.target;
    used = end;
  }

  return { steps, used };
}

function throughShortName({ root, shortNames }: Names, segments: readonly string[]): Walk | undefined {
  const start = shortNames.get(segments[0] ?? '');

  return start && walk(root, segments, start, 1);
}

/** The column that the segments left over by a walk name. */
function columnAtEnd(walked: Walk | undefined, segments: readonly string[]): FoundField | undefined {
  const last = walked?.steps.at(-1);
  const found = walked && last && findColumn(last.relation.target, segments.slice(walked.used));

  return found && { steps: walked.steps, catalog: last.relation.target, ...found };
}

function makeNames(root: Catalog, query: QueryOptions): Names {
  const configured = new Map<string, JoinOption>();
  const stepsTo = new Map<string, readonly RelationStep[]>();

  for (const [path, option] of Object.entries(query.join ?? {})) {
    const steps = relationSteps(root, path);
    // A configured relation that does not exist stops the start; here it is skipped.
    if (!steps) continue;

    configured.set(path, option);
    steps.forEach((step, index) => getOrInsert(stepsTo, step.path, () => steps.slice(0, index + 1)));
  }

  const shortNames = new Map<string, readonly RelationStep[]>();
  for (const [path, steps] of stepsTo) {
    const last = lastSegment(path);
    if (isUnique(last, stepsTo.keys()) && !hasName(root, last)) shortNames.set(last, steps);
  }
  for (const [path, { alias }] of configured)
    if (alias && !hasName(root, alias)) shortNames.set(alias, stepsTo.get(path)!);

  return {
    root,
    query,
    configured,
    order: new Map([...stepsTo.keys()].map((path, index) => [path, index])),
    aliases: makeAliases(root, configured, [...stepsTo.keys()]),
    shortNames,
  };
}

/** Explicit aliases are given out first, so that a derived one yields to them. */
function makeAliases(
  root: Catalog,
  configured: ReadonlyMap<string, JoinOption>,
  paths: readonly string[],
): Map<string, string> {
  const aliases = new Map([['', root.model]]);
  const taken = new Set([root.model.toLowerCase()]);
  const give = (path: string, candidates: readonly string[]) => aliases.set(path, giveAlias(candidates, taken));

  const explicit = paths.filter((path) => configured.get(path)?.alias);
  for (const path of explicit) give(path, [configured.get(path)!.alias!, joined(path)]);
  for (const path of paths) {
    if (aliases.has(path)) continue;
    const last = lastSegment(path);
    give(path, isUnique(last, paths) ? [last, joined(path)] : [joined(path)]);
  }

  return aliases;
}

/**
 * Gives out the first candidate that is free, compared without case as some databases do; else the last one with a
 * number.
 */
export function giveAlias(candidates: readonly string[], taken: Set<string>): string {
  const isFree = (candidate: string) => !taken.has(candidate.toLowerCase());
  let alias = candidates.find(isFree) ?? candidates.at(-1)!;
  for (let number = 2; !isFree(alias); number++) alias = `${candidates.at(-1)}_${number}`;
  taken.add(alias.toLowerCase());

  return alias;
}

function joined(path: string): string {
  return path.replaceAll('.', '_');
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}

function isUnique(last: string, paths: Iterable<string>): boolean {
  return [...paths].filter((path) => lastSegment(path).toLowerCase() === last.toLowerCase()).length === 1;
}

/** Whether a name begins a column or relation of the root, which then keeps it. */
function hasName(root: Catalog, name: string): boolean {
  const begins = (path: string) => path === name || path.startsWith(`${name}.`);

  return [...root.columns.keys()].some(begins) || [...root.relations.keys()].some(begins);
}
