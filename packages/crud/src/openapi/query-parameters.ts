/** Which query parameters a route has. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { manyOptions, writesByCondition } from '../definition/route-behaviour.js';
import type { Catalog } from '../plan/catalog.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { ofRows } from './aggregate-parameters.js';
import { clientNames } from './client-names.js';
import type { ParameterObject } from './document-types.js';
import type { Context, ParameterKey } from './parameter-context.js';
import { DESCRIPTIONS } from './parameter-descriptions.js';
import { parameterName } from './parameter-schemas.js';

const READ_ONE = ['fields', 'search', 'filter', 'or', 'join', 'cache', 'includeDeleted'] as const;
/** A write answers with a record; clients cannot choose which by conditions. */
const RETURNED = ['fields', 'join', 'includeDeleted'] as const;
/** A record that is not read again has no joined relations. */
const SHALLOW = ['fields'] as const;

/** The conditions of a list. */
const COUNTED = ['search', 'filter', 'or', 'includeDeleted'] as const;

/** Groups and functions, with conditions, order and page. */
const AGGREGATED = [
  'groupBy',
  'aggregate',
  'having',
  'search',
  'filter',
  'or',
  'sort',
  'limit',
  'offset',
  'page',
  'includeDeleted',
] as const;

/** The parameters of each route. */
const PARAMETERS = {
  getManyBase: () => [
    'fields',
    'search',
    'filter',
    'or',
    'sort',
    'join',
    'limit',
    'offset',
    'page',
    'cache',
    'includeDeleted',
    'cursor',
    'total',
    'format',
  ],
  getOneBase: () => READ_ONE,
  createOneBase: ({ createOneBase }) => (createOneBase?.returnShallow ? SHALLOW : RETURNED),
  createManyBase: () => SHALLOW,
  updateOneBase: ({ updateOneBase }) => (updateOneBase?.returnShallow ? SHALLOW : RETURNED),
  replaceOneBase: ({ replaceOneBase }) => (replaceOneBase?.returnShallow ? SHALLOW : RETURNED),
  deleteOneBase: ({ deleteOneBase }) => (deleteOneBase?.returnDeleted ? RETURNED : []),
  recoverOneBase: ({ recoverOneBase }) => (recoverOneBase?.returnRecovered === false ? [] : RETURNED),
  countBase: () => COUNTED,
  aggregateBase: () => AGGREGATED,
  updateManyBase: (routes) => [
    ...(manyOptions(routes, 'updateManyBase').returnShallow ? SHALLOW : RETURNED),
    ...matching('updateManyBase', routes),
  ],
  replaceManyBase: (routes) => (manyOptions(routes, 'replaceManyBase').returnShallow ? SHALLOW : RETURNED),
  deleteManyBase: (routes) => [
    ...(manyOptions(routes, 'deleteManyBase').returnDeleted ? RETURNED : []),
    ...matching('deleteManyBase', routes),
  ],
  recoverManyBase: (routes) => (manyOptions(routes, 'recoverManyBase').returnRecovered === false ? [] : RETURNED),
} as const satisfies Record<
  BaseRouteName,
  (routes: ResourceDefinition['options']['routes']) => readonly ParameterKey[]
>;

/** The conditions of a write by condition; none for other routes. */
function matching(
  route: BaseRouteName,
  routes: ResourceDefinition['options']['routes'],
): readonly ('search' | 'filter' | 'or')[] {
  return writesByCondition(route, routes) ? ['search', 'filter', 'or'] : [];
}

/** The query parameters of a route. */
export function describeQueryParameters(
  definition: ResourceDefinition,
  route: BaseRouteName,
  catalog: Catalog | undefined,
): ParameterObject[] {
  const described = describeKeys(definition, PARAMETERS[route](definition.options.routes), catalog);

  return route === 'aggregateBase' ? described.map((one) => ofRows(one, definition.language)) : described;
}

/** What a handler of the application's own asks for: one record, a list, or nothing but the shape of its answer. */
export type OwnQuery = 'one' | 'many' | 'answer';

/** The query parameters of a handler of the application's own. */
export function describeOwnQuery(
  definition: ResourceDefinition,
  query: OwnQuery,
  catalog: Catalog | undefined,
): ParameterObject[] {
  const keys = { one: READ_ONE, many: PARAMETERS.getManyBase(), answer: RETURNED };

  return describeKeys(definition, keys[query], catalog);
}

function describeKeys(
  definition: ResourceDefinition,
  keys: readonly ParameterKey[],
  catalog: Catalog | undefined,
): ParameterObject[] {
  const { options, language } = definition;
  const context: Context = {
    query: options.query,
    delim: language.delim ?? '||',
    comma: language.delimStr ?? ',',
    custom: Object.keys(options.operators.custom ?? {}),
    names: clientNames(definition, catalog),
  };

  return keys
    .filter((key) => isSupported(key, options.query))
    .map((key) => ({
      name: parameterName(language, key),
      in: 'query',
      required: false,
      ...DESCRIPTIONS[key](context),
    }));
}

/** Whether a resource supports a parameter. */
function isSupported(key: ParameterKey, { softDelete, cursor, export: exports }: Context['query']): boolean {
  if (key === 'includeDeleted') return softDelete === true;
  if (key === 'format') return exports !== undefined;

  return (key !== 'cursor' && key !== 'total') || cursor === true;
}
