/**
 * Tables of old names: packages, exports and members of nestjsx/crud, @dataui/crud and @rewiko/crud, and what replaces
 * each.
 */

const DOCS = 'https://github.com/nestwright/nestwright/blob/main/docs/';

/** The address of a section of the guide: `migration-reads.md#joins`. */
export function guide(section: string): string {
  return DOCS + section;
}

/** The part of a package's name that says what it is. */
export type Part = 'crud' | 'crud-request' | 'crud-typeorm' | 'util';

/** Packages that are left behind, and what each is. */
export const OLD_PACKAGES: Readonly<Record<string, Part>> = {
  '@nestjsx/crud': 'crud',
  '@nestjsx/crud-request': 'crud-request',
  '@nestjsx/crud-typeorm': 'crud-typeorm',
  '@nestjsx/util': 'util',
  '@dataui/crud': 'crud',
  '@dataui/crud-request': 'crud-request',
  '@dataui/crud-typeorm': 'crud-typeorm',
  '@dataui/crud-util': 'util',
  '@rewiko/crud': 'crud',
  '@rewiko/crud-request': 'crud-request',
  '@rewiko/crud-typeorm': 'crud-typeorm',
  '@rewiko/util': 'util',
};

/** The first old package that a text names, whatever path follows. */
export function findOldPackage(text: string): string | undefined {
  return text.match(/@(?:nestjsx|dataui|rewiko)\/[\w-]+/g)?.find((name) => Object.hasOwn(OLD_PACKAGES, name));
}

/** A module of an old package: the package itself, or a file below it. */
export interface OldModule {
  readonly part: Part;
  readonly isDeep: boolean;
}

/** The old module that a specifier names, if any. */
export function oldModule(specifier: string): OldModule | undefined {
  const [scope, name, ...path] = specifier.split('/');
  const part = OLD_PACKAGES[`${scope}/${name}`];

  return part && { part, isDeep: path.length > 0 };
}

/** Names that files below `lib/` export and no package here does, and what to use instead. */
export const LOST_NAMES: ReadonlyMap<string, string> = new Map([
  ['ApiProperty', 'ApiProperty of @nestjs/swagger'],
  ['CrudBaseInterceptor', 'CrudRequestInterceptor or CrudResponseInterceptor'],
  ['R', 'getAction() and getFeature()'],
  ['SerializeHelper', 'classes of your own in the option serialize'],
  [
    'Swagger',
    'nothing for handlers behind CrudRequestInterceptor, which are described by themselves, and ' +
      'SwaggerModule.createDocument() to read',
  ],
  ['Validation', 'the options validation and dto'],
  ['safeRequire', 'require() in a try block'],
  ['swagger', '@nestjs/swagger itself'],
  ['swaggerConst', '@nestjs/swagger itself'],
  ['swaggerPkgJson', '@nestjs/swagger itself'],
  ['comparisonOperatorsList', 'OPERATORS'],
  ['deprecatedComparisonOperatorsList', 'OPERATORS'],
  ['sortOrdersList', "a list of your own, ['ASC', 'DESC']"],
  ['validateComparisonOperator', 'findOperator()'],
  ['validateCondition', 'RequestQueryBuilder, which checks what it is given'],
  ['validateFields', 'RequestQueryBuilder, which checks what it is given'],
  ['validateJoin', 'RequestQueryBuilder, which checks what it is given'],
  ['validateNumeric', 'a check of your own'],
  ['validateParamOption', 'nothing: options are checked at the start'],
  ['validateSort', 'RequestQueryBuilder, which checks what it is given'],
  ['validateUUID', 'a check of your own'],
]);

/**
 * Methods and fields of services that nothing calls any more, and what takes their place: as in the start-up messages
 * of `@nestwright/crud-typeorm`.
 */
export const LOST_SERVICE_MEMBERS: ReadonlyMap<string, string> = new Map([
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
  ['onInitMapRelations', 'the entity itself'],
  ['validateHasColumn', 'query.allow and query.exclude'],
  ['hasColumn', 'query.allow and query.exclude'],
  ['hasRelation', 'query.join'],
]);

/** Members of services that can be read, not set. */
export const READ_ONLY_SERVICE_MEMBERS: ReadonlyMap<string, string> = new Map([
  ['alias', 'an override of createBuilder; builders name the root after its entity'],
  ['dbName', 'the options of the data source'],
  ['entityType', 'the repository'],
  ['entityColumns', 'query.allow and query.exclude'],
  ['entityColumnsHash', 'the entity itself'],
  ['entityPrimaryColumns', 'params'],
  ['entityHasDeleteColumn', 'query.softDelete'],
]);

/** Verbs of services that upstream's do not have: a method of such a name has another meaning now. */
export const NEW_VERBS = ['countMany', 'updateMany', 'replaceMany', 'deleteMany', 'recoverMany'] as const;

/** Steps of routes factories that nothing calls any more: as in the start-up messages of `@nestwright/crud`. */
export const LOST_FACTORY_STEPS: ReadonlyMap<string, string> = new Map([
  ['mergeOptions', 'the constructor, which may hand other options to super()'],
  ['setResponseModels', 'the option serialize'],
  ['createRoutes', 'create or getRoutesSchema'],
  ['overrideRoutes', 'create'],
  ['enableRoutes', 'create or canCreateRoute'],
  ['overrideParsedBodyDecorator', 'setBaseRouteMeta'],
  ['setRouteArgs', 'setBaseRouteMeta'],
  ['setRouteArgsTypes', 'setBaseRouteMeta'],
  ['setAction', 'actionsMap'],
  ['setSwaggerOperation', 'setDecorators'],
  ['setSwaggerPathParams', 'setDecorators'],
  ['setSwaggerQueryParams', 'setDecorators'],
  ['setSwaggerResponseOk', 'setDecorators'],
  ['routeNameAction', 'actionsMap'],
]);

/** Ranges of the peer dependencies, as in the packages' manifests. */
export const PEER_RANGES: Readonly<Record<string, string>> = {
  '@nestjs/common': '^11.0.0 || ^12.0.0',
  '@nestjs/core': '^11.0.0 || ^12.0.0',
  '@nestjs/event-emitter': '^3.0.0 || ^12.0.0',
  '@nestjs/swagger': '^11.0.0 || ^12.0.0',
  '@nestjs/typeorm': '^11.0.0 || ^12.0.0',
  'class-transformer': '^0.5.1',
  'class-validator': '^0.14.0 || ^0.15.0',
  'reflect-metadata': '^0.2.0',
  rxjs: '^7.8.0',
  typeorm: '^0.3.20 || ^1.0.0',
};

/** Packages that have the version of @nestjs/core. */
const RELEASED_WITH_NEST = ['microservices', 'platform-express', 'platform-fastify', 'testing', 'websockets'];

/** Ranges of all packages that a project must upgrade first. */
export const NEEDED_RANGES: Readonly<Record<string, string>> = {
  ...PEER_RANGES,
  ...Object.fromEntries(RELEASED_WITH_NEST.map((name) => [`@nestjs/${name}`, '^11.0.0 || ^12.0.0'])),
  typescript: '>=5.4.0',
};

/** The same of a project that only has the query builder. */
export const FRONT_END_RANGES: Readonly<Record<string, string>> = { typescript: '>=5.0.0' };
