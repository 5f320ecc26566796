/**
 * Finds overrides of nestjsx/crud's members that are not called any more: a security filter in one of them would be
 * lost silently.
 */

/** Members of nestjsx/crud's and @dataui/crud's services that do not exist here, and their replacements. */
export const REPLACEMENTS: ReadonlyMap<string, string> = new Map([
  ['setSearchCondition', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setAndWhere', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setOrWhere', 'query.filter, @CrudAuth or an override of createBuilder'],
  ['setSearchFieldObjectCondition', 'operators.custom or an override of createBuilder'],
  ['builderSetWhere', 'an override of createBuilder'],
  ['builderAddBrackets', 'an override of createBuilder'],
  ['mapOperatorsToQuery', 'operators.custom'],
  ['checkFilterIsArray', 'operators.custom'],
  ['getSelect', 'query.allow, query.exclude, query.persist or an override of createBuilder'],
  ['getAllowedColumns', 'query.allow and query.exclude'],
  ['getEntityColumns', 'query.allow, query.exclude and query.join'],
  ['setJoin', 'query.join or an override of createBuilder'],
  ['getRelationMetadata', 'query.join'],
  ['getSort', 'query.sort or an override of createBuilder'],
  ['mapSort', 'query.sort or an override of createBuilder'],
  ['getFieldWithAlias', 'an override of createBuilder'],
  ['getPrimaryParam', 'an override of getPrimaryParams'],
  ['onInitMapEntityColumns', 'the entity itself'],
  ['checkSqlInjection', 'nothing: names come from the entity alone'],
  ['sqlInjectionRegEx', 'nothing: names come from the entity alone'],
  ['entityRelationsHash', 'query.join, or this.repo.metadata.relations to read'],
  // Of versions before 4.6.
  ['onInitMapRelations', 'the entity itself'],
  ['validateHasColumn', 'query.allow and query.exclude'],
  ['hasColumn', 'query.allow and query.exclude'],
  ['hasRelation', 'query.join'],
]);

/** Members that services may read, but that the library never reads, so that overriding them has no effect. */
export const READ_ONLY: ReadonlyMap<string, string> = new Map([
  ['alias', 'an override of createBuilder; builders name the root after its entity'],
  ['dbName', 'the options of the data source'],
  ['entityType', 'the repository'],
  ['entityColumns', 'query.allow and query.exclude'],
  ['entityColumnsHash', 'the entity itself'],
  ['entityPrimaryColumns', 'params'],
  ['entityHasDeleteColumn', 'query.softDelete'],
]);

/**
 * Messages for overrides of members that are not called any more.
 *
 * @param own The prototype that declares {@link READ_ONLY}.
 */
export function legacyOverrides(service: object, own: object): string[] {
  const lost = [...REPLACEMENTS].filter(([member]) => member in service);
  const unread = [...READ_ONLY].filter(([member]) => findOwner(service, member) !== own);

  return [...lost, ...unread].map(
    ([member, replacement]) => `${service.constructor.name}.${member} is not called any more; use ${replacement}`,
  );
}

/** The object in a service's prototype chain that declares a member. */
function findOwner(service: object, member: string): object | null {
  let owner: object | null = service;
  while (owner && !Object.hasOwn(owner, member)) owner = Object.getPrototypeOf(owner) as object | null;

  return owner;
}
