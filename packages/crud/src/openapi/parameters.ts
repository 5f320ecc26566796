/** The parameters of operations: of paths, of queries, and headers. */
import { RequestMethod } from '@nestjs/common';
import { QUERY_PARAMETERS } from '@nestwright/crud-request';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { readBehaviour, type RouteBehaviour, writesByCondition } from '../definition/route-behaviour.js';
import { listPathParameters } from '../nest/paths.js';
import type { Catalog, ColumnKind } from '../plan/catalog.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { readNames } from './client-names.js';
import { enumMembers, memberSchema } from './value-schemas.js';
import type { ParameterObject, SchemaObject } from './json-schema.js';
import { type Context, DESCRIPTIONS, type ParameterKey, ROW_ORDER } from './parameter-descriptions.js';

type ParamOption = ResourceDefinition['options']['params'][string];

/** The parameters of a path, as documents write it: also those of a module, which a controller does not know. */
export function describePath(
  { modelName, options: { params } }: ResourceDefinition,
  path: string,
  catalog: Catalog | undefined,
): readonly ParameterObject[] {
  return namesInPath(path).map((name) => {
    const option: ParamOption | undefined = Object.hasOwn(params, name) ? params[name] : undefined;
    const field = option?.field ?? name;

    return {
      name,
      required: true,
      in: 'path',
      description: option && !option.disabled ? `${modelName}: \`${field}\`` : `Path parameter \`${name}\``,
      schema: paramSchema(option, catalog?.columns.get(field)?.kind),
    };
  });
}

/** The names of the parameters of a path, as a route is declared (`:id`) or as a document writes it (`{id}`). */
export function namesInPath(path: string): readonly string[] {
  const inBraces = [...path.matchAll(/\{([A-Za-z_]\w*)\}/g)].map(([, name]) => name!);

  return [...new Set([...listPathParameters(path), ...inBraces])];
}

function paramSchema(option: ParamOption | undefined, kind: ColumnKind | undefined): SchemaObject {
  if (option?.enum !== undefined) return memberSchema(enumMembers(option.enum));
  if (option?.type === 'uuid') return { type: 'string', format: 'uuid' };
  if (option?.type !== 'number') return { type: 'string' };

  // A bigint loses digits as a JavaScript number, so clients should send the text that they received.
  return { type: kind === 'integer' ? 'integer' : kind === 'bigint' || kind === 'decimal' ? 'string' : 'number' };
}

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

type SelectParameters = (behaviour: RouteBehaviour) => readonly ParameterKey[];

const writtenParameters: SelectParameters = ({ returnShallow }) => (returnShallow ? SHALLOW : RETURNED);
const deletedParameters: SelectParameters = ({ returnDeleted }) => (returnDeleted ? RETURNED : []);
const recoveredParameters: SelectParameters = ({ returnRecovered }) => (returnRecovered === false ? [] : RETURNED);

/** The parameters of each route, without those of a condition that it writes by. */
const PARAMETERS: Readonly<Record<BaseRouteName, SelectParameters>> = {
  getManyBase: () => READ_MANY,
  getOneBase: () => READ_ONE,
  createOneBase: writtenParameters,
  createManyBase: () => SHALLOW,
  updateOneBase: writtenParameters,
  replaceOneBase: writtenParameters,
  deleteOneBase: deletedParameters,
  recoverOneBase: recoveredParameters,
  countBase: () => [...CONDITIONS, 'includeDeleted'],
  aggregateBase: () => ['groupBy', 'aggregate', 'having', ...CONDITIONS, 'sort', ...PAGE, 'includeDeleted'],
  updateManyBase: writtenParameters,
  replaceManyBase: writtenParameters,
  deleteManyBase: deletedParameters,
  recoverManyBase: recoveredParameters,
};

/** The query parameters of a route. */
export function describeQuery(
  definition: ResourceDefinition,
  route: BaseRouteName,
  catalog: Catalog | undefined,
): readonly ParameterObject[] {
  const { routes } = definition.options;
  const keys = PARAMETERS[route](readBehaviour(routes, route));
  const conditions = writesByCondition(route, routes) ? CONDITIONS : [];

  return describeKeys(definition, [...keys, ...conditions], catalog, route === 'aggregateBase');
}

/** What a handler of the application's own asks for: one record, a list, or nothing but the shape of its answer. */
export type OwnQuery = 'one' | 'many' | 'answer';

/** The query parameters of a handler of the application's own. */
export function describeOwnQuery(
  definition: ResourceDefinition,
  query: OwnQuery,
  catalog: Catalog | undefined,
): readonly ParameterObject[] {
  const keys = { one: READ_ONE, many: READ_MANY, answer: RETURNED };

  return describeKeys(definition, keys[query], catalog);
}

function describeKeys(
  definition: ResourceDefinition,
  keys: readonly ParameterKey[],
  catalog: Catalog | undefined,
  areRows = false,
): readonly ParameterObject[] {
  const { options, language } = definition;
  const context: Context = {
    query: options.query,
    delim: language.delim ?? '||',
    comma: language.delimStr ?? ',',
    custom: Object.keys(options.operators.custom ?? {}),
    names: readNames(definition, catalog),
  };

  return keys
    .filter((key) => isSupported(key, options.query))
    .map((key) => ({
      // The first of its names; the others are accepted, too.
      name: [language.paramNamesMap?.[key] ?? QUERY_PARAMETERS[key].names].flat()[0] ?? key,
      required: false,
      in: 'query',
      ...(areRows && key === 'sort' ? ROW_ORDER : DESCRIPTIONS[key])(context),
    }));
}

/** Whether a resource supports a parameter. */
function isSupported(key: ParameterKey, { softDelete, cursor, export: exports }: Context['query']): boolean {
  if (key === 'includeDeleted') return softDelete === true;
  if (key === 'format') return exports !== undefined;

  return (key !== 'cursor' && key !== 'total') || cursor === true;
}

/** The headers by which requests of a route may depend on entity tags. */
export function describeHeaders({ options, modelName }: ResourceDefinition, route: BaseRouteName): ParameterObject[] {
  if (options.query.etag !== true) return [];

  const { method, tag } = ROUTES[route];
  const isPut = route === 'replaceOneBase';
  const header = (name: string, description: string, required = false): ParameterObject => ({
    ...{ name, in: 'header', required, description },
    schema: { type: 'string' },
  });
  const match = `Entity tags, of which one must be that of the stored ${modelName}; \`*\`: any`;
  const none = 'Entity tags that the client has; `*`: any. It is answered 304 then';
  const absent = `\`*\`: there must be no such ${modelName} yet`;

  return [
    // PUT takes another header in its place.
    ...(isConditionalWrite(route) ? [header('If-Match', match, requiresMatch(options.routes, route) && !isPut)] : []),
    ...(method === RequestMethod.GET && tag ? [header('If-None-Match', none)] : []),
    ...(isPut ? [header('If-None-Match', absent)] : []),
  ];
}

/** Whether a route writes a record if its tag is the one that the request expects. */
export function isConditionalWrite(route: BaseRouteName): boolean {
  const { method, single } = ROUTES[route];

  return single && method !== RequestMethod.GET;
}

/** Whether requests of a route must say which state of the record they mean. */
export function requiresMatch(routes: ResourceDefinition['options']['routes'], route: BaseRouteName): boolean {
  return readBehaviour(routes, route).requireMatch === true;
}
