/**
 * The names of a field: by path, by alias, by the last segment where nothing else has that name and the request joins
 * the relation.
 */
import type { Field } from '../evaluator/condition.js';
import type { ListQuery } from '../evaluator/list.js';
import type { Resource } from '../evaluator/resource.js';
import type { Draws } from './draws.js';

export function nameOf(
  { resource, joins }: Pick<ListQuery, 'resource' | 'joins'>,
  { relation, column, keys }: Field,
  draws: Draws,
): string {
  const isJoined = resource.joins[relation]?.eager === true || joins.some((join) => join.relation === relation);
  const names = relation === '' ? [''] : namesOfRelation(resource, relation, isJoined);

  return [draws.of(names), column.path, ...keys].filter((part) => part !== '').join('.');
}

export function joinName(resource: Resource, relation: string, draws: Draws): string {
  return draws.of(namesOfRelation(resource, relation, false));
}

function namesOfRelation({ joins, table }: Resource, relation: string, isJoined: boolean): string[] {
  const last = relation.slice(relation.lastIndexOf('.') + 1);
  const bearers = Object.keys(joins).filter((path) => path.slice(path.lastIndexOf('.') + 1) === last);
  const own = [...table.columns.map(({ path }) => path.split('.')[0]), ...table.relations.map(({ name }) => name)];
  const { alias } = joins[relation] ?? {};

  return [
    relation,
    ...(alias ? [alias] : []),
    ...(isJoined && bearers.length === 1 && !own.includes(last) ? [last] : []),
  ];
}
