/** The response to a list query that the specification demands: records, order, totals, pages. */
import { every, orderOfTyped, some } from './comparison.js';
import { type Choice, choicesOf, chosenPaths, comparisonsOf, type Condition, type Field } from './condition.js';
import { lastOf, parentOf, relatedTo, truthOf } from './condition.js';
import type { Database } from './differences.js';
import { inReach, type Resource, type Scope, selectedColumns } from './resource.js';
import {
  type Column,
  columnOf,
  type Entry,
  isDeleted,
  type Table,
  tableAt,
  type Value,
  valueOf,
  waysTo,
} from './tables.js';

export interface ListQuery {
  readonly resource: Resource;
  readonly scope: Scope;
  /** The client's condition; undefined where there is none. */
  readonly condition?: Condition;
  /** Relations with the columns asked for; none means all. */
  readonly joins: readonly { readonly relation: string; readonly fields: readonly string[] }[];
  readonly fields: readonly string[];
  readonly sort: readonly { readonly field: Field; readonly descending: boolean }[];
  readonly limit?: number;
  readonly page?: number;
  readonly offset?: number;
  readonly includeDeleted?: 0 | 1;
}

type Json = Record<string, unknown>;
type Numbers = Readonly<Record<'count' | 'total' | 'page' | 'pageCount', number>>;

export interface Answer {
  /** What the response is: a list or the envelope. */
  readonly body: readonly Json[] | ({ readonly data: readonly Json[] } & Numbers);
  /** Number of records that match. */
  readonly total: number;
  /** Number of records that would match without the client's condition. */
  readonly ofAll: number;
}

const DEFAULT_CEILING = 1000;

/** Records with the choices that make them match. */
type Match = { readonly entry: Entry; readonly choices: readonly Choice[] };

export function answer(asked: ListQuery, database: Database): Answer {
  const resource = { ...asked.resource, table: inReach(asked.resource.table, asked.scope.reach) };
  const query = { ...asked, resource };
  const { scope, condition } = query;
  const withDeleted = resource.softDelete === true && query.includeDeleted === 1;
  const required = new Set([...joinedPaths(query)].filter((path) => resource.joins[path]?.required));
  const compared = condition ? comparisonsOf(condition).map(({ field }) => field.relation) : [];
  const paths = chosenPaths([...compared, ...required]);
  const admitted = resource.table.entries.filter(
    (entry) =>
      (withDeleted || !isDeleted(resource.table, entry)) &&
      (scope.admits?.(entry) ?? true) &&
      (resource.filter?.(entry) ?? true),
  );
  const matching = (wanted: Condition | undefined): Match[] =>
    admitted.flatMap((entry) => {
      const offered = choicesOf(resource.table, entry, paths, { withDeleted, required });
      const holds = (choice: Choice) => (wanted ? truthOf(wanted, choice, database) : every([]));
      const choices = offered.filter((choice) => some([scope.widens?.(entry) ?? false, holds(choice)]) === true);
      return choices.length > 0 ? [{ entry, choices }] : [];
    });

  const matches = matching(condition);
  const total = matches.length;
  const sorted = [...matches].sort((left, right) => orderOf(query, left.entry, right.entry, withDeleted, database));
  const { size, skip, enveloped } = pagingOf(query);
  const data = sorted.slice(skip, skip + size).map((match) => print(query, match, paths, withDeleted, database));
  const [page, pageCount] = [Math.floor(skip / size) + 1, Math.ceil(total / size)];
  const body = enveloped ? { data, count: data.length, total, page, pageCount } : data;
  return { body, total, ofAll: matching(undefined).length };
}

function pagingOf({ resource, limit, page, offset }: ListQuery): { size: number; skip: number; enveloped: boolean } {
  const ceiling = resource.maxLimit ?? Math.max(resource.limit ?? 0, DEFAULT_CEILING);
  const size = Math.min(limit ?? resource.limit ?? ceiling, ceiling);
  const skip = page === undefined ? (offset ?? 0) : (page - 1) * size;
  return { size, skip, enveloped: resource.alwaysPaginate === true || page !== undefined || offset !== undefined };
}

