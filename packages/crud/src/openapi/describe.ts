/** Applies @nestjs/swagger's decorators to a handler. What the application declared itself stays. */
import type { Type } from '@nestjs/common';
import type { Swagger } from '../nest/optional-peers.js';
import type { Catalog } from '../plan/catalog.js';
import { ROUTES } from '../routes/route-table.js';
import type { Description } from './descriptions.js';
import { describeConditions } from './conditional-requests.js';
import { matchingBodySchema, needsBody } from './matching-bodies.js';
import type { ContentShape, ResponseObject, SchemaObject } from './document-types.js';
import { declaredMetadataOf, type DeclaredParameter, type Handler, isDeclared } from './declared-metadata.js';
import { metadataKey } from '../nest/swagger-metadata.js';
import { type DescribedHandler, markHandler } from './document-operations.js';
import { idStyleOf, operationIdOf, summaryOf } from './operation-id.js';
import { describePathParameters } from './path-parameters.js';
import { describeQueryParameters } from './query-parameters.js';
import type { ResourceSchemas } from './resource-schemas.js';
import { describeResponses } from './responses.js';
import { standardBodyOf } from './standard-body.js';

/** What a document knows beside a description. */
export interface DocumentContext {
  readonly swagger: Swagger;
  readonly schemas: ResourceSchemas;
  readonly catalog: Catalog | undefined;
  /** Whether the document has an `operationIdFactory`. */
  readonly hasIdFactory: boolean;
  /** By which the operations of the handler are found in the finished document. */
  readonly number: number;
}

/** Puts a description on a handler, for a document of the application that the catalog belongs to. */
export function describeHandler(
  handler: Handler,
  description: Description,
  context: DocumentContext,
): DescribedHandler {
  const { definition, route, pathOf, elsewhere, bodyOf } = description;
  const { swagger, schemas, catalog } = context;
  const declared = declaredMetadataOf(handler);
  const apply = (decorate: MethodDecorator) => decorate({}, route, { value: handler });
  const undeclared = (parameter: DeclaredParameter) => !isDeclared(declared.parameters, parameter);

  const ownId = Object.hasOwn(declared.operation, 'operationId');
  const idStyle = ownId ? undefined : idStyleOf(definition, context.hasIdFactory);
  const operationId = idStyle && operationIdOf(definition, route, idStyle);
  const summary = summaryOf(definition, route);
  apply(swagger.ApiOperation({ ...(operationId !== undefined && { operationId }), summary, ...declared.operation }));
  apply(markHandler(swagger, context.number));

  const inPath = describePathParameters(definition, route, catalog, { path: pathOf?.(route), elsewhere });
  for (const parameter of inPath.filter(undeclared)) {
    apply(swagger.ApiParam(parameter as unknown as Parameters<Swagger['ApiParam']>[0]));
  }
  for (const parameter of describeQueryParameters(definition, route, catalog).filter(undeclared)) {
    apply(swagger.ApiQuery(parameter as unknown as Parameters<Swagger['ApiQuery']>[0]));
  }

  for (const { name, ...header } of describeConditions(definition, route)) {
    if (undeclared({ name, in: 'header' })) apply(swagger.ApiHeader({ name, ...header }));
  }

  const ownBody = !undeclared({ in: 'body' });
  if ('body' in ROUTES[route] && !ownBody) {
    const declaredBody = bodyOf?.(route);
    const standard = standardBodyOf(definition, route, declaredBody);
    const model = standard ? undefined : schemas.body(route, declaredBody);
    const keyed = model ? referenceTo(swagger, model) : (standard as SchemaObject);
    const set = standard ? undefined : schemas.set(route, declaredBody);
    const schema = matchingBodySchema(definition, route, keyed, set && referenceTo(swagger, set));

    apply(swagger.ApiBody({ required: needsBody(definition, route), schema: schema as never }));
    apply(swagger.ApiExtraModels(...[model, set].flatMap((each) => each ?? [])));
  }

  for (const { content, ...response } of responsesFor(handler, description)) {
    if (Object.hasOwn(declared.responses, response.status)) continue;
    const { schema, models } = content ? contentOf(content, description, context) : { schema: undefined, models: [] };

    apply(swagger.ApiResponse({ ...response, ...(schema && { schema }) } as Parameters<Swagger['ApiResponse']>[0]));
    apply(swagger.ApiExtraModels(...models));
  }

  return { description, catalog, idStyle, ownBody };
}

