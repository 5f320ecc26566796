import type { ResourceDefinition } from '../definition/resource-definition.js';
import { behaviourOf, type RouteBehaviour, writesByCondition } from '../definition/route-behaviour.js';
import { type CrudErrorCode, errorBody, ERRORS } from '../errors/errors.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { conditionFailures, describeTags } from './conditional-requests.js';
import type { ContentShape, ExampleObject, ResponseObject } from './document-types.js';

type ErrorStatus = 400 | 404 | 409 | 412 | 428;

type ContentOf = (behaviour: RouteBehaviour, query: ResourceDefinition['options']['query']) => readonly ContentShape[];

/** What each route answers with; a write by condition also with the number of records that it has affected. */
const CONTENT: Readonly<Record<BaseRouteName, ContentOf>> = {
  getManyBase: (_, { alwaysPaginate, cursor }) => [
    ...(alwaysPaginate ? [] : (['list'] as const)),
    'page',
    ...(cursor ? (['cursorPage'] as const) : []),
  ],
  getOneBase: () => ['record'],
  createOneBase: () => ['record'],
  createManyBase: () => ['list'],
  updateOneBase: () => ['record'],
  replaceOneBase: () => ['record'],
  deleteOneBase: ({ returnDeleted }) => (returnDeleted ? ['record'] : []),
  recoverOneBase: ({ returnRecovered }) => (returnRecovered === false ? [] : ['record']),
  countBase: () => ['count'],
  aggregateBase: (_, { alwaysPaginate }) => (alwaysPaginate ? ['rowPage'] : ['rows', 'rowPage']),
  updateManyBase: () => ['list'],
  replaceManyBase: () => ['list'],
  deleteManyBase: ({ returnDeleted }) => (returnDeleted ? ['list'] : []),
  recoverManyBase: ({ returnRecovered }) => (returnRecovered === false ? [] : ['list']),
};

const SUCCESS = {
  getManyBase: (model) => `The ${model} records that match`,
  getOneBase: (model) => `The ${model}`,
  createOneBase: (model) => `The created ${model}`,
  createManyBase: (model) => `The created ${model} records, in the order sent`,
  updateOneBase: (model) => `The updated ${model}`,
  replaceOneBase: (model) => `The replaced ${model}`,
  deleteOneBase: (model) => `The ${model} is deleted`,
  recoverOneBase: (model) => `The recovered ${model}`,
  countBase: (model) => `How many ${model} records match`,
  aggregateBase: (model) => `What was computed of each group of ${model} records`,
  updateManyBase: (model) => `The updated ${model} records, in the order sent`,
  replaceManyBase: (model) => `The replaced ${model} records, in the order sent`,
  deleteManyBase: (model) => `The ${model} records are deleted`,
  recoverManyBase: (model) => `The recovered ${model} records, in the order sent`,
} as const satisfies Record<BaseRouteName, (model: string) => string>;

type OtherSuccess = Required<Pick<ResponseObject, 'status' | 'description' | 'content'>>;

/** Successes of another status. */
const OTHER_SUCCESSES: {
  readonly [Route in BaseRouteName]?: (model: string, options: ResourceDefinition['options']) => OtherSuccess[];
} = {
  createOneBase: (model, { routes }) =>
    routes.createOneBase?.onConflict
      ? [{ status: 200, description: `The ${model} that was there already, as it was changed`, content: ['record'] }]
      : [],
  createManyBase: (model, { routes }) =>
    routes.createManyBase?.onConflict
      ? [{ status: 200, description: `The ${model} records, which were all there already`, content: ['list'] }]
      : [],
  replaceOneBase: (model) => [
    { status: 201, description: `The ${model}, which the request created`, content: ['record'] },
  ],
  replaceManyBase: (model) => [
    { status: 201, description: `The ${model} records, of which the request created some`, content: ['list'] },
  ],
};

const FAILURE = {
  400: () => 'The query, the path or the body is refused',
  404: (model) => `No such ${model}`,
  409: () => 'The request conflicts with stored records',
  412: (model) => `The ${model} is not the one that the headers expect`,
  428: () => 'The request does not say which state of the record it means',
} as const satisfies Record<ErrorStatus, (model: string) => string>;

const BODY = (route: BaseRouteName) => 'body' in ROUTES[route];
const SINGLE = (route: BaseRouteName) => ROUTES[route].single;

/** Which routes answer with a code, if its status does not say so. */
const ONLY_ON: {
  readonly [Code in CrudErrorCode]?: (route: BaseRouteName, options: ResourceDefinition['options']) => boolean;
} = {
  CRUD_INVALID_CURSOR: (route, { query }) => route === 'getManyBase' && query.cursor === true,
  CRUD_INVALID_PAGINATION: (route, { routes }) =>
    route === 'getManyBase' || route === 'aggregateBase' || writesByCondition(route, routes),
  CRUD_INVALID_BODY: BODY,
  CRUD_EMPTY_BODY: BODY,
  CRUD_CONDITION_REQUIRED: (route, { routes }) => writesByCondition(route, routes),
  CRUD_OUT_OF_SCOPE: BODY,
  CRUD_NOT_NULL_VIOLATION: BODY,
  CRUD_CHECK_VIOLATION: BODY,
  CRUD_VALUE_OUT_OF_RANGE: (route) => BODY(route) || route === 'aggregateBase',
  CRUD_UNIQUE_VIOLATION: BODY,
  CRUD_STALE_VERSION: (route) => SINGLE(route) || route === 'updateManyBase' || route === 'replaceManyBase',
};

