/** A service in, a message per method out that it overrides in the belief that something calls it; a security filter in such a method would be lost in silence. */

/** Methods of nestjsx/crud's service that nothing calls here, and what takes their place. */
const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['setSearchCondition', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setAndWhere', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setOrWhere', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setFilterCondition', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setDefaultSearchCondition', 'query.filter'],
  ['setSearchFieldObjectCondition', 'operators.custom or an override of createBuilder'],
  ['builderSetWhere', 'an override of createBuilder'],
  ['builderAddSelect', 'an override of createBuilder'],
  ['mapOperatorsToQuery', 'operators.custom'],
  ['checkFilterIsArray', 'operators.custom'],
  ['getSelect', 'query.allow, query.exclude, query.persist or an override of createBuilder'],
  ['getAllowedColumns', 'query.allow and query.exclude'],
  ['buildFieldSelect', 'query.allow, query.exclude and query.persist'],
  ['setJoin', 'query.join or an override of createBuilder'],
  ['getRelationMetadata', 'query.join'],
  ['getSort', 'query.sort or an override of createBuilder'],
  ['mapSort', 'query.sort or an override of createBuilder'],
  ['getFieldWithAlias', 'an override of createBuilder'],
  ['onInitMapEntityColumns', 'the entity itself'],
  ['onInitMapRelations', 'the entity itself'],
  ['validateHasColumn', 'query.allow and query.exclude'],
  ['hasColumn', 'query.allow and query.exclude'],
  ['hasRelation', 'query.join'],
  ['checkSqlInjection', 'nothing: names come from the entity alone'],
  ['queryBuilderCallback', 'an override of createBuilder'],
]);

/** Messages for overrides of methods that are not called any more. */
export function legacyOverrides(service: object): string[] {
  return [...REPLACEMENTS]
    .filter(([method]) => typeof (service as Record<string, unknown>)[method] === 'function')
    .map(([method, replacement]) => `${service.constructor.name}.${method} is not called any more; use ${replacement}`);
}