/** The responses of a route, with the success status that the application gave the handler by `@HttpCode()`. */
function responsesFor(handler: Handler, { definition, route }: Description): ResponseObject[] {
  const [success, ...others] = describeResponses(definition, route);
  const status = Reflect.getMetadata(metadataKey('httpCode'), handler) as number | undefined;

  if (!success || status === undefined || status === success.status) return success ? [success, ...others] : others;
  const { content: _, ...empty } = success;

  return [{ ...(status === 204 ? empty : success), status }, ...others];
}

interface Content {
  readonly schema: SchemaObject;
  /** The classes that the schema refers to. */
  readonly models: readonly Type<unknown>[];
}

const AFFECTED: SchemaObject = {
  type: 'object',
  description: 'The answer to a condition: how many records it matched, which were written',
  properties: { affected: { type: 'integer', minimum: 0 } },
  required: ['affected'],
};

const COUNT: SchemaObject = {
  type: 'object',
  properties: { count: { type: 'integer', minimum: 0 } },
  required: ['count'],
};

const ROWS: SchemaObject = {
  type: 'array',
  description: 'A row per group; its keys are the names of the groups and functions that were asked for',
  items: {
    type: 'object',
    description: 'Sums and averages of bigints and decimals are texts with all digits',
    additionalProperties: true,
  },
};

const ROW_PAGE: SchemaObject = {
  type: 'object',
  properties: {
    data: ROWS,
    count: { type: 'integer', description: 'Rows in this response' },
    total: { type: 'integer', description: 'Groups on all pages' },
    page: { type: 'integer' },
    pageCount: { type: 'integer' },
  },
  required: ['data', 'count', 'total', 'page', 'pageCount'],
};

function contentOf(
  content: ContentShape | 'error',
  { route }: Description,
  { swagger, schemas }: DocumentContext,
): Content {
  const modelled = (model: Type<unknown>): Content => ({ schema: referenceTo(swagger, model), models: [model] });

  const kinds: Record<ContentShape | 'error', () => Content> = {
    record: () => modelled(schemas.record(route)),
    page: () => modelled(schemas.page()),
    list: () => {
      const { schema, models } = kinds.record();

      return { schema: { type: 'array', items: schema }, models };
    },
    listOrPage: () => oneOf([kinds.list(), kinds.page()]),
    pageOrCursor: () => oneOf([kinds.page(), modelled(schemas.cursorPage())]),
    listOrPageOrCursor: () => oneOf([kinds.list(), kinds.page(), modelled(schemas.cursorPage())]),
    count: () => ({ schema: COUNT, models: [] }),
    affected: () => ({ schema: AFFECTED, models: [] }),
    listOrAffected: () => oneOf([kinds.list(), kinds.affected()]),
    rowPage: () => ({ schema: ROW_PAGE, models: [] }),
    rowsOrPage: () => oneOf([{ schema: ROWS, models: [] }, kinds.rowPage()]),
    error: () => modelled(schemas.error()),
  };

  return kinds[content]();
}

function oneOf(choices: readonly Content[]): Content {
  return {
    schema: { oneOf: choices.map(({ schema }) => schema) },
    models: choices.flatMap(({ models }) => models),
  };
}

function referenceTo({ getSchemaPath }: Swagger, model: Type<unknown>): SchemaObject {
  return { $ref: getSchemaPath(model) };
}