/** Codes of status 400 that a route shows an example of: those that clients meet most. */
const TYPICAL = {
  getManyBase: ['CRUD_UNKNOWN_FIELD', 'CRUD_INVALID_VALUE'],
  getOneBase: ['CRUD_INVALID_PARAM', 'CRUD_UNKNOWN_FIELD'],
  createOneBase: ['CRUD_INVALID_BODY', 'CRUD_NOT_NULL_VIOLATION'],
  createManyBase: ['CRUD_INVALID_BODY', 'CRUD_EMPTY_BODY'],
  updateOneBase: ['CRUD_INVALID_BODY', 'CRUD_INVALID_PARAM'],
  replaceOneBase: ['CRUD_INVALID_BODY', 'CRUD_INVALID_PARAM'],
  deleteOneBase: ['CRUD_INVALID_PARAM'],
  recoverOneBase: ['CRUD_INVALID_PARAM'],
  countBase: ['CRUD_UNKNOWN_FIELD', 'CRUD_INVALID_VALUE'],
  aggregateBase: ['CRUD_UNKNOWN_FIELD', 'CRUD_INVALID_QUERY'],
  updateManyBase: ['CRUD_INVALID_BODY', 'CRUD_EMPTY_BODY'],
  replaceManyBase: ['CRUD_INVALID_BODY', 'CRUD_EMPTY_BODY'],
  deleteManyBase: ['CRUD_INVALID_VALUE', 'CRUD_EMPTY_BODY'],
  recoverManyBase: ['CRUD_INVALID_VALUE', 'CRUD_EMPTY_BODY'],
} as const satisfies Record<BaseRouteName, readonly CrudErrorCode[]>;

/** The responses of a route, by status. */
export function describeResponses(definition: ResourceDefinition, route: BaseRouteName): ResponseObject[] {
  const { modelName, options } = definition;
  const { status, errors } = ROUTES[route];
  const content: readonly ContentShape[] = [
    ...CONTENT[route](behaviourOf(options.routes, route), options.query),
    ...(writesByCondition(route, options.routes) ? (['affected'] as const) : []),
  ];
  const tags = describeTags(definition, route);
  const isWholeOrPaged = content.includes('list') && content.includes('page');
  const headers = {
    ...(isWholeOrPaged && { ...TRUNCATED, ...(options.query.links && LINKS) }),
    ...(content.includes('rows') && TRUNCATED),
    ...(content.length > 0 && tags.headers),
  };
  const withHeaders = Object.keys(headers).length > 0 && { headers };
  const success: ResponseObject = {
    status,
    description: SUCCESS[route](modelName),
    ...(content.length > 0 && { content }),
    ...withHeaders,
  };
  const others: ResponseObject[] = (OTHER_SUCCESSES[route]?.(modelName, options) ?? []).map((other) => ({
    ...other,
    ...withHeaders,
  }));

  const failures = [...errors, ...conditionFailures(definition, route)];

  return [
    success,
    ...others,
    ...tags.unchanged,
    ...failures.map((error) => describeFailure(error, modelName, route, options)),
  ];
}

function describeFailure(
  status: ErrorStatus,
  model: string,
  route: BaseRouteName,
  options: ResourceDefinition['options'],
): ResponseObject {
  const codes = codesOf(status, route, options);
  const shown = status === 400 ? TYPICAL[route] : codes;

  return {
    status,
    description: `${FAILURE[status](model)}. Codes: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    content: ['error'],
    examples: Object.fromEntries(shown.map((code) => [code, exampleOf(code, model)])),
  };
}

function exampleOf(code: CrudErrorCode, model: string): ExampleObject {
  const details = code === 'CRUD_NOT_FOUND' ? { message: `${model} not found` } : {};

  return { summary: ERRORS[code].message, value: errorBody(code, details) };
}

function codesOf(status: ErrorStatus, route: BaseRouteName, options: ResourceDefinition['options']): CrudErrorCode[] {
  return (Object.keys(ERRORS) as CrudErrorCode[]).filter(
    (code) => ERRORS[code].status === status && (ONLY_ON[code]?.(route, options) ?? true),
  );
}

const TRUNCATED = {
  'X-Crud-Truncated': {
    description: 'Present where the list was cut at the default ceiling; ask for pages to see the rest',
    schema: { type: 'string' },
  },
} as const satisfies ResponseObject['headers'];

const LINKS = {
  Link: {
    description:
      'Present where the list is read by pages: the addresses of the `first`, `prev`, `next` and `last` one (RFC 8288)',
    schema: { type: 'string' },
  },
} as const satisfies ResponseObject['headers'];
