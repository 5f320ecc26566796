/** A definition and the handlers of its routes in; @nestjs/swagger's decorators applied to the handlers out, where it is installed; what the application declared itself stays. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { swagger } from '../nest/optional-peers.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { CatalogSource, ContentShape, ResponseObject, SchemaObject } from './document-types.js';
import { type Declared, type Handler, isDeclared, notesOf, remember, withdraw } from './handler-notes.js';
import { metadataKey } from './metadata-keys.js';
import { describeOperation } from './operation.js';
import { noteOperationId } from './operation-ids.js';
import { describePathParameters } from './path-parameters.js';
import { describeQueryParameters } from './query-parameters.js';
import { type ResourceSchemas, resourceSchemas } from './resource-schemas.js';
import { describeResponses } from './responses.js';
import { standardBodyOf } from './standard-body.js';
import { watchDocuments } from './watched-documents.js';

/** What {@link applyOpenApi} may be told beside the definition. */
export interface ApplyOpenApiOptions {
  /** Full path of a route (`/companies/:companyId/users/:id`), by which its path parameters are told. Default: by the `params` option. */
  readonly pathOf?: (route: BaseRouteName) => string | undefined;
  /** Class of the body parameter in an overriding handler, where it is neither built in nor the model. Default: none. */
  readonly bodyOf?: (route: BaseRouteName) => unknown;
}

type Swagger = NonNullable<typeof swagger>;

/**
 * Describes the handlers of a resource's routes. It may be called again for the same handlers, with another definition: the later description takes the earlier
 * one's place. Without @nestjs/swagger nothing happens.
 *
 * What the application declared on a handler by `@ApiOperation()`, `@ApiQuery()`, `@ApiParam()`, `@ApiBody()`, `@ApiResponse()` or `@HttpCode()` before this
 * call wins, operation property by property, parameter by parameter, status by status.
 *
 * @param handlers Name of the method that handles each route, overriding ones included.
 * @param catalogOf Asked whenever a document is built, for the names and columns that only the adapter knows.
 *
 * @example
 * applyOpenApi(definition, UsersController, { getManyBase: 'getManyBase', getOneBase: 'findUser' }, () => service.catalog);
 */
export function applyOpenApi(
  definition: ResourceDefinition,
  controller: Type<unknown>,
  handlers: Partial<Record<BaseRouteName, string>>,
  catalogOf: CatalogSource,
  { pathOf, bodyOf }: ApplyOpenApiOptions = {},
): void {
  if (!swagger) return;

  watchDocuments(swagger.SwaggerModule);
  const schemas = resourceSchemas(definition, controller, catalogOf);

  for (const [route, method] of Object.entries(handlers) as [BaseRouteName, string][]) {
    const handler = (controller.prototype as Record<string, Handler | undefined>)[method];
    if (!handler) continue;

    withdraw(handler);
    describe(swagger, handler, {
      definition,
      route,
      schemas,
      catalogOf,
      path: pathOf?.(route),
      declaredBody: bodyOf?.(route),
    });
  }
}

interface Description {
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName;
  readonly schemas: ResourceSchemas;
  readonly catalogOf: CatalogSource;
  readonly path: string | undefined;
  readonly declaredBody: unknown;
}

function describe(swagger: Swagger, handler: Handler, description: Description): void {
  const { definition, route, schemas, catalogOf, path, declaredBody } = description;
  const before = notesOf(handler);
  const apply = (decorate: MethodDecorator) => decorate({}, route, { value: handler });
  const undeclared = (parameter: Declared) => !isDeclared(before.parameters, parameter);

  const { operationId, summary } = describeOperation(definition, route);
  if (!Object.hasOwn(before.operation, 'operationId')) noteOperationId(operationId);
  apply(swagger.ApiOperation({ operationId, summary, ...before.operation }));

  for (const parameter of describePathParameters(definition, route, catalogOf, path).filter(undeclared)) {
    apply(swagger.ApiParam(parameter as unknown as Parameters<Swagger['ApiParam']>[0]));
  }
  for (const parameter of describeQueryParameters(definition, route, catalogOf).filter(undeclared)) {
    apply(swagger.ApiQuery(parameter as unknown as Parameters<Swagger['ApiQuery']>[0]));
  }

  if ('body' in ROUTES[route] && undeclared({ in: 'body' })) {
    const standard = standardBodyOf(definition, route, declaredBody);
    const body = () => schemas.body(route, declaredBody);

    apply(swagger.ApiBody({ required: true, schema: (standard ?? referenceTo(swagger, body)) as never }));
    if (!standard) apply(lazyModel(swagger, body));
  }

  for (const response of responsesFor(handler, description)) {
    if (Object.hasOwn(before.responses, response.status)) continue;
    const { content, ...rest } = response;
    const schema = content && schemaOf(swagger, content, route, schemas);

    apply(swagger.ApiResponse({ ...rest, ...(schema && { schema }) } as Parameters<Swagger['ApiResponse']>[0]));
    if (content) modelsIn(content, route, schemas).forEach((model) => apply(lazyModel(swagger, model)));
  }

  remember(handler, before);
}

/** The responses of a route, with the success status that the application gave the handler by `@HttpCode()`. */
function responsesFor(handler: Handler, { definition, route }: Description): ResponseObject[] {
  const [success, ...others] = describeResponses(definition, route);
  const status = Reflect.getMetadata(metadataKey('httpCode'), handler) as number | undefined;

  if (!success || status === undefined || status === success.status) return success ? [success, ...others] : others;
  const { content: _, ...empty } = success;

  return [{ ...(status === 204 ? empty : success), status }, ...others];
}

function schemaOf(
  swagger: Swagger,
  content: ContentShape | 'error',
  route: BaseRouteName,
  schemas: ResourceSchemas,
): SchemaObject {
  const record = (): SchemaObject => referenceTo(swagger, () => schemas.record(route));
  const page = (): SchemaObject => referenceTo(swagger, () => schemas.page());
  const list = (): SchemaObject => ({ type: 'array', items: record() });

  const kinds = {
    record,
    page,
    list,
    listOrPage: () => ({ oneOf: [list(), page()] }),
    error: () => referenceTo(swagger, () => schemas.error()),
  } satisfies Record<ContentShape | 'error', () => SchemaObject>;

  return kinds[content]();
}

/** The classes that a content refers to. */
function modelsIn(
  content: ContentShape | 'error',
  route: BaseRouteName,
  schemas: ResourceSchemas,
): (() => Type<unknown>)[] {
  const record = () => schemas.record(route);
  const page = () => schemas.page();

  const kinds = {
    record: [record],
    list: [record],
    page: [page],
    listOrPage: [record, page],
    error: [() => schemas.error()],
  } satisfies Record<ContentShape | 'error', (() => Type<unknown>)[]>;

  return kinds[content];
}

function referenceTo({ getSchemaPath }: Swagger, type: () => Type<unknown>): SchemaObject {
  return {
    get $ref() {
      return getSchemaPath(type());
    },
  };
}

// @nestjs/swagger calls functions named `type` when it builds a document.
function lazyModel({ ApiExtraModels }: Swagger, type: () => Type<unknown>): MethodDecorator {
  const lazy = { type: () => type() };

  return ApiExtraModels(lazy.type);
}
