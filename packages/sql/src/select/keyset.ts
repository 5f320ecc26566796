/** Keyset pagination: the condition after a cursor as branches that an index can serve, merged into one page. */
import { invalidCursor, type PlannedSort, type ReadPlan, type ResolvedColumn } from '@nestwright/crud/adapter';
import type { SortValues } from '../database/dialect.js';
import type { Row, RowFormat } from '../database/rows.js';
import { LIMIT, OFFSET, type ParameterSource } from './parameters.js';
import { whereSql } from './predicate.js';
import type { Selection } from './selection.js';
import { columnSql, type Scope, type Writing } from './writing.js';
import { getColumn, getTable } from '../database/links.js';

/** The parts of a statement that a cursor changes. */
export interface Keyset {
  /** A FROM source that the root's table is joined to; undefined if conditions suffice. */
  readonly from?: (table: string) => string;
  readonly conditions: readonly string[];
  readonly order: string;
}

/** A part of what follows a position. */
interface Branch {
  readonly conditions: readonly string[];
  /** Without columns that are constant in the branch, since not every database then uses the index. */
  readonly order: string;
}

/** What the keyset of a page is made from. */
interface KeysetParts {
  /** The root's table and what conditions and sort need of its relations. */
  readonly from: string;
  readonly conditions: readonly string[];
  readonly order: string;
  readonly aliases: readonly string[];
}

/** Selects the sort values of a plan's records as a cursor holds them; the names of the values. */
export function selectSortValues(writing: Writing, selection: Selection, scope: Scope): readonly string[] {
  const values = writing.dialect.sortValues;
  if (!writing.plan.slice) return [];

  return writing.plan.sort.map(({ column }) =>
    selection.addSql(values.selected(writeSortColumn(writing, column, scope), column.column, getColumn(column.column))),
  );
}

export function printSortValues(
  { dialect }: Pick<Writing, 'dialect'>,
  row: Row,
  names: readonly string[],
  format: RowFormat,
): (string | null)[] {
  const values = dialect.sortValues;

  return names.map((name) => {
    const value = row[format.key(name) as string];

    return value === null || value === undefined ? null : values.printSelected(value);
  });
}

/**
 * Writes the keyset condition of a page. Several branches become a UNION of keys, each sorted and limited to the page
 * size, so that the cost does not grow with the position.
 */
export function writeKeyset(writing: Writing, scope: Scope, parts: KeysetParts): Keyset {
  const { plan, parameters, dialect, database } = writing;
  const branches = writeBranches(writing, scope);
  const [only, ...others] = branches;
  if (!only) return { conditions: parts.conditions, order: parts.order };
  if (others.length === 0) return { conditions: [...parts.conditions, ...only.conditions], order: only.order };
  if (plan.limit === undefined) {
    const any = branches.map(({ conditions }) => `(${conditions.join(' AND ')})`).join(' OR ');

    return { conditions: [...parts.conditions, `(${any})`], order: parts.order };
  }

  const name = (text: string) => database.quote(text);
  const root = scope(plan.root);
  const keys = getTable(plan.root.catalog).primaryColumns.map((column) => columnSql(writing, root, column));
  const selected = keys.map((key, index) => `${key} AS ${name(`k${index}`)}`).join(', ');
  const limit = dialect.page(parameters.mark(LIMIT), undefined);
  const page = freeAlias(parts.aliases);
  const union = branches.map(
    ({ conditions, order }, index) =>
      `SELECT * FROM (SELECT ${selected} FROM ${parts.from}${whereSql([...parts.conditions, ...conditions])} ` +
      `ORDER BY ${order}${limit}) ${name(`b${index}`)}`,
  );
  const on = keys.map((key, index) => `${key} = ${name(page)}.${name(`k${index}`)}`).join(' AND ');

  return {
    from: (table) => `(${union.join(' UNION ALL ')}) ${name(page)} INNER JOIN ${table} ON ${on}`,
    conditions: [],
    order: parts.order,
  };
}

/** The disjoint branches after a position: equal in the first sort columns, greater in the next. */
function writeBranches(writing: Writing, scope: Scope): Branch[] {
  const { plan, dialect, parameters } = writing;
  const from = plan.slice?.from;
  if (!from) return [];

  const values = dialect.sortValues;
  const branches: Branch[] = [];
  const equal: string[] = [];
  const add = (condition: string, fixed: number): void => {
    const free = plan.sort.slice(fixed);
    branches.push({
      conditions: [...equal, condition],
      order: orderSql(writing, free.length > 0 ? free : plan.sort, scope),
    });
  };

  for (const [index, { column, order }] of plan.sort.entries()) {
    const storedColumn = getColumn(column.column);
    const left = values.compared(writeSortColumn(writing, column, scope), column.column, storedColumn);
    const nullsLast = (order === 'ASC') === values.nullsLast;
    const slot = from.slots[index];
    if (slot === undefined) {
      if (!nullsLast) add(`${left} IS NOT NULL`, index);
      equal.push(`${left} IS NULL`);
      continue;
    }

    const right = values.placed(parameters.mark(makeBoundSource(slot, values, column)), column.column, storedColumn);
    const including = from.including && index === plan.sort.length - 1 ? '=' : '';
    add(`${left} ${order === 'ASC' ? '>' : '<'}${including} ${right}`, index);
    if (nullsLast && mayBeNull(column)) add(`${left} IS NULL`, index + 1);
    equal.push(`${left} = ${right}`);
  }

  return branches;
}

// Cached with the statement, so it must not capture the request.
function makeBoundSource(slot: number, values: SortValues, { column }: ResolvedColumn): ParameterSource {
  return ({ plan }) => {
    const bound = values.bound(plan.values[slot] as string, column);
    if (bound === undefined) throw invalidCursor();

    return bound;
  };
}

/** A related record may be missing. */
function mayBeNull({ column, source }: ResolvedColumn): boolean {
  return column.nullable || source.path !== '';
}

function writeSortColumn(writing: Writing, { source, column }: ResolvedColumn, scope: Scope): string {
  return columnSql(writing, scope(source), getColumn(column));
}

function freeAlias(aliases: readonly string[]): string {
  const taken = new Set(aliases.map((alias) => alias.toLowerCase()));
  let alias = 'position';
  while (taken.has(alias)) alias += '_';

  return alias;
}

export function orderSql(writing: Writing, sort: readonly PlannedSort[], scope: Scope): string {
  return sort.map(({ column, order }) => `${writeSortColumn(writing, column, scope)} ${order}`).join(', ');
}

/** ORDER BY, LIMIT and OFFSET of a plan. */
export function orderedPageSql({ plan, dialect, parameters }: Writing, order: string): string {
  const limit = plan.limit === undefined ? undefined : parameters.mark(LIMIT);
  const offset = plan.offset === undefined ? undefined : parameters.mark(OFFSET);

  return (order === '' ? '' : ` ORDER BY ${order}`) + dialect.page(limit, offset);
}

/** The part of a slice that the text depends on. */
export function printSliceShape({ slice }: ReadPlan): string {
  if (!slice?.from) return slice ? 'c' : '';

  return `c${slice.from.including ? '=' : ''}${slice.from.slots.map((slot) => slot ?? 'n').join(',')}`;
}
