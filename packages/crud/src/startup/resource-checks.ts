/** The checks of a resource: each yields what is wrong with its options, service, overrides or routes factory. */
import { OPERATORS } from '@nestwright/crud-request';
import { aggregatedFields, aggregatedPlace, aggregatesColumns } from '../aggregate/options.js';
import { CHECK_START } from '../constants.js';
import {
  keyParams,
  readAuthOptions,
  readDeclaredOptions,
  type ResourceDefinition,
} from '../definition/resource-definition.js';
import { authMistakes, type OptionMistake, shapeMistakes } from '../definition/option-mistakes.js';
import { writesByCondition } from '../definition/route-behaviour.js';
import { show } from '../definition/wording.js';
import { isStandardSchema } from '../definition/standard-schema.js';
import { authoredMethods, type Constructor, parameterType } from '../nest/metadata.js';
import { CATALOG_CHECKS } from '../plan/catalog-checks.js';
import type { Catalog } from '../plan/catalog.js';
import { isOptional } from '../routes/optional-routes.js';
import { findBodyParameter, generatedRoutes, listOverrides, listParsedBodies } from '../routes/handlers.js';
import { type BaseRouteName, ROUTES, routeNames } from '../routes/route-table.js';
import { makeBodyRules } from '../validation/body-rules.js';
import { formatsWhatIsTransformed } from '../visibility/start-warnings.js';
import { judgeForAnybody } from '../visibility/path-states.js';
import { type CrudResource, readLabel, readService } from './find-resources.js';
import {
  callsRequestHooks,
  hasKeyOnce,
  hasParamsInPath,
  keepsStaticPaths,
  namesParamsOfPath,
} from './controller-checks.js';
import { inheritsByMappedTypes } from './peer-checks.js';
import { findField, getNames } from '../plan/resolve-names.js';
import { makePermissions } from '../request/permissions.js';

type ResourceCheck = (resource: CrudResource) => Iterable<string> | Promise<Iterable<string>>;

