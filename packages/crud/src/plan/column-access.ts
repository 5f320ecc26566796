/** Which columns of an entity the options `allow`, `exclude` and `persist` leave to clients. */
import type { QueryOptions } from '../definition/query-options.js';
import type { Catalog, CatalogColumn, ColumnKind } from './catalog.js';
import { getNames, type RelationStep, relationSteps } from './resolve-names.js';

/** The lists of `query` and of a join option, which mean the same; a name covers an embedded object whole. */
export interface FieldAccess {
  readonly allow?: readonly string[];
  readonly exclude?: readonly string[];
  readonly persist?: readonly string[];
}

/** Kinds of columns that records cannot be sorted by. */
export const UNORDERED: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['json', 'array', 'binary']);

/** Whether a name is a path or an embedded object around it: `name` covers `name.first`. */
export function covers(name: string, path: string): boolean {
  return path === name || (path.length > name.length && path.startsWith(name) && path[name.length] === '.');
}

/** Whether one of several names covers a path. */
export function anyCovers(names: readonly string[] | undefined, path: string): boolean {
  return names !== undefined && names.some((name) => covers(name, path));
}

/** Whether the options leave a path open: not excluded, and allowed if there is a list of what is. */
export function isOpen({ allow, exclude }: FieldAccess, path: string): boolean {
  return !anyCovers(exclude, path) && (!allow || allow.length === 0 || anyCovers(allow, path));
}

/**
 * Whether the options and the entity let a column be selected; the primary key is open unless `exclude` names it or the
 * entity hides it.
 */
export function isSelectable(access: FieldAccess, { path, primary, selectable }: CatalogColumn): boolean {
  return selectable && (isOpen(access, path) || (primary && !anyCovers(access.exclude, path)));
}

/** Columns, by path, that the options keep from being read. */
export function unreadColumns(catalog: Catalog, access: FieldAccess = {}): ReadonlySet<string> {
  const { exclude, persist } = access;
  const isRead = (path: string) => isOpen(access, path) || (anyCovers(persist, path) && !anyCovers(exclude, path));

  return new Set([...catalog.columns.keys()].filter((path) => !isRead(path)));
}

/**
 * Columns of a related entity, by path, that the options keep from being read in any place where the entity stands: as
 * the resource's own, and joined.
 */
export function unreadColumnsOf(target: Catalog, root: Catalog, query: QueryOptions = {}): ReadonlySet<string> {
  const joins = [...getNames(root, query).configured].filter(
    ([path]) => relationSteps(root, path)?.at(-1)?.relation.target === target,
  );
  const places: FieldAccess[] = [...(target === root ? [query] : []), ...joins.map(([, option]) => option)];

  return new Set(places.flatMap((access) => [...unreadColumns(target, access)]));
}

/** The column of a name: the relations from the root, the column, and keys into its JSON. */
export interface ColumnPlace {
  readonly steps: readonly RelationStep[];
  readonly column: CatalogColumn;
  readonly jsonPath?: readonly string[];
}

/**
 * What answers make of a value, as far as classes decide it: `shown` as the service reads it, `changed` into something
 * else (or nobody can tell), or `hidden`.
 */
export type PathState = 'shown' | 'changed' | 'hidden';

/** The state of a value in the answers to one request. */
export type JudgePath = (place: ColumnPlace) => PathState;

/** Path of a column from the root, relations by their path. */
export function fullPath({ steps, column }: ColumnPlace): string {
  const relation = steps.at(-1)?.path;

  return relation === undefined ? column.path : `${relation}.${column.path}`;
}

/** Whether clients may name a column in conditions and sorts: some answer shows it, or `query.conditions` frees it. */
export function isComparable(
  access: FieldAccess,
  place: ColumnPlace,
  judge: JudgePath,
  conditions: readonly string[] | undefined,
): boolean {
  return anyCovers(conditions, fullPath(place)) || (isSelectable(access, place.column) && judge(place) === 'shown');
}

/** Whether clients may name a column in `fields`: it is selectable and not hidden from them. */
export function isNameable(
  access: FieldAccess,
  place: ColumnPlace,
  judge: JudgePath,
  conditions: readonly string[] | undefined,
): boolean {
  return isSelectable(access, place.column) && (anyCovers(conditions, fullPath(place)) || judge(place) !== 'hidden');
}
