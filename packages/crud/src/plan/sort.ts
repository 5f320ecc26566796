import type { QuerySort } from '@nestwright/crud-request';
import { crudError } from '../errors/errors.js';
import type { ColumnKind } from './catalog.js';
import type { PlannedSort, ResolvedColumn } from './read-plan.js';
import { pathOf, resolveColumn, type SourceTree } from './sources.js';

/** Kinds of columns that records cannot be sorted by. */
export const UNORDERED: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['json', 'array', 'binary']);

/**
 * Plans the order of a list: each column once, then what it lacks of the primary key, ascending, so that pages never
 * overlap.
 */
export function planSort(tree: SourceTree, sort: readonly QuerySort[]): PlannedSort[] {
  const planned: PlannedSort[] = [];
  const seen = new Set<string>();
  const add = (column: ResolvedColumn, order: PlannedSort['order']) => {
    const path = pathOf(column);
    if (seen.has(path)) return;
    seen.add(path);
    planned.push({ column, order });
  };

  for (const { field, order } of sort)
    add(sortable(tree.resolve(field)), String(order).toUpperCase() === 'DESC' ? 'DESC' : 'ASC');
  for (const column of tree.root.catalog.primary) add(resolveColumn(tree.root, column), 'ASC');

  return planned;
}

function sortable(column: ResolvedColumn): ResolvedColumn {
  if (!column.source.toMany && !UNORDERED.has(column.column.kind)) return column;

  const field = pathOf(column);
  const reason = column.source.toMany ? 'it may have several values per record' : 'its values have no order';
  throw crudError('CRUD_INVALID_QUERY', { message: `Cannot sort by ${field}: ${reason}`, field });
}
