/** Random list queries for given cells. Values are chosen so that most queries find something, and few find everything. */
import { type Choice, choicesOf, chosenPaths, type Condition, truthOf } from '../evaluator/condition.js';
import type { Database } from '../evaluator/differences.js';
import type { ListQuery } from '../evaluator/list.js';
import { type Resource, selectedColumns, type Visibility } from '../evaluator/resource.js';
import { type Table, tableAt } from '../evaluator/tables.js';
import { type Cell, type ComparableField, isToMany } from './cells.js';
import type { Draws } from './draws.js';
import { operandsOf } from './operands.js';
import { type Compare, conditionOf, fitsFilter, queryString } from './spelling.js';

/** A resource with what of it can be compared. */
export interface Subjects {
  readonly resource: Resource;
  readonly fields: readonly ComparableField[];
  readonly database: Database;
}

/** A query, and how it is said. */
export type SpelledQuery = { readonly query: ListQuery; readonly url: string };

/** A query that compares each of some cells once. */
export function queryFor(subjects: Subjects, cells: readonly Cell[], draws: Draws): SpelledQuery {
  const { resource, database } = subjects;
  const scope = draws.of(resource.scopes);
  const compared = cells.map((cell) => comparable(subjects, cell, draws));
  const relations = compared.map(({ field }) => field.relation);
  const anchor = anchorOf(resource, scope, relations, draws);
  const isWanted = (compare: Compare): boolean => truthOf(compare, anchor, database) === true;
  const compares = draws.oneIn(3) ? compared.map(({ make }) => make(anchor, true)) : [];
  const split = () => ({ filter: compares.filter(isWanted), or: compares.filter((compare) => !isWanted(compare)) });
  const form = compares.length > 0 && compares.every(fitsFilter) ? split() : undefined;
  const condition = form ? conditionOf(form) : build(compared, anchor, database, draws);
  const limit = draws.oneIn(3) ? undefined : 1 + draws.below(12);
  const query: ListQuery = {
    resource,
    scope,
    ...(condition && { condition }),
    joins: joinsOf(resource, draws),
    fields: draws.oneIn(2) ? [] : selection(resource, resource.table, draws),
    sort: sortOf(subjects, draws),
    ...(limit !== undefined && { limit }),
    ...skipOf(resource, limit, draws),
    ...(!draws.oneIn(3) && { includeDeleted: draws.of([0, 1] as const) }),
  };
  const parameters = queryString(query, form, draws);
  return { query, url: `${scope.url}${parameters && '?'}${parameters}` };
}

interface Comparable {
  readonly field: ComparableField;
  /** The comparison, its operands chosen so that it is true, or false, for the anchor where that can be. */
  readonly make: (anchor: Choice, wanted: boolean) => Compare;
}

const TRIES = 8;

function comparable({ fields, database }: Subjects, cell: Cell, draws: Draws): Comparable {
  const field = draws.of(fields.filter(({ type, position }) => type === cell.type && position === cell.position));
  const { operator, fold } = cell;
  const compare = () => ({ operator, fold, operands: operandsOf(cell, field, draws, database) });
  const attempt = (): Compare => ({ kind: 'compare', field, comparison: compare() });
  return {
    field,
    make: (anchor, wanted) => {
      // One in eight is left to chance.
      const attempts = Array.from({ length: draws.oneIn(8) ? 1 : TRIES }, attempt);
      return attempts.find((compare) => truthOf(compare, anchor, database) === wanted) ?? attempts[0]!;
    },
  };
}

type Scope = ListQuery['scope'];

/** A record that the query is to find, with related ones. */
function anchorOf({ table, filter }: Resource, scope: Scope, relations: readonly string[], draws: Draws): Choice {
  const admitted = table.entries.filter((entry) => (scope.admits?.(entry) ?? true) && (filter?.(entry) ?? true));
  const entry = draws.of(admitted.length > 0 ? admitted : table.entries);
  return draws.of(choicesOf(table, entry, chosenPaths(relations), { withDeleted: false, required: new Set() }));
}

/** Puts comparisons together, at any depth, so that the whole is true for the anchor where it can be. */
function build(compared: readonly Comparable[], anchor: Choice, database: Database, draws: Draws) {
  const group = (items: readonly Comparable[], wanted: boolean): Condition => {
    if (draws.oneIn(7)) return { kind: 'not', items: [group(items, !wanted)] };
    if (items.length === 1) return items[0]!.make(anchor, wanted);
    const middle = 1 + draws.below(items.length - 1);
    const parts = draws.below(3) === 0 ? items.map((item) => [item]) : [items.slice(0, middle), items.slice(middle)];
    const conditions = parts.map((part) => group(part, wanted));
    const fulfilled = conditions.every((condition) => truthOf(condition, anchor, database) === wanted);
    const kind = draws.of(fulfilled === wanted ? (['and', 'and', 'or', 'not'] as const) : (['or', 'or', 'or', 'and'] as const)); // prettier-ignore
    if (kind !== 'not') return { kind, items: conditions };
    return { kind, items: [{ kind: wanted ? 'or' : 'and', items: parts.map((part) => group(part, !wanted)) }] };
  };
  return compared.length === 0 ? undefined : group(compared, true);
}

/** Some of the columns that a client may ask for. */
function selection(visibility: Visibility, table: Table, draws: Draws): string[] {
  const selectable = [...selectedColumns({ ...visibility, persist: [] }, table, [])];
  return [...new Set(draws.some(4, () => draws.of(selectable)))];
}

function joinsOf(resource: Resource, draws: Draws): ListQuery['joins'] {
  const paths = Object.keys(resource.joins);
  return draws.some(3, () => {
    const relation = draws.of(paths);
    const table = tableAt(resource.table, relation);
    return { relation, fields: draws.oneIn(3) ? selection(resource.joins[relation]!, table, draws) : [] };
  });
}

function sortOf({ resource, fields }: Subjects, draws: Draws): ListQuery['sort'] {
  const isScalar = ({ type, position }: ComparableField) =>
    type !== 'json' && type !== 'list' && position !== 'JSON path';
  const sortable = fields.filter((field) => isScalar(field) && !isToMany(resource.table, field.relation));
  return draws.some(3, () => ({ field: draws.of(sortable), descending: draws.oneIn(2) }));
}

/** Page or offset; or both, where they say the same. */
function skipOf({ maxLimit }: Resource, limit: number | undefined, draws: Draws): Pick<ListQuery, 'page' | 'offset'> {
  const kind = draws.below(6);
  if (kind <= 2) return {};
  if (kind === 3) return { page: 1 + draws.below(4) };
  if (kind === 4) return { offset: draws.below(16) };
  const page = 1 + draws.below(3);
  return limit !== undefined && limit <= (maxLimit ?? limit) ? { page, offset: (page - 1) * limit } : { page };
}