/** Methods of nestjsx/crud's routes factory that are not called any more, and what to override instead. */
export const REMOVED_STEPS: ReadonlyMap<string, string> = new Map([
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

/** The checks that need no catalog, in the order in which their mistakes are listed. */
const RESOURCE_CHECKS: readonly ResourceCheck[] = [
  hasService,
  hasParamsInPath,
  namesParamsOfPath,
  hasKeyOnce,
  hasOneKeyForEachRoute,
  hasScopeWithoutKey,
  overridesKnownRoutes,
  usesParsedBodyOnRoutesWithBodies,
  validatesPartialBodies,
  inheritsByMappedTypes,
  keepsBaseHandlers,
  keepsStaticPaths,
  namesNewOperators,
  aggregatesSomething,
  hasTagsToMatch,
  callsRoutesFactory,
  callsRequestHooks,
];

/** Those that do. */
const CHECKS_BY_CATALOG = [
  ...CATALOG_CHECKS,
  aggregatesColumns,
  formatsWhatIsTransformed,
  aggregatesWhatIsShown,
  sortsCursorsByWhatIsShown,
];

/** The catalog of a resource, or why its service has none. */
export interface Described {
  readonly catalog?: Catalog | undefined;
  readonly failure?: string;
}

type Check = () => Iterable<string> | Promise<Iterable<string>>;

/** Every mistake of one resource. What a mistaken option takes part in is not checked. */
export async function startupMistakes(resource: CrudResource, { catalog, failure }: Described): Promise<string[]> {
  const { definition, controller, service } = resource;
  const shape = [...shapeMistakes(readDeclaredOptions(controller)), ...authMistakes(readAuthOptions(controller) ?? {})];
  const checks: Check[] = [
    ...RESOURCE_CHECKS.map((check) => () => check(resource)),
    ...(catalog ? CHECKS_BY_CATALOG.map((check) => () => check(definition, catalog)) : []),
    () => (failure === undefined ? (service?.[CHECK_START]?.(definition) ?? []) : [failure]),
  ];
  const found: string[] = [];
  for (const check of checks) found.push(...(await (shape.length === 0 ? check() : findOtherMistakes(shape, check))));

  return [...shape.map(({ text }) => text), ...found].map((text) => `${readLabel(resource)}: ${text}`);
}

/** The mistakes that a check finds in other options than the mistaken ones. */
async function findOtherMistakes(mistaken: readonly OptionMistake[], check: Check): Promise<string[]> {
  try {
    return [...(await check())].filter((text) => !mistaken.some(({ option }) => text.includes(option)));
  } catch {
    // It reads a mistaken option, which is reported already.
    return [];
  }
}

function* hasService({ controller, instance, service, definition }: CrudResource): Generator<string> {
  // No instance could be created, so nothing can be checked.
  if (!service && !instance) return;
  if (!service || (instance && !readService(instance))) {
    // The application's own handlers need no service, or have it under another name.
    if (generatedRoutes(controller, definition.routes).length === 0) return;
    const found = instance && 'service' in instance ? show(instance.service) : 'missing';
    yield `the public property service is ${found}, but must be a CrudService (constructor(public service: …))`;

    return;
  }

  for (const route of routeNames()) {
    const { verb, verbByCondition } = ROUTES[route];

    if (definition.routes.has(route) && typeof service[verb] !== 'function')
      yield `service has no method ${verb}, which the route ${route} calls`;

    const isMissing = typeof service[verbByCondition as 'updateMatching'] !== 'function';
    if (writesByCondition(route, definition.options.routes) && definition.routes.has(route) && isMissing)
      yield `service has no method ${verbByCondition}, which ${route} calls since routes.${route}.byCondition is true`;
  }
}

// Without a key in the path, list and single-record routes of one method would collide.
function* hasOneKeyForEachRoute({ definition }: CrudResource): Generator<string> {
  if (isKeyless(definition) && definition.routes.has('getManyBase') && definition.routes.has('getOneBase')) {
    yield (
      'routes has getManyBase and getOneBase, but without a primary parameter both are GET on the same path: ' +
      'name one of them in routes.only'
    );
  }
}

function* hasScopeWithoutKey({ definition }: CrudResource): Generator<string> {
  const single = [...definition.routes].filter((route) => ROUTES[route].single);

  if (isKeyless(definition) && single.length > 0 && !definition.auth?.filter) {
    yield (
      `params has no primary parameter, so that ${single.join(', ')} cannot tell which record is meant: add ` +
      '@CrudAuth({ filter })'
    );
  }
}

function isKeyless({ options }: ResourceDefinition): boolean {
  return keyParams(options.params).length === 0;
}

function* overridesKnownRoutes({ controller }: CrudResource): Generator<string> {
  const seen = new Map<string, string>();

  for (const { method, name } of listOverrides(controller)) {
    const other = seen.get(name);

    if (!Object.hasOwn(ROUTES, name))
      yield `@Override() on ${method} means ${show(name)}, but must be one of ${Object.keys(ROUTES).join(', ')}`;
    else if (other !== undefined) yield `@Override() on ${method} means ${name}, which ${other} overrides already`;

    seen.set(name, method);
  }
}

function* usesParsedBodyOnRoutesWithBodies({ controller }: CrudResource): Generator<string> {
  const overriding = new Map(listOverrides(controller).map(({ method, name }) => [method, name]));

  for (const method of listParsedBodies(controller)) {
    const route = overriding.get(method);

    if (route === undefined) yield `@ParsedBody() stands on ${method}, but means something only under @Override()`;
    else if (Object.hasOwn(ROUTES, route) && !('body' in ROUTES[route as BaseRouteName]))
      yield `@ParsedBody() stands on ${method}, but ${route} has no body`;
  }
}

// A class has validation groups; a schema of the model would refuse partial bodies.
function* validatesPartialBodies({ definition, controller }: CrudResource): Generator<string> {
  const { model, routes } = definition;
  if (!isStandardSchema(model)) return;

  for (const route of ['updateOneBase', 'replaceOneBase'] as const) {
    const { validation, mode, isModel } = makeBodyRules(definition, route, findDeclaredBody(controller, route))!;

    if (routes.has(route) && validation !== false && mode === 'update' && isModel) {
      yield (
        `model.type is ${model.name}, a Standard Schema, which cannot validate the partial bodies of ${route}: ` +
        'name dto.update'
      );
    }
  }
}

/** Class of the body parameter of a method that overrides a route. */
function findDeclaredBody(controller: Constructor, route: BaseRouteName): unknown {
  const method = listOverrides(controller).find(({ name }) => name === route)?.method;
  const index = method === undefined ? undefined : findBodyParameter(controller.prototype, method);

  return index === undefined ? undefined : parameterType(controller.prototype, method!, index);
}

function* keepsBaseHandlers({ controller, definition }: CrudResource): Generator<string> {
  for (const name of authoredMethods(controller)) {
    if (Object.hasOwn(ROUTES, name) && (!isOptional(name) || definition.routes.has(name as BaseRouteName))) {
      yield (
        `the method ${name} hides the generated handler of that name: call it ${name.slice(0, -'Base'.length)} and ` +
        'put @Override() on it'
      );
    }
  }
}

function* namesNewOperators({ definition }: CrudResource): Generator<string> {
  for (const [name, operator] of Object.entries(definition.options.operators.custom ?? {})) {
    const plain = name.replace(/^\$/, '');

    if (Object.hasOwn(OPERATORS, plain)) yield `operators.custom.${name} has the name of a built-in operator`;
    if (typeof (operator as { query?: unknown }).query !== 'function') {
      yield (
        `operators.custom.${name}.query is ${show((operator as { query?: unknown }).query)}, but must be a ` +
        'function'
      );
    }
  }
}

function* hasTagsToMatch({ definition: { options, routes } }: CrudResource): Generator<string> {
  if (options.query.etag === true) return;

  for (const route of routes) {
    const { requireMatch } = (options.routes[route] ?? {}) as { readonly requireMatch?: boolean };

    if (requireMatch) yield `routes.${route}.requireMatch is true, but answers have no tags to match: set query.etag`;
  }
}

function* callsRoutesFactory({ controller }: CrudResource): Generator<string> {
  const { routesFactory } = readDeclaredOptions(controller);
  if (!routesFactory) return;

  for (const [step, replacement] of REMOVED_STEPS) {
    if (step in (routesFactory.prototype as object)) {
      yield (
        `routesFactory is ${routesFactory.name}, which overrides ${step}; nothing calls it here: override ` +
        `${replacement}`
      );
    }
  }
}

/** `routes` asks for aggregates, but nothing says of which fields. */
function* aggregatesSomething({ definition: { options, routes } }: CrudResource): Generator<string> {
  if (routes.has('aggregateBase') && options.query.aggregate === undefined) {
    yield (
      'routes has aggregateBase, but no field may be grouped or computed: list in query.aggregate what clients ' +
      'may group by and compute'
    );
  }
}

/**
 * A field in `query.aggregate` whose values no answer shows as they are stored: groups, least and largest values would
 * show them, counts and sums would reveal something of them.
 */
function* aggregatesWhatIsShown(definition: ResourceDefinition, catalog: Catalog): Generator<string> {
  const permissions = makePermissions(definition.options.query, catalog, judgeForAnybody(definition, catalog));
  for (const { option, field } of aggregatedFields(definition)) {
    if (aggregatedPlace(definition, catalog, field) && !permissions.mayShow(field)) {
      yield (
        `${option}, but responses hide or change ${field}, and an aggregate would reveal its values: remove ` +
        'it, show it in responses, or name it in query.formats if its @Transform() only formats it'
      );
    }
  }
}

/** A default sort by a value that no answer shows as it is stored: cursors would show it. */
function* sortsCursorsByWhatIsShown(definition: ResourceDefinition, catalog: Catalog): Generator<string> {
  const { query } = definition.options;
  if (!query.cursor) return;

  const permissions = makePermissions(query, catalog, judgeForAnybody(definition, catalog));
  for (const { field } of query.sort ?? []) {
    if (findField(getNames(catalog, query), field) && !permissions.mayShow(field))
      yield `query.cursor is true, but a cursor would show ${show(field)} of query.sort, which answers hide or change`;
  }
}
