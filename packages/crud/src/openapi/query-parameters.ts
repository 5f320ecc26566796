/** Which query parameters a route has. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { behaviourOf, type RouteBehaviour, writesByCondition } from '../definition/route-behaviour.js';
import type { Catalog } from '../plan/catalog.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { ofRows } from './aggregate-parameters.js';
import { clientNames } from './client-names.js';
import type { ParameterObject } from './document-types.js';
import type { Context, ParameterKey } from './parameter-context.js';
import { DESCRIPTIONS } from './parameter-descriptions.js';
import { parameterName } from './parameter-schemas.js';

/** A client's own conditions. */
const CONDITIONS = ['search', 'filter', 'or'] as const;
/** Which page of a list. */
const PAGE = ['limit', 'offset', 'page'] as const;

const READ_MANY: readonly ParameterKey[] = [
  'fields',
  ...CONDITIONS,
  'sort',
  'join',
  ...PAGE,
  'cache',
  'includeDeleted',
  'cursor',
  'total',
  'format',
];
const READ_ONE: readonly ParameterKey[] = ['fields', ...CONDITIONS, 'join', 'cache', 'includeDeleted'];
/** A write answers with a record; clients cannot choose which by conditions. */
const RETURNED: readonly ParameterKey[] = ['fields', 'join', 'includeDeleted'];
/** A record that is not read again has no joined relations. */
const SHALLOW: readonly ParameterKey[] = ['fields'];

type ParametersOf = (behaviour: RouteBehaviour) => readonly ParameterKey[];

const ofWritten: ParametersOf = ({ returnShallow }) => (returnShallow ? SHALLOW : RETURNED);
const ofDeleted: ParametersOf = ({ returnDeleted }) => (returnDeleted ? RETURNED : []);
const ofRecovered: ParametersOf = ({ returnRecovered }) => (returnRecovered === false ? [] : RETURNED);

/** The parameters of each route, without those of a condition that it writes by. */
const PARAMETERS: Readonly<Record<BaseRouteName, ParametersOf>> = {
  getManyBase: () => READ_MANY,
  getOneBase: () => READ_ONE,
  createOneBase: ofWritten,
  createManyBase: () => SHALLOW,
  updateOneBase: ofWritten,
  replaceOneBase: ofWritten,
  deleteOneBase: ofDeleted,
  recoverOneBase: ofRecovered,
  countBase: () => [...CONDITIONS, 'includeDeleted'],
  aggregateBase: () => ['groupBy', 'aggregate', 'having', ...CONDITIONS, 'sort', ...PAGE, 'includeDeleted'],
  updateManyBase: ofWritten,
  replaceManyBase: ofWritten,
  deleteManyBase: ofDeleted,
  recoverManyBase: ofRecovered,
};

/** The query parameters of a route. */
export function describeQueryParameters(
  definition: ResourceDefinition,
  route: BaseRouteName,
  catalog: Catalog | undefined,
): ParameterObject[] {
  const { routes } = definition.options;
  const keys = PARAMETERS[route](behaviourOf(routes, route));
  const conditions = writesByCondition(route, routes) ? CONDITIONS : [];
  const described = describeKeys(definition, [...keys, ...conditions], catalog);

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
  const keys = { one: READ_ONE, many: READ_MANY, answer: RETURNED };

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
