/** Which columns of a source are read, and which of them are returned. Unknown names select nothing. */
import { isObject } from '../definition/plain-objects.js';
import { getOrInsert, oncePerObject } from '../get-or-insert.js';
import type { CatalogColumn } from './catalog.js';
import { anyCovers, type FieldAccess, isSelectable } from './column-access.js';
import type { PlannedSource } from './read-plan.js';
import type { Names } from './resolve-names.js';
import { resolveColumn, type SourceDraft, type SourceTree } from './sources.js';

/** What is read of a source if no fields are asked for. */
interface Projection {
  readonly columns: readonly CatalogColumn[];
  /** Those that are read whatever is asked for: the primary key, and what `persist` names. */
  readonly always: ReadonlySet<CatalogColumn>;
  /** Paths that are read only to assemble records. */
  readonly hidden: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();
const projectionsOf = oncePerObject((_: Names) => new Map<string, Projection>());

/**
 * Selects the columns of a source: what is asked for (all that is open if nothing is), what `persist` adds, and the
 * primary key, which is read even if it is hidden. Of a relation that no option configures, the key alone is read.
 */
export function selectColumns({ names }: SourceTree, source: SourceDraft, fields: readonly string[]): void {
  const { columns, always, hidden } = getOrInsert(projectionsOf(names), source.path, () =>
    makeProjection(names, source),
  );
  const selected =
    fields.length === 0 ? columns : columns.filter((column) => always.has(column) || anyCovers(fields, column.path));

  selectExactly(source, selected, hidden);
}

/** Selects some columns of a source and nothing else. */
export function selectExactly(source: SourceDraft, columns: readonly CatalogColumn[], hidden = NONE): void {
  source.columns = columns.map((column) => resolveColumn(source, column));
  source.hidden = hidden;
}

function makeProjection(names: Names, { path, catalog }: SourceDraft): Projection {
  const access: FieldAccess | undefined = path === '' ? names.query : names.configured.get(path);
  if (!access) return { columns: catalog.primary, always: new Set(), hidden: NONE };

  const { persist, exclude } = access;
  const isPersisted = (column: CatalogColumn) =>
    column.selectable && anyCovers(persist, column.path) && !anyCovers(exclude, column.path);
  const all = [...catalog.columns.values()];
  const always = all.filter((column) => column.primary || isPersisted(column));
  const hidden = all.filter((column) => column.primary && !isSelectable(access, column)).map((column) => column.path);

  return {
    columns: all.filter((column) => always.includes(column) || isSelectable(access, column)),
    always: new Set(always),
    hidden: new Set(hidden),
  };
}

type AnyRecord = Record<string, unknown>;

/**
 * Keeps of an entity what a plan returns: its visible columns and the relations that are joined, at every level.
 * Instances keep their class. Used if an answer is not read from the database by the plan: `returnShallow`,
 * `returnDeleted` and the like.
 *
 * @example
 * project(Object.assign(new User(), { id: 1, password: 'x' }), plan.root); // User { id: 1 }
 */
export function project<T extends object>(entity: T, source: PlannedSource): T {
  const kept = sameClass(entity);
  for (const { column } of source.columns) {
    if (!source.hidden.has(column.path))
      copy(entity as AnyRecord, kept as AnyRecord, column.path.split('.'), (value) => value);
  }
  for (const join of source.joins) {
    if (join.returned) {
      copy(entity as AnyRecord, kept as AnyRecord, join.relation!.path.split('.'), (value) =>
        projectRelated(value, join),
      );
    }
  }

  return kept;
}

function projectRelated(value: unknown, source: PlannedSource): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => projectRelated(item, source));

  return isObject(value) ? project(value, source) : value;
}

/** Copies the value at a path, with the embedded objects around it; missing values stay missing. */
function copy(
  from: AnyRecord,
  to: AnyRecord,
  [name, ...rest]: readonly string[],
  change: (value: unknown) => unknown,
): void {
  if (name === undefined || !Object.hasOwn(from, name)) return;

  const value = from[name];
  if (rest.length === 0 || !isObject(value)) {
    to[name] = rest.length === 0 ? change(value) : value;
  } else {
    if (!Object.hasOwn(to, name)) to[name] = sameClass(value);
    copy(value as AnyRecord, to[name] as AnyRecord, rest, change);
  }
}

function sameClass<T extends object>(value: T): T {
  return Object.create(Object.getPrototypeOf(value) as object | null) as T;
}
