/** The order of two records in a list: the request's sort or the resource's, ties broken by the key. */
import { orderOfTyped } from './comparison.js';
import { choicesOf, chosenPaths } from './condition.js';
import type { Database } from './differences.js';
import type { ListQuery } from './list.js';
import { type Column, columnOf, type Entry, type Value, valueOf } from './tables.js';

export function orderOf(query: ListQuery, left: Entry, right: Entry, withDeleted: boolean, database: Database): number {
  const { resource, sort } = query;
  const { table } = resource;
  const own = ({ path, descending }: { path: string; descending: boolean }) => ({
    field: { column: columnOf(table, path), relation: '' },
    descending,
  });
  const keys = table.key.map((path) => own({ path, descending: false }));
  const chosen = sort.length > 0 ? sort : (resource.sort ?? []).map(own);

  for (const { field, descending } of [...chosen, ...keys]) {
    const { column, relation } = field;
    /** Of the record at the end of a path of to-one relations. */
    const read = (entry: Entry): Value => {
      const [choice] = choicesOf(table, entry, chosenPaths([relation]), { withDeleted, required: new Set() });
      return valueOf(choice?.get(relation), column.path);
    };
    const order = orderOfValues(column, read(left), read(right), database);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function orderOfValues(column: Column, left: Value, right: Value, database: Database): number {
  if (left === null || right === null) {
    const nullsLast = database.differences.nulls === 'last' ? 1 : -1;
    return left === right ? 0 : left === null ? nullsLast : -nullsLast;
  }
  if (column.type === 'text') return database.order('text', String(left), String(right));
  if (column.type === 'enum' && database.differences.enumOrder === 'as declared') {
    const { members = [] } = column;
    return members.indexOf(String(left)) - members.indexOf(String(right));
  }
  return orderOfTyped(column, left, right, database);
}
