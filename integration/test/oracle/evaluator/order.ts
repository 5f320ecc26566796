/** The order of two records in a list: the request's sort or the resource's, ties broken by the key. */
import { choicesOf, chosenPaths } from './choices.js';
import { orderOfTyped } from './comparison.js';
import type { Field } from './condition.js';
import type { Database } from './differences.js';
import type { ListQuery } from './list.js';
import { type Column, columnOf, type Entry, type Value, valueOf } from './tables.js';

interface SortKey {
  readonly column: Column;
  readonly relation: string;
  readonly descending: boolean;
}

export function orderOf(query: ListQuery, left: Entry, right: Entry, withDeleted: boolean, database: Database): number {
  for (const { column, relation, descending } of sortKeys(query)) {
    const read = (entry: Entry): Value => valueOf(toOne(query, entry, relation, withDeleted), column.path);
    const order = orderOfValues(column, read(left), read(right), database);
    if (order !== 0) return descending ? -order : order;
  }

  return 0;
}

function sortKeys({ resource: { table, sort = [] }, sort: asked }: ListQuery): SortKey[] {
  const own = (path: string, descending: boolean): SortKey => ({
    column: columnOf(table, path),
    relation: '',
    descending,
  });
  const chosen =
    asked.length > 0
      ? asked.map(({ field: { column, relation }, descending }: { field: Field; descending: boolean }) => ({
          column,
          relation,
          descending,
        }))
      : sort.map(({ path, descending }) => own(path, descending));

  return [...chosen, ...table.key.map((path) => own(path, false))];
}

/** The record at the end of a path of to-one relations. */
function toOne(
  { resource: { table } }: ListQuery,
  entry: Entry,
  relation: string,
  withDeleted: boolean,
): Entry | undefined {
  const [choice] = choicesOf(table, entry, chosenPaths([relation]), { withDeleted, required: new Set() });

  return choice?.get(relation);
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
