/** The names of a field: by path, by alias, by the last segment where nothing else has that name. */
import type { Field } from '../evaluator/condition.js';
import type { Resource } from '../evaluator/resource.js';
import type { Draws } from './draws.js';

export function nameOf(resource: Resource, { relation, column, keys }: Field, draws: Draws): string {
  const relationPart = relation === '' ? [] : [relationName(resource, relation, draws)];

  return [...relationPart, column.path, ...keys].join('.');
}

export function relationName({ joins, table }: Resource, relation: string, draws: Draws): string {
  const last = relation.slice(relation.lastIndexOf('.') + 1);
  const bearers = Object.keys(joins).filter((path) => path.slice(path.lastIndexOf('.') + 1) === last);
  const own = [...table.columns.map(({ path }) => path.split('.')[0]), ...table.relations.map(({ name }) => name)];
  const { alias } = joins[relation] ?? {};

  return draws.of([
    relation,
    ...(alias ? [alias] : []),
    ...(bearers.length === 1 && !own.includes(last) ? [last] : []),
  ]);
}
