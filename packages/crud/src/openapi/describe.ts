/** A handler and its description in, @nestjs/swagger's decorators applied to the handler out; what the application declared itself stays. */
import type { Type } from '@nestjs/common';
import type { swagger } from '../nest/optional-peers.js';
import type { Catalog } from '../plan/catalog.js';
import { ROUTES } from '../routes/route-table.js';
import type { Description } from './descriptions.js';
import type { ContentShape, ResponseObject, SchemaObject } from './document-types.js';
import { type Declared, type Handler, isDeclared, notesOf } from './handler-notes.js';
import { metadataKey } from './metadata-keys.js';
import { type DescribedHandler, markHandler } from './document-operations.js';
import { idStyleOf, operationIdOf, summaryOf } from './operation.js';
import { describePathParameters } from './path-parameters.js';
import { describeQueryParameters } from './query-parameters.js';
import type { ResourceSchemas } from './resource-schemas.js';
import { describeResponses } from './responses.js';
import { standardBodyOf } from './standard-body.js';

type Swagger = NonNullable<typeof swagger>;

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
  const declared = notesOf(handler);
  const apply = (decorate: MethodDecorator) => decorate({}, route, { value: handler });
  const undeclared = (parameter: Declared) => !isDeclared(declared.parameters, parameter);

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

  const ownBody = !undeclared({ in: 'body' });
  if ('body' in ROUTES[route] && !ownBody) {
    const declaredBody = bodyOf?.(route);
    const standard = standardBodyOf(definition, route, declaredBody);
    const model = standard ? undefined : schemas.body(route, declaredBody);

    apply(swagger.ApiBody({ required: true, schema: (model ? referenceTo(swagger, model) : standard) as never }));
    if (model) apply(swagger.ApiExtraModels(model));
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
    listOrPage: () => {
      const choices = [kinds.list(), kinds.page()];

      return {
        schema: { oneOf: choices.map(({ schema }) => schema) },
        models: choices.flatMap(({ models }) => models),
      };
    },
    error: () => modelled(schemas.error()),
  };

  return kinds[content]();
}

function referenceTo({ getSchemaPath }: Swagger, model: Type<unknown>): SchemaObject {
  return { $ref: getSchemaPath(model) };
}
