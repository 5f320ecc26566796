/** Which columns of one entity the options leave visible: the lists `allow`, `exclude` and `persist` in, answers about property paths out. */
import type { Catalog, CatalogColumn } from './catalog.js';

/** The lists of `query` and of a join option, which mean the same; a name covers an embedded object whole. */
export interface Visibility {
  readonly allow?: readonly string[];
  readonly exclude?: readonly string[];
  readonly persist?: readonly string[];
}

/** Whether a name is a path or an embedded object around it: `name` covers `name.first`. */
export function covers(name: string, path: string): boolean {
  return path === name || (path.length > name.length && path.startsWith(name) && path[name.length] === '.');
}

/** Whether one of several names covers a path. */
export function anyCovers(names: readonly string[] | undefined, path: string): boolean {
  return names !== undefined && names.some((name) => covers(name, path));
}

/** Whether the options leave a path open: not excluded, and allowed where there is a list of what is. */
export function isOpen({ allow, exclude }: Visibility, path: string): boolean {
  return !anyCovers(exclude, path) && (!allow || allow.length === 0 || anyCovers(allow, path));
}

/** Columns that a client may select; the primary key is open unless `exclude` names it or the entity hides it. */
export function selectableColumns(catalog: Catalog, visibility: Visibility): readonly CatalogColumn[] {
  return [...catalog.columns.values()].filter(
    (column) =>
      column.selectable &&
      (isOpen(visibility, column.path) || (column.primary && !anyCovers(visibility.exclude, column.path))),
  );
}