/** The order of two records: the request's sort or the resource's, ties broken by the key. */
function orderOf(query: ListQuery, left: Entry, right: Entry, withDeleted: boolean, database: Database): number {
  const { table, sort: ownSort = [] } = query.resource;
  const own = ({ path, descending }: { path: string; descending: boolean }) => ({
    field: { column: columnOf(table, path), relation: '' },
    descending,
  });
  const keys = table.key.map((path) => own({ path, descending: false }));
  for (const { field, descending } of [...(query.sort.length > 0 ? query.sort : ownSort.map(own)), ...keys]) {
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
  const { nulls, enumOrder } = database.differences;
  if (left === null || right === null) return left === right ? 0 : (left === null) === (nulls === 'last') ? 1 : -1;
  if (column.type === 'text') return database.order('text', String(left), String(right));
  if (column.type !== 'enum' || enumOrder !== 'as declared') return orderOfTyped(column, left, right, database);
  const { members = [] } = column;
  return members.indexOf(String(left)) - members.indexOf(String(right));
}

/** Paths that are joined by request or eagerly, with those that lead to them. */
function joinedPaths({ resource, joins }: ListQuery): Set<string> {
  const eager = Object.keys(resource.joins).filter((path) => resource.joins[path]?.eager);
  return new Set([...eager, ...joins.map(({ relation }) => relation)].flatMap(waysTo));
}

function print(
  query: ListQuery,
  { entry, choices }: Match,
  chosen: readonly string[],
  withDeleted: boolean,
  database: Database,
): Json {
  // prettier-ignore
  const { resource } = query;
  const { table } = resource;
  const joined = [...joinedPaths(query)].filter((path) => resource.joins[path]?.select !== false);
  const printAt = (path: string, record: Entry, still: readonly Choice[]): Json => {
    const here = tableAt(table, path);
    const columns = path === '' ? selectedColumns(resource, table, query.fields) : joinedColumns(query, here, path);
    const json = printColumns(here, record, columns, database);
    for (const child of joined.filter((candidate) => parentOf(candidate) === path)) {
      const { many } = here.relations.find(({ name }) => name === lastOf(child)) ?? { many: false };
      const related = relatedTo(table, record, child, { withDeleted }).flatMap((next) => {
        const left = chosen.includes(child) ? still.filter((choice) => choice.get(child) === next) : still;
        // A to-one record is there whatever was chosen: there is no other choice.
        return left.length > 0 || !many ? [printAt(child, next, left)] : [];
      });
      json[lastOf(child)] = many ? related : (related[0] ?? null);
    }
    return json;
  };
  return printAt('', entry, choices);
}

/** Repeated joins of one relation are merged: all fields where one names none. */
function joinedColumns({ resource, joins }: ListQuery, table: Table, path: string): Set<string> {
  const asked = joins.filter(({ relation }) => relation === path);
  const fields = asked.some((join) => join.fields.length === 0) ? [] : asked.flatMap((join) => join.fields);
  const rule = resource.joins[path];
  // A relation that no rule names leads on with nothing but its key.
  return rule ? selectedColumns(rule, table, fields) : new Set(table.key);
}

function printColumns(table: Table, entry: Entry, columns: ReadonlySet<string>, database: Database): Json {
  const json: Json = {};
  for (const path of columns) {
    const names = path.split('.');
    let object = json;
    for (const name of names.slice(0, -1)) object = (object[name] ??= {}) as Json;
    object[names.at(-1)!] = printValue(columnOf(table, path), valueOf(entry, path), database);
  }
  return json;
}

/** What JSON shows of a stored value. */
function printValue({ type, raw }: Column, value: Value, { differences }: Database): unknown {
  if (value === null) return null;
  if (type === 'bigint') return String(value);
  if (type === 'datetime') return new Date(value as number).toISOString();
  return type === 'decimal' && raw && differences.decimals !== 'a number' ? (value as number).toFixed(2) : value;
}
