/** A definition and a route in, every success and error response of the route out; nothing is refused. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type CrudErrorCode, errorBody, ERRORS } from '../errors/errors.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { ContentShape, ExampleObject, ResponseObject } from './document-types.js';

type ErrorStatus = 400 | 404 | 409;

const CONTENT = {
  getManyBase: ({ query }) => (query.alwaysPaginate ? 'page' : 'listOrPage'),
  getOneBase: () => 'record',
  createOneBase: () => 'record',
  createManyBase: () => 'list',
  updateOneBase: () => 'record',
  replaceOneBase: () => 'record',
  deleteOneBase: ({ routes }) => (routes.deleteOneBase?.returnDeleted ? 'record' : undefined),
  recoverOneBase: ({ routes }) => (routes.recoverOneBase?.returnRecovered === false ? undefined : 'record'),
} as const satisfies Record<BaseRouteName, (options: ResourceDefinition['options']) => ContentShape | undefined>;

const SUCCESS = {
  getManyBase: (model) => `The ${model} records that match`,
  getOneBase: (model) => `The ${model}`,
  createOneBase: (model) => `The created ${model}`,
  createManyBase: (model) => `The created ${model} records, in the order sent`,
  updateOneBase: (model) => `The updated ${model}`,
  replaceOneBase: (model) => `The replaced ${model}`,
  deleteOneBase: (model) => `The ${model} is deleted`,
  recoverOneBase: (model) => `The recovered ${model}`,
} as const satisfies Record<BaseRouteName, (model: string) => string>;

const FAILURE = {
  400: () => 'The query, the path or the body is refused',
  404: (model) => `No such ${model}`,
  409: () => 'The request conflicts with stored records',
} as const satisfies Record<ErrorStatus, (model: string) => string>;

const BODY = (route: BaseRouteName) => 'body' in ROUTES[route];
const SINGLE = (route: BaseRouteName) => ROUTES[route].single;

/** Which routes answer with a code, where its status does not say so. */
const ONLY_ON: { readonly [Code in CrudErrorCode]?: (route: BaseRouteName) => boolean } = {
  CRUD_INVALID_PAGINATION: (route) => route === 'getManyBase',
  CRUD_INVALID_BODY: BODY,
  CRUD_EMPTY_BODY: BODY,
  CRUD_OUT_OF_SCOPE: BODY,
  CRUD_NOT_NULL_VIOLATION: BODY,
  CRUD_CHECK_VIOLATION: BODY,
  CRUD_VALUE_OUT_OF_RANGE: BODY,
  CRUD_UNIQUE_VIOLATION: BODY,
  CRUD_STALE_VERSION: SINGLE,
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
} as const satisfies Record<BaseRouteName, readonly CrudErrorCode[]>;

/** The responses of a route, by status. */
export function describeResponses({ modelName, options }: ResourceDefinition, route: BaseRouteName): ResponseObject[] {
  const { status, errors } = ROUTES[route];
  const content = CONTENT[route](options);
  const success: ResponseObject = {
    status,
    description: SUCCESS[route](modelName),
    ...(content && { content }),
    ...(content === 'listOrPage' && { headers: TRUNCATED }),
  };
  const created: ResponseObject[] =
    route === 'replaceOneBase'
      ? [{ status: 201, description: `The ${modelName}, which the request created`, content: 'record' }]
      : [];

  return [success, ...created, ...errors.map((error) => describeFailure(error, modelName, route))];
}

function describeFailure(status: ErrorStatus, model: string, route: BaseRouteName): ResponseObject {
  const codes = codesOf(status, route);
  const shown = status === 400 ? TYPICAL[route] : codes;

  return {
    status,
    description: `${FAILURE[status](model)}. Codes: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    content: 'error',
    examples: Object.fromEntries(shown.map((code) => [code, exampleOf(code, model)])),
  };
}

function exampleOf(code: CrudErrorCode, model: string): ExampleObject {
  const details = code === 'CRUD_NOT_FOUND' ? { message: `${model} not found` } : {};

  return { summary: ERRORS[code].message, value: errorBody(code, details) };
}

function codesOf(status: ErrorStatus, route: BaseRouteName): CrudErrorCode[] {
  return (Object.keys(ERRORS) as CrudErrorCode[]).filter(
    (code) => ERRORS[code].status === status && (ONLY_ON[code]?.(route) ?? true),
  );
}

const TRUNCATED = {
  'X-Crud-Truncated': {
    description: 'Present where the list was cut at the default ceiling; ask for pages to see the rest',
    schema: { type: 'string' },
  },
} as const satisfies ResponseObject['headers'];
