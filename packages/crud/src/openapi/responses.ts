/** A definition and a route in, every success and error response of the route out; nothing is refused. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { type CrudErrorCode, ERRORS } from '../errors/errors.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { ContentShape, ResponseObject } from './document-types.js';

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

/** Codes that only a route with a body answers with. */
const BODY_CODES: ReadonlySet<CrudErrorCode> = new Set([
  'CRUD_INVALID_BODY',
  'CRUD_EMPTY_BODY',
  'CRUD_OUT_OF_SCOPE',
  'CRUD_NOT_NULL_VIOLATION',
  'CRUD_CHECK_VIOLATION',
  'CRUD_VALUE_OUT_OF_RANGE',
]);

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

  return [success, ...created, ...errors.map((error) => describeFailure(error, modelName, 'body' in ROUTES[route]))];
}

function describeFailure(status: ErrorStatus, model: string, hasBody: boolean): ResponseObject {
  return {
    status,
    description: `${FAILURE[status](model)}. Codes: ${codesOf(status, hasBody)
      .map((code) => `\`${code}\``)
      .join(', ')}`,
    content: 'error',
  };
}

function codesOf(status: ErrorStatus, hasBody: boolean): CrudErrorCode[] {
  return (Object.keys(ERRORS) as CrudErrorCode[]).filter(
    (code) => ERRORS[code].status === status && (hasBody || !BODY_CODES.has(code)),
  );
}

const TRUNCATED = {
  'X-Crud-Truncated': {
    description: 'Present where the list was cut at the default ceiling; ask for pages to see the rest',
    schema: { type: 'string' },
  },
} as const satisfies ResponseObject['headers'];
