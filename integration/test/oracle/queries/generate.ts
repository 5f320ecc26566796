/** Random list queries for given cells. Values are chosen so that most queries find something, and few find everything. */
import fc from 'fast-check';
import { choicesOf, chosenPaths } from '../evaluator/choices.js';
import { type Choice, type Condition, truthOf } from '../evaluator/condition.js';
import type { Database } from '../evaluator/differences.js';
import type { ListQuery } from '../evaluator/list.js';
import type { Resource } from '../evaluator/resource.js';
import { selectedColumns } from '../evaluator/resource.js';
import { tableAt } from '../evaluator/tables.js';
import { type Cell, type ComparableField, isToMany } from './cells.js';
import { Draws } from './draws.js';
import { operandsOf } from './operands.js';
import { type Compare, conditionOf, type FilterForm, fitsFilter, queryString } from './spelling.js';

/** A resource with what of it can be compared. */
export interface Subjects {
  readonly resource: Resource;
  readonly fields: readonly ComparableField[];
  readonly database: Database;
}

/** A query, and how it is said. */
export interface SpelledQuery {
  readonly query: ListQuery;
  readonly url: string;
  readonly cells: readonly Cell[];
}

/** Numbers that a query is made of; they mean something by {@link assemble} alone, so that smaller ones are plainer queries. */
interface Recipe {
  readonly scope: number;
  readonly anchor: readonly number[];
  readonly comparisons: readonly (readonly number[] | undefined)[];
  readonly form: number;
  readonly shape: readonly number[];
  readonly joins: readonly (readonly number[])[];
  readonly fields: readonly number[];
  readonly sort: readonly (readonly number[])[];
  readonly limit: number | undefined;
  readonly skip: readonly [kind: number, by: number];
  readonly includeDeleted: 0 | 1 | undefined;
  readonly style: readonly number[];
}

const MOST = 1000;
const numbers = (maxLength: number, minLength = 0): fc.Arbitrary<number[]> =>
  fc.array(fc.nat(MOST), { minLength, maxLength, size: 'max' });
/** Undefined is generated once in so many times, and what a value shrinks to first. */
const maybe = <T>(inner: fc.Arbitrary<T>, freq = 2) => fc.option(inner, { nil: undefined, freq });
const NEVER = 1_000_000;

/** Queries that compare each of some cells once. */
export function queriesFor(subjects: Subjects, cells: readonly Cell[]): fc.Arbitrary<SpelledQuery> {
  const recipes: fc.Arbitrary<Recipe> = fc.record({
    scope: fc.nat(MOST),
    anchor: numbers(2, 2),
    comparisons: fc.tuple(...cells.map(() => maybe(numbers(24, 24), NEVER))),
    form: fc.nat(2),
    shape: numbers(24, 12),
    joins: fc.array(numbers(5, 1), { maxLength: 3 }),
    fields: fc.oneof(fc.constant([]), numbers(4)),
    sort: fc.array(numbers(2, 2), { maxLength: 3 }),
    limit: maybe(fc.integer({ min: 1, max: 12 })),
    skip: fc.tuple(fc.nat(5), fc.nat(15)),
    includeDeleted: maybe(fc.constantFrom<0 | 1>(1, 0)),
    style: numbers(60, 30),
  });

  return fc.noBias(recipes).map((recipe) => assemble(subjects, cells, recipe));
}

function assemble(subjects: Subjects, cells: readonly Cell[], recipe: Recipe): SpelledQuery {
  const { resource } = subjects;
  const scope = new Draws([recipe.scope]).of(resource.scopes);
  const compared = cells.flatMap((cell, index) => {
    const drawn = recipe.comparisons[index];

    return drawn ? [{ cell, ...comparable(subjects, cell, drawn) }] : [];
  });
  const anchor = anchorOf(
    subjects,
    scope,
    compared.map(({ field }) => field.relation),
    recipe,
  );
  const isWanted = (compare: Compare): boolean => truthOf(compare, anchor, subjects.database) === true;
  const form =
    recipe.form === 2
      ? formOf(
          compared.map(({ make }) => make(anchor, true)),
          isWanted,
        )
      : undefined;
  const condition = form ? conditionOf(form) : build(compared, anchor, subjects.database, new Draws(recipe.shape));
  const query: ListQuery = {
    resource,
    scope,
    ...(condition && { condition }),
    joins: joinsOf(resource, recipe),
    fields: pick([...selectedColumns({ ...resource, persist: [] }, resource.table, [])], recipe.fields),
    sort: sortOf(subjects, recipe),
    ...(recipe.limit !== undefined && { limit: recipe.limit }),
    ...skipOf(resource, recipe),
    ...(recipe.includeDeleted !== undefined && { includeDeleted: recipe.includeDeleted }),
  };
  const parameters = queryString(query, form, new Draws(recipe.style));

  return { query, url: `${scope.url}${parameters && '?'}${parameters}`, cells: compared.map(({ cell }) => cell) };
}

