import { RequestMethod } from '@nestjs/common';
import { CONTENT_TYPES } from '../export/format.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { isManyRoute, readBehaviour, type RouteBehaviour, writesByCondition } from '../definition/route-behaviour.js';
import type { ExportFormat } from '../definition/query-options.js';
import { type CrudErrorCode, errorBody, ERRORS } from '../errors.js';
import { type BaseRouteName, type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import type { DescribedRoute } from './handlers.js';
import { isConditionalWrite, requiresMatch } from './parameters.js';
import {
  type Content,
  describeContent,
  type ExampleObject,
  objectSchema,
  type ResponseObject,
  type SchemaObject,
} from './json-schema.js';
import { ownEnvelope } from './record-shapes.js';

/** What a body is: a record, records, a page of them, an error, or what a schema says. */
export type ContentShape = 'record' | 'list' | 'page' | 'cursorPage' | 'error' | SchemaObject;

type ContentOf = (
  behaviour: RouteBehaviour,
  query: ResourceDefinition['options']['query'],
  definition: ResourceDefinition,
) => readonly ContentShape[];

const COUNT = objectSchema({ count: { type: 'integer', minimum: 0 } });

const AFFECTED = objectSchema(
  { affected: { type: 'integer', minimum: 0 } },
  { description: 'The answer to a condition: how many records it matched, which were written' },
);

const ROWS: SchemaObject = {
  type: 'array',
  description: 'A row per group; its keys are the names of the groups and functions that were asked for',
  items: {
    type: 'object',
    description: 'Sums and averages of bigints and decimals are texts with all digits',
    additionalProperties: true,
  },
};

const ROW_PAGE = objectSchema({
  data: ROWS,
  count: { type: 'integer', description: 'Rows in this response' },
  total: { type: 'integer', description: 'Groups on all pages' },
  page: { type: 'integer' },
  pageCount: { type: 'integer' },
});

/** What each route answers with; a write by condition also with the number of records that it has affected. */
const CONTENT: Readonly<Record<BaseRouteName, ContentOf>> = {
  // One schema describes all pages, unless the application has one for those with numbers.
  getManyBase: (_, { alwaysPaginate, cursor }, definition) => [
    ...(alwaysPaginate ? [] : (['list'] as const)),
    'page',
    ...(cursor && ownEnvelope(definition) ? (['cursorPage'] as const) : []),
  ],
  getOneBase: () => ['record'],
  createOneBase: () => ['record'],
  createManyBase: () => ['list'],
  updateOneBase: () => ['record'],
  replaceOneBase: () => ['record'],
  deleteOneBase: ({ returnDeleted }) => (returnDeleted ? ['record'] : []),
  recoverOneBase: ({ returnRecovered }) => (returnRecovered === false ? [] : ['record']),
  countBase: () => [COUNT],
  aggregateBase: (_, { alwaysPaginate }) => (alwaysPaginate ? [ROW_PAGE] : [ROWS, ROW_PAGE]),
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

/** Successes of the other status: of records that were there already, if a conflict is none, or that were not. */
const OTHER_SUCCESS: { readonly [Route in BaseRouteName]?: (model: string) => string } = {
  createOneBase: (model) => `The ${model} that was there already, as it was changed`,
  createManyBase: (model) => `The ${model} records, which were all there already`,
  replaceOneBase: (model) => `The ${model}, which the request created`,
  replaceManyBase: (model) => `The ${model} records, of which the request created some`,
};

const FAILURE = {
  400: () => 'The query, the path or the body is refused',
  404: (model) => `No such ${model}`,
  409: () => 'The request conflicts with stored records',
  412: (model) => `The ${model} is not the one that the headers expect`,
  415: () => 'The body is not JSON',
  428: () => 'The request does not say which state of the record it means',
} as const satisfies Record<number, (model: string) => string>;

const BODY = (route: BaseRouteName) => 'body' in ROUTES[route];

/** Whether a route is about records that may be there already. */
function mayExist(route: BaseRouteName, routes: ResourceDefinition['options']['routes']): boolean {
  return ROUTES[route].status === 200 || readBehaviour(routes, route).onConflict !== undefined;
}

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
  CRUD_STALE_VERSION: (route, { routes }) => mayExist(route, routes),
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

/**
 * The responses of a route, by status.
 *
 * @param makeSchema Makes the schema of a body.
 */
export function describeResponses(
  definition: ResourceDefinition,
  { route, isSecondPath, status: own, produces }: Omit<DescribedRoute, 'ownId' | 'ownBody' | 'consumes'>,
  makeSchema: (shape: ContentShape) => SchemaObject,
): Readonly<Record<number, ResponseObject>> {
  const { modelName, options } = definition;
  const { export: exports, links = false } = options.query;
  const { status, errors, method } = ROUTES[route];
  const behaviour = readBehaviour(options.routes, route);
  const shapes: readonly ContentShape[] = [
    ...CONTENT[route](behaviour, options.query, definition),
    ...(writesByCondition(route, options.routes) ? [AFFECTED] : []),
  ];
  const [first, ...others] = shapes.map(makeSchema);
  const content =
    first && describeContent(produces, { schema: others.length > 0 ? { oneOf: [first, ...others] } : first });
  const formats = route === 'getManyBase' && exports ? describeExports(exports.formats) : {};
  const tag = describeTag(definition, route);
  const headers = describeHeaders(shapes, links, tag);
  const other = mayExist(route, options.routes) ? OTHER_SUCCESS[route]?.(modelName) : undefined;
  const failures = [...errors, ...(isSecondPath ? ([415] as const) : []), ...conditionFailures(definition, route)];
  const responses: Record<number, ResponseObject> = {
    [own ?? status]: {
      description: SUCCESS[route](modelName),
      ...headers,
      ...(own !== 204 && content && { content: { ...content, ...formats } }),
    },
  };
  if (other) responses[status === 200 ? 201 : 200] = { description: other, ...headers, ...(content && { content }) };
  if (tag && method === RequestMethod.GET) responses[304] = { ...UNCHANGED, headers: tag };
  for (const failure of failures) {
    const { description, examples } = describeFailure(failure, definition, route);
    responses[failure] = { description, content: describeContent(produces, { schema: makeSchema('error'), examples }) };
  }

  return responses;
}

function describeHeaders(
  shapes: readonly ContentShape[],
  hasLinks: boolean,
  tag: ResponseObject['headers'],
): Pick<ResponseObject, 'headers'> {
  const isWholeOrPaged = shapes.includes('list') && shapes.includes('page');
  const headers = {
    ...((isWholeOrPaged || shapes.includes(ROWS)) && TRUNCATED),
    ...(isWholeOrPaged && hasLinks && LINKS),
    ...(shapes.length > 0 && tag),
  };

  return Object.keys(headers).length > 0 ? { headers } : {};
}

/** With their parameters, as they are sent: orval reads any list with the bare type of NDJSON as a stream. */
function describeExports(formats: readonly ExportFormat[]): Content {
  return Object.fromEntries(
    formats.map((format) => [CONTENT_TYPES[format], { schema: { type: 'string', description: EXPORTS[format] } }]),
  );
}

function describeFailure(
  status: keyof typeof FAILURE,
  { modelName, options }: ResourceDefinition,
  route: BaseRouteName,
): { readonly description: string; readonly examples: Readonly<Record<string, ExampleObject>> } {
  const codes = (Object.keys(ERRORS) as CrudErrorCode[]).filter(
    (code) => ERRORS[code].status === status && (ONLY_ON[code]?.(route, options) ?? true),
  );
  const shown = status === 400 ? TYPICAL[route] : codes;

  return {
    description: `${FAILURE[status](modelName)}. Codes: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    examples: Object.fromEntries(
      shown.map((code) => {
        const details = code === 'CRUD_NOT_FOUND' ? { message: `${modelName} not found` } : {};

        return [code, { summary: ERRORS[code].message, value: errorBody(code, details) }];
      }),
    ),
  };
}

/** Statuses of conditions by entity tags that do not hold. */
function conditionFailures({ options }: ResourceDefinition, route: BaseRouteName): readonly (412 | 428)[] {
  const required = requiresMatch(options.routes, route) ? ([428] as const) : [];
  if (isManyRoute(route)) return required;

  return options.query.etag === true && isConditionalWrite(route) ? [412, ...required] : [];
}

const TAG_OF = {
  record: 'The state of the record and its representation',
  representation: 'The representation',
} as const satisfies Record<NonNullable<RouteDescriptor['tag']>, string>;

/** The header of answers with an entity tag. */
function describeTag({ options }: ResourceDefinition, route: BaseRouteName): ResponseObject['headers'] {
  const { tag } = ROUTES[route];
  if (options.query.etag !== true || !tag) return undefined;

  return describeHeader('ETag', `${TAG_OF[tag]}, as an entity tag`);
}

function describeHeader(name: string, description: string): NonNullable<ResponseObject['headers']> {
  return { [name]: { description, schema: { type: 'string' } } };
}

/** To a client that has the answer. */
const UNCHANGED = { description: 'The client has the answer: `If-None-Match` names its tag' };

const TRUNCATED = describeHeader(
  'X-Crud-Truncated',
  'Present where the list was cut at the default ceiling; ask for pages to see the rest',
);

const LINKS = describeHeader(
  'Link',
  'Present where the list is read by pages: the addresses of the `first`, `prev`, `next` and `last` one (RFC 8288)',
);

/** The body of every error. */
export const ERROR = objectSchema(
  {
    statusCode: { type: 'integer' },
    message: {
      oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
      description: 'What is wrong: one text, or a text for each property',
    },
    error: { type: 'string', description: 'Name of the status' },
    code: { type: 'string', enum: Object.keys(ERRORS), description: 'Which error it is' },
    field: { type: 'string', description: 'Property or parameter that is to blame' },
  },
  { required: ['statusCode', 'message'] },
);

/** What the body of an export is. */
const EXPORTS: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'The whole list: the JSON text of a record per line',
  csv: 'The whole list: a header and a line per record, a column per selected field',
};
