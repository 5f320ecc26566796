/** Which columns are read, and which of them are not returned. Unknown names select nothing. */
import type { Catalog, CatalogColumn } from './catalog.js';
import type { SourceDraft } from './sources.js';
import { resolveColumn } from './sources.js';
import { anyCovers, selectableColumns, type FieldAccess } from './column-access.js';

/** Columns of one source. */
export interface Projection {
  readonly columns: readonly CatalogColumn[];
  /** Paths that are read only to assemble records. */
  readonly hidden: ReadonlySet<string>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Selects the columns of one source: what is asked for (all that is open if nothing is), what `persist` adds, and the
 * primary key, which is read even if it is hidden.
 */
export function projectColumns(catalog: Catalog, access: FieldAccess, requested: readonly string[] = []): Projection {
  const open = new Set(selectableColumns(catalog, access));
  const { persist, exclude } = access;
  const isSelected = (column: CatalogColumn) => {
    if (open.has(column) && (requested.length === 0 || anyCovers(requested, column.path))) return true;
    return column.selectable && anyCovers(persist, column.path) && !anyCovers(exclude, column.path);
  };
  const columns = [...catalog.columns.values()].filter((column) => column.primary || isSelected(column));
  const hidden = columns.filter((column) => column.primary && !open.has(column)).map(({ path }) => path);

  return { columns, hidden: hidden.length > 0 ? new Set(hidden) : NONE };
}

/** Selects the primary key alone. */
export function projectKey(catalog: Catalog): Projection {
  return { columns: catalog.primary, hidden: NONE };
}

/** Writes a projection into a source. */
export function applyProjection(source: SourceDraft, { columns, hidden }: Projection): void {
  source.columns = columns.map((column) => resolveColumn(source, column));
  source.hidden = hidden;
}