interface Comparable {
  readonly field: ComparableField;
  /** The comparison, its operands chosen so that it is true, or false, for the anchor where that can be. */
  readonly make: (anchor: Choice, wanted: boolean) => Compare;
}

const TRIES = 8;

function comparable({ fields, database }: Subjects, cell: Cell, drawn: readonly number[]): Comparable {
  const candidates = fields.filter(({ type, position }) => type === cell.type && position === cell.position);
  const field = new Draws(drawn).of(candidates);
  const attempt = (turn: number): Compare => {
    const draws = new Draws(drawn.slice(1).map((number) => number + turn * 7));

    return {
      kind: 'compare',
      field,
      comparison: { operator: cell.operator, fold: cell.fold, operands: operandsOf(cell, field, draws, database) },
    };
  };

  return {
    field,
    make: (anchor, wanted) => {
      // One in eight is left to chance.
      const tries = new Draws(drawn.slice(-1)).oneIn(8) ? 1 : TRIES;
      const attempts = Array.from({ length: tries }, (_, turn) => attempt(turn));

      return attempts.find((compare) => truthOf(compare, anchor, database) === wanted) ?? attempts[0]!;
    },
  };
}

/** A record that the query is to find, with related ones. */
function anchorOf(
  { resource }: Subjects,
  scope: ListQuery['scope'],
  relations: readonly string[],
  { anchor }: Recipe,
): Choice {
  const draws = new Draws(anchor);
  const admitted = resource.table.entries.filter(
    (entry) => (scope.admits?.(entry) ?? true) && (resource.filter?.(entry) ?? true),
  );
  const entry = draws.of(admitted.length > 0 ? admitted : resource.table.entries);

  return draws.of(
    choicesOf(resource.table, entry, chosenPaths(relations), { withDeleted: false, required: new Set() }),
  );
}

function formOf(compares: readonly Compare[], isWanted: (compare: Compare) => boolean): FilterForm | undefined {
  if (!compares.every(fitsFilter)) return undefined;

  return { filter: compares.filter(isWanted), or: compares.filter((compare) => !isWanted(compare)) };
}

/** Puts comparisons together, at any depth, so that the whole is true for the anchor where it can be. */
function build(
  compared: readonly Comparable[],
  anchor: Choice,
  database: Database,
  draws: Draws,
): Condition | undefined {
  const group = (items: readonly Comparable[], wanted: boolean): Condition => {
    if (draws.oneIn(7)) return { kind: 'not', items: [group(items, !wanted)] };
    if (items.length === 1) return items[0]!.make(anchor, wanted);
    const middle = 1 + draws.below(items.length - 1);
    const parts = draws.below(3) === 0 ? items.map((item) => [item]) : [items.slice(0, middle), items.slice(middle)];
    const conditions = parts.map((part) => group(part, wanted));
    const fulfilled = conditions.every((condition) => truthOf(condition, anchor, database) === wanted);
    const kind = draws.of(
      fulfilled === wanted ? (['and', 'and', 'or', 'not'] as const) : (['or', 'or', 'or', 'and'] as const),
    );

    return kind === 'not'
      ? { kind, items: [{ kind: wanted ? 'or' : 'and', items: parts.map((part) => group(part, !wanted)) }] }
      : { kind, items: conditions };
  };

  return compared.length === 0 ? undefined : group(compared, true);
}

function pick<T>(choices: readonly T[], drawn: readonly number[]): T[] {
  return choices.length === 0 ? [] : [...new Set(drawn.map((number) => choices[number % choices.length]!))];
}

function joinsOf(resource: Resource, { joins }: Recipe): ListQuery['joins'] {
  const paths = Object.keys(resource.joins);

  return (paths.length === 0 ? [] : joins).map(([first = 0, ...rest]) => {
    const relation = paths[first % paths.length]!;
    const rule = resource.joins[relation]!;
    const selectable = [...selectedColumns({ ...rule, persist: [] }, tableAt(resource.table, relation), [])];

    return { relation, fields: rest.length > 2 ? pick(selectable, rest) : [] };
  });
}

function sortOf({ resource, fields }: Subjects, { sort }: Recipe): ListQuery['sort'] {
  const sortable = fields.filter(
    ({ type, position, relation }) =>
      type !== 'json' && type !== 'list' && position !== 'JSON path' && !isToMany(resource.table, relation),
  );

  return sort.map(([field = 0, direction = 0]) => ({
    field: sortable[field % sortable.length]!,
    descending: direction % 2 === 1,
  }));
}

/** Page or offset; or both, where they say the same. */
function skipOf(resource: Resource, { skip: [kind, by], limit }: Recipe): Pick<ListQuery, 'page' | 'offset'> {
  if (kind <= 2) return {};
  if (kind === 3) return { page: 1 + (by % 4) };
  if (kind === 4) return { offset: by };
  const page = 1 + (by % 3);

  return limit !== undefined && limit <= (resource.maxLimit ?? limit) ? { page, offset: (page - 1) * limit } : { page };
}
