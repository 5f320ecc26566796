import type { PlannedSource, ReadPlan } from '@nestwright/crud/adapter';
import type { ObjectLiteral, Repository, SelectQueryBuilder } from 'typeorm';
import { existsSql, ownConditions } from './join.js';
import { Parameters } from './parameters.js';
import { toManyConditions, predicateParts } from './predicate.js';
import { draftOf, type ReadOptions } from './read.js';
import { descendantsOf, isToOne, namedSources, pathsTo, sourcesTo } from './sources.js';
import { rememberSurplus } from './surplus.js';
import { outerScope, type Writing } from './writing.js';

/**
 * Puts a plan on a builder of the repository. Its aliases are the plan's: the root has the entity's name, a relation its `alias` option or the last segment of its path.
 * `getMany()` and `getManyAndCount()` page root records, whatever is joined.
 */
export function buildQuery<T extends ObjectLiteral>(
  plan: ReadPlan,
  repo: Repository<T>,
  options: ReadOptions,
): SelectQueryBuilder<T> {
  const writing: Writing = {
    ...draftOf(plan, repo.manager.queryRunner ?? repo.manager.connection, options),
    parameters: new Parameters(),
  };
  const scope = outerScope;
  const builder = repo.createQueryBuilder(scope(plan.root));
  const named = (text: string) => writing.parameters.named(text, { plan }, 'plan');
  // TypeORM adds the condition on soft-deleted root records itself, so that `withDeleted()` on the builder works.
  const parts = predicateParts(writing, scope, []);
  const sorted = plan.sort.map(({ column }) => column.source);
  const joins = joinsOf(plan, [...parts.named, ...sorted]);
  const conditions = toManyConditions(plan);
  const namedPaths = pathsTo(namedSources(conditions));
  const selected = new Set<string>();
  const surplus: string[][] = [];

  const select = (source: PlannedSource, path: string, leaves: boolean) => {
    const name = `${scope(source)}.${path}`;

    if (!selected.has(name)) {
      selected.add(name);

      if (!leaves) surplus.push([...sourcesTo(source).map(({ relation }) => relation!.path), path]);
    }
  };

  for (const source of [plan.root, ...joins.filter(({ returned }) => returned)])
    source.columns.forEach(({ column }) => select(source, column.path, !source.hidden.has(column.path)));

  // TypeORM pages a query with joins by its order, which must be selected for that.
  plan.sort.forEach(({ column: { source, column } }) => select(source, column.path, false));
  surplus.push(
    ...sorted
      .filter(({ returned }) => !returned)
      .map((source) => sourcesTo(source).map(({ relation }) => relation!.path)),
  );

  for (const join of joins) {
    const on = ownConditions(writing, join, scope);

    if (join.toMany && namedPaths.has(join.path))
      on.push(existsSql(writing, { top: plan.root, conditions, required: [], joined: sourcesTo(join) }, scope));

    const { sql, parameters } = named(on.join(' AND '));
    const method = join.required && !join.toMany ? 'innerJoin' : 'leftJoin';

    builder[method](`${scope(join.parent!)}.${join.relation!.path}`, scope(join), sql || undefined, parameters);
  }

  if (plan.withDeleted) builder.withDeleted();

  const { sql, parameters } = named(parts.conditions.join(' AND '));

  builder.select([...selected]);

  if (sql) builder.where(sql, parameters);

  plan.sort.forEach(({ column: { source, column }, order }) =>
    builder.addOrderBy(`${scope(source)}.${column.path}`, order),
  );

  if (plan.limit !== undefined) builder.take(plan.limit);

  if (plan.offset !== undefined) builder.skip(plan.offset);

  rememberSurplus(builder, surplus);

  return builder;
}

/** Sources that are joined: what is returned, required to-one relations, and what condition and order name. */
function joinsOf({ root }: ReadPlan, named: readonly PlannedSource[]): PlannedSource[] {
  const all = descendantsOf(root);
  const wanted = pathsTo([
    ...named,
    ...all.filter((source) => source.returned || (source.required && isToOne(source) && !source.toMany)),
  ]);

  return all.filter(({ path }) => wanted.has(path));
}
