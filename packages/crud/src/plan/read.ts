/** Plans reads: one record, a page, what a write acts on, a record just written, records that a body names. */
import { convertFilterToSearch, OPERATORS, type QuerySort, type SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { crudError } from '../errors.js';
import type { Catalog, CatalogColumn } from './catalog.js';
import { requestToPlan } from './changed-options.js';
import { UNORDERED } from './column-access.js';
import { combine, combineBoth, planCondition } from './condition.js';
import { planJoins } from './joins.js';
import { planComparison } from './operands.js';
import { computeSkip, computeTake } from './paging.js';
import { selectColumns, selectExactly } from './projection.js';
import { readOwnPath } from '../definition/plain-objects.js';
import type { PlannedCondition, PlannedSort, ReadPlan } from './read-plan.js';
import { isOwnEntity, scopedTree } from './relation-scope.js';
import { getNames } from './resolve-names.js';
import { reportUndefined } from './server-mistakes.js';
import { printColumnPath, resolveColumn, SourceTree } from './sources.js';

/** Page size and offset that a service decided on; null for none. */
export interface PagingOverride {
  /** Page size. Default: none. */
  readonly take?: number | null;
  /** Records to skip. Default: none. */
  readonly skip?: number | null;
}

/** A key by property path, or as the record holds it. */
type Key = Readonly<Record<string, unknown>>;

/**
 * Plans GET one and GET many: condition, columns, joins, order, page and cache as the request and the options say.
 *
 * @param paging What the service's `getTake` and `getSkip` answered, so that their overrides win. Default: the rules of
 * `limit`, `page` and `offset`.
 * @example
 * const plan = planRead(request, catalog, 'many');
 */
export function planRead(
  request: CrudRequest,
  catalog: Catalog,
  mode: 'one' | 'many',
  paging: PagingOverride = {},
): ReadPlan {
  const own = requestToPlan(request, catalog);
  const { parsed } = own;
  const tree = scopedTree(own, catalog);
  const { query } = tree.names;
  selectColumns(tree, tree.root, parsed.fields ?? []);
  const where = planWhere(tree, parsed.search);
  planJoins(tree, parsed.join ?? [], true);
  const isPage = mode === 'many';
  const sort = isPage ? planSort(tree, parsed.sort?.length ? parsed.sort : (query.sort ?? [])) : [];
  const cached = typeof query.cache === 'number' && query.cache > 0;

  return finishPlan(tree, where, {
    sort,
    withDeleted: readsDeleted(own, tree),
    ...(isPage && planPage(own, tree, paging)),
    ...(cached && { cache: { duration: query.cache as number, replace: parsed.cache === 0 } }),
  });
}

/**
 * Plans the re-read of a record that was written: by its key, within the request's scope (by default its path), shaped
 * as {@link planRead} shapes one. A `required` join does not hide it, and no cache is asked.
 *
 * @param key The key by property path, or as the record holds it.
 * @example
 * // WHERE id = 7 AND <scope>, with the request's fields and joins
 * const plan = planRecord(request, catalog, { id: 7 });
 */
export function planRecord(request: CrudRequest, catalog: Catalog, key: Key): ReadPlan {
  return planRecords(request, catalog, [key]);
}

/**
 * {@link planRecord} for several records that were written.
 *
 * @example
 * const plan = planRecords(request, catalog, [{ id: 7 }, { id: 8 }]); // WHERE id IN (7, 8) AND <scope>
 */
export function planRecords(request: CrudRequest, catalog: Catalog, keys: readonly Key[]): ReadPlan {
  const own = requestToPlan(request, catalog);
  const { parsed } = own;
  const tree = scopedTree(own, catalog);
  selectColumns(tree, tree.root, parsed.fields ?? []);
  const where = combineBoth(planPrimary(tree, keys), planWhere(tree, scopeOf(own)));
  planJoins(tree, parsed.join ?? [], false);

  return finishPlan(tree, where, { sort: [], withDeleted: readsDeleted(own, tree) });
}

/**
 * Plans which records a write acts on: `parsed.search` and nothing else, the primary key being all that is read.
 * Soft-deleted records are left out unless `withDeleted` says otherwise, whatever the client asks to include.
 *
 * @example
 * const plan = planScope(request, catalog, { withDeleted: true }); // for recover
 */
export function planScope(
  request: CrudRequest,
  catalog: Catalog,
  { withDeleted = false }: { withDeleted?: boolean } = {},
): ReadPlan {
  const tree = scopedTree(requestToPlan(request, catalog), catalog);
  selectExactly(tree.root, catalog.primary);

  return finishPlan(tree, planWhere(tree, request.parsed.search), { sort: [], withDeleted });
}

/**
 * Plans whether a record with some key is among those that the request may know of, soft-deleted ones included; its key
 * alone is read.
 *
 * @example
 * const [known] = await read(planKnown(request, catalog, { id: 7 }));
 */
export function planKnown(request: CrudRequest, catalog: Catalog, key: Key): ReadPlan {
  const { search } = request.parsed;
  const tree = scopedTree(requestToPlan(request, catalog), catalog);
  selectExactly(tree.root, catalog.primary);
  const where = combineBoth(
    planPrimary(tree, [key]),
    planWhere(tree, { $and: [scopeOf(request), ...(search ? [search] : [])] }),
  );

  return finishPlan(tree, where, { sort: [], withDeleted: true });
}

/** Records of one entity that must satisfy a condition. */
export interface ReachQuestion {
  /** The resource's entity: conditions on its own records may use the short names of its options. */
  readonly root: Catalog;
  /** The entity of the records. */
  readonly target: Catalog;
  /** What they must satisfy. */
  readonly condition: SCondition;
  /** What the records are named by. */
  readonly columns: readonly CatalogColumn[];
  /** Values of {@link columns}, record by record; at least one record. */
  readonly keys: readonly (readonly unknown[])[];
}

/**
 * Plans which of some records satisfy a condition: {@link ReachQuestion.columns} are read, and the date of deletion,
 * since soft-deleted records are found too. Found records are locked until the transaction ends.
 *
 * @example
 * const condition = { tenant: 'acme' };
 * planReach(request, { root: tasks, target: users, condition, columns: users.primary, keys: [[1], [2]] });
 */
export function planReach({ options }: CrudRequest, question: ReachQuestion): ReadPlan {
  const { root, target, condition, columns, keys } = question;
  const names = getNames(target, isOwnEntity(root, target) ? options?.query : undefined);
  const tree = new SourceTree(names, options?.operators?.custom);
  selectExactly(tree.root, [...new Set([...columns, ...(target.deleteDate ? [target.deleteDate] : [])])]);
  const inReach = planCondition(condition, tree, (name) => tree.resolve(name));

  return finishPlan(tree, combineBoth(inReach, planKeys(tree, columns, keys)), {
    sort: [],
    withDeleted: true,
    locked: true,
  });
}

/**
 * The condition that stored records must satisfy: the request's scope, by default its path parameters.
 *
 * @example
 * scopeOf(request); // { $and: [{ companyId: { $eq: 1 } }, { ownerId: 7 }] }
 */
export function scopeOf({ scope, parsed }: CrudRequest): SCondition {
  return scope ?? { $and: (parsed.paramsFilter ?? []).map(convertFilterToSearch) };
}

/** Plans a condition of which a client may see less than the application. */
export function planWhere(tree: SourceTree, search: SCondition | undefined): PlannedCondition | undefined {
  return planCondition(search, tree, (name, author) =>
    author === 'client' ? tree.resolve(name) : tree.resolveTrusted(name),
  );
}

/** One of several primary keys. */
function planPrimary(tree: SourceTree, keys: readonly Key[]): PlannedCondition {
  const { primary } = tree.names.root;
  const readPart = (key: Key, path: string) => (Object.hasOwn(key, path) ? key[path] : readOwnPath(key, path));

  return planKeys(
    tree,
    primary,
    keys.map((key) => primary.map(({ path }) => readPart(key, path))),
  );
}

/** One of several keys; a list if the key is one column and there are several. */
function planKeys(
  tree: SourceTree,
  columns: readonly CatalogColumn[],
  keys: readonly (readonly unknown[])[],
): PlannedCondition {
  const [only] = columns;
  if (only && columns.length === 1 && keys.length > 1) {
    const values = keys.map(([value]) => value);
    const missing = values.filter((value) => value === undefined || value === null);
    return planPart(tree, only, 'in', missing.length > 0 ? missing[0] : values);
  }

  const planKey = (key: readonly unknown[]) => columns.map((column, index) => planPart(tree, column, 'eq', key[index]));

  return combine(
    'or',
    keys.map((key) => combine('and', planKey(key))),
  );
}

function planPart(tree: SourceTree, column: CatalogColumn, name: 'eq' | 'in', value: unknown): PlannedCondition {
  const { root, values } = tree;
  if (value === undefined) reportUndefined(root.catalog.model, column.path);
  if (value === undefined || value === null) return { kind: 'constant', value: 'unknown' };
  const shape = { kind: 'comparison', operator: OPERATORS[name], fold: false } as const;
  const resolved = resolveColumn(root, column);

  // Clients have no operator for bytes, but keys are compared.
  return column.kind === 'binary'
    ? { ...shape, column: resolved, as: 'column', slot: values.push(value) - 1 }
    : planComparison({ ...shape, field: column.path, value }, resolved, values);
}

/**
 * Plans the order of a list: each column once, then what it lacks of the primary key, ascending, so that pages never
 * overlap.
 */
function planSort(tree: SourceTree, sort: readonly QuerySort[]): PlannedSort[] {
  const planned = new Map<string, PlannedSort>();
  for (const { field, order } of sort) {
    const column = tree.resolve(field);
    const path = printColumnPath(column);
    const { toMany } = column.source;
    if (toMany || UNORDERED.has(column.column.kind)) {
      const reason = toMany ? 'it may have several values per record' : 'its values have no order';
      throw crudError('CRUD_INVALID_QUERY', { message: `Cannot sort by ${path}: ${reason}`, field: path });
    }
    if (!planned.has(path))
      planned.set(path, { column, order: String(order).toUpperCase() === 'DESC' ? 'DESC' : 'ASC' });
  }
  for (const column of tree.names.root.primary)
    if (!planned.has(column.path)) planned.set(column.path, { column: resolveColumn(tree.root, column), order: 'ASC' });

  return [...planned.values()];
}

function planPage({ parsed }: CrudRequest, { names }: SourceTree, { take, skip }: PagingOverride): Partial<ReadPlan> {
  const limit = take === undefined ? computeTake(parsed, names.query) : take;
  const offset = skip === undefined ? computeSkip(parsed, limit) : skip;

  return { ...(limit !== null && { limit }), ...(offset && { offset }) };
}

function readsDeleted({ parsed }: CrudRequest, { names }: SourceTree): boolean {
  return parsed.includeDeleted === 1 && names.query.softDelete === true;
}

function finishPlan(
  tree: SourceTree,
  where: PlannedCondition | undefined,
  rest: Omit<ReadPlan, 'root' | 'where' | 'values'>,
): ReadPlan {
  tree.sort();

  return Object.freeze({ root: tree.root, values: tree.values, ...(where && { where }), ...rest });
}
