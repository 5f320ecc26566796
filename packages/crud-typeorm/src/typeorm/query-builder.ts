import type { PlannedSource, ReadPlan } from '@nestwright/crud/adapter';
import {
  type Entity,
  existsSql,
  isToOne,
  listDescendants,
  listPaths,
  listSourceChain,
  makeDraft,
  namedSources,
  outerScope,
  ownConditions,
  Parameters,
  predicateParts,
  type ReadOptions,
  type Sql,
  toManyConditions,
  VALUE,
  type Writing,
} from '@nestwright/sql';
import type { Repository, SelectQueryBuilder } from 'typeorm';
import { rememberSurplus } from './surplus.js';
import { toExecutor } from './database.js';

/**
 * Puts a plan on a builder of the repository. Its aliases are the plan's: the root has the entity's name, a relation
 * its `alias` option or the last segment of its path.
 * `getMany()` and `getManyAndCount()` page root records, whatever is joined.
 */
export function buildQuery<T extends Entity>(
  plan: ReadPlan,
  repo: Repository<T>,
  options: ReadOptions,
): SelectQueryBuilder<T> {
  const writing: Writing = {
    ...makeDraft(plan, toExecutor(repo.manager), options),
    parameters: new Parameters(),
  };
  const scope = outerScope;
  const builder = repo.createQueryBuilder(scope(plan.root));
  // TypeORM adds the condition on soft-deleted root records itself, so that `withDeleted()` on the builder works.
  const parts = predicateParts(writing, scope, []);
  const joins = listJoins(plan, [...parts.named, ...plan.sort.map(({ column }) => column.source)]);
  let pieces = 0;
  const named = (text: string) => nameValues(writing.parameters.toSql(text, { plan }), `plan${pieces++}_`);

  for (const join of joins) {
    const { sql, parameters } = named(writeJoinCondition(writing, join));
    const method = join.required && !join.toMany ? 'innerJoin' : 'leftJoin';

    builder[method](`${scope(join.parent!)}.${join.relation!.path}`, scope(join), sql || undefined, parameters);
  }

  if (plan.withDeleted) builder.withDeleted();

  const { sql, parameters } = named(parts.conditions.join(' AND '));

  selectColumns(builder, plan, joins);

  if (sql) builder.where(sql, parameters);

  orderAndPage(builder, plan);

  return builder;
}

function orderAndPage<T extends Entity>(builder: SelectQueryBuilder<T>, { sort, limit, offset }: ReadPlan): void {
  for (const { column, order } of sort) builder.addOrderBy(`${outerScope(column.source)}.${column.column.path}`, order);

  if (limit !== undefined) builder.take(limit);

  if (offset !== undefined) builder.skip(offset);
}

/** The condition of a join, besides the equality of keys. */
function writeJoinCondition(writing: Writing, join: PlannedSource): string {
  const { plan } = writing;
  const conditions = toManyConditions(plan);
  const on = ownConditions(writing, join, outerScope);

  if (join.toMany && listPaths(namedSources(conditions)).has(join.path)) {
    on.push(
      existsSql(writing, { top: plan.root, conditions, required: [], joined: listSourceChain(join) }, outerScope),
    );
  }

  return on.join(' AND ');
}

/**
 * A piece with parameters by name, for TypeORM's builders.
 *
 * @param prefix The names' beginning; of several pieces in one builder, each has its own.
 */
function nameValues({ text, values }: Sql, prefix: string): { sql: string; parameters: Record<string, unknown> } {
  const [first = '', ...parts] = text.split(VALUE);

  // TypeORM spreads arrays over several placeholders only after `:...`; here an array is one value.
  return {
    sql: first + parts.map((part, index) => `:${prefix}${index}${part}`).join(''),
    parameters: Object.fromEntries(values.map((value, index) => [`${prefix}${index}`, value])),
  };
}

/** Selects what is returned and what is sorted by; notes what records must not show in the end. */
function selectColumns<T extends Entity>(
  builder: SelectQueryBuilder<T>,
  { root, sort }: ReadPlan,
  joins: readonly PlannedSource[],
): void {
  const selected = new Set<string>();
  const surplus: string[][] = [];
  const listRelationPath = (source: PlannedSource) => listSourceChain(source).map(({ relation }) => relation!.path);
  const select = (source: PlannedSource, path: string, leaves: boolean) => {
    const name = `${outerScope(source)}.${path}`;
    if (!selected.has(name) && !leaves) surplus.push([...listRelationPath(source), path]);

    selected.add(name);
  };

  for (const source of [root, ...joins.filter(({ returned }) => returned)])
    source.columns.forEach(({ column }) => select(source, column.path, !source.hidden.has(column.path)));

  // TypeORM pages a query with joins by its order, which must be selected for that.
  for (const { column } of sort) select(column.source, column.column.path, false);

  surplus.push(...sort.flatMap(({ column: { source } }) => (source.returned ? [] : [listRelationPath(source)])));
  builder.select([...selected]);
  rememberSurplus(builder, surplus);
}

/** Sources that are joined: what is returned, required to-one relations, and what condition and order name. */
function listJoins({ root }: ReadPlan, named: readonly PlannedSource[]): PlannedSource[] {
  const all = listDescendants(root);
  const wanted = listPaths([
    ...named,
    ...all.filter((source) => source.returned || (source.required && isToOne(source) && !source.toMany)),
  ]);

  return all.filter(({ path }) => wanted.has(path));
}
