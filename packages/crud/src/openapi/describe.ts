/** Applies @nestjs/swagger's decorators to a handler. What the application declared itself stays. */
import type { Type } from '@nestjs/common';
import type { Swagger } from '../nest/optional-peers.js';
import type { Catalog } from '../plan/catalog.js';
import { ROUTES } from '../routes/route-table.js';
import type { Description } from './descriptions.js';
import { describeConditions } from './conditional-requests.js';
import type { ContentShape, ResponseObject, SchemaObject } from './document-types.js';
import { declaredMetadataOf, type DeclaredParameter, type Handler, isDeclared } from './declared-metadata.js';
import { metadataKey } from '../nest/swagger-metadata.js';
import type { DescribedHandler } from './document-operations.js';
import { idStyleOf, operationIdOf } from './operation-id.js';
import { describePathParameters } from './path-parameters.js';
import { describeQueryParameters } from './query-parameters.js';
import type { ResourceSchemas } from './resource-schemas.js';
import { describeResponses } from './responses.js';
import { standardBodyOf } from './standard-body.js';
import { type BodyRules, bodyRulesOf } from '../validation/body-rules.js';

/** What a document knows beside a description. */
export interface DocumentContext {
  readonly swagger: Swagger;
  readonly schemas: ResourceSchemas;
  readonly catalog: Catalog | undefined;
  /** Whether the document has an `operationIdFactory`. */
  readonly hasIdFactory: boolean;
}

/** Puts a description on a handler, for a document of the application that the catalog belongs to. */
export function describeHandler(
  handler: Handler,
  description: Description,
  context: DocumentContext,
): DescribedHandler {
  const { definition, route, path, elsewhere, declaredBody } = description;
  const { swagger, catalog } = context;
  const declared = declaredMetadataOf(handler);
  const apply = (decorate: MethodDecorator) => decorate({}, route, { value: handler });
  const undeclared = (parameter: DeclaredParameter) => !isDeclared(declared.parameters, parameter);

  const ownId = Object.hasOwn(declared.operation, 'operationId');
  const idStyle = ownId ? undefined : idStyleOf(definition, context.hasIdFactory);
  const operationId = idStyle && operationIdOf(definition, route, idStyle);
  const summary = ROUTES[route].summary(definition.modelName);
  apply(swagger.ApiOperation({ ...(operationId !== undefined && { operationId }), summary, ...declared.operation }));

  const inPath = describePathParameters(definition, route, catalog, { path, elsewhere });
  for (const parameter of inPath.filter(undeclared))
    apply(swagger.ApiParam(parameter as unknown as Parameters<Swagger['ApiParam']>[0]));

  for (const parameter of describeQueryParameters(definition, route, catalog).filter(undeclared))
    apply(swagger.ApiQuery(parameter as unknown as Parameters<Swagger['ApiQuery']>[0]));

  for (const { name, ...header } of describeConditions(definition, route))
    if (undeclared({ name, in: 'header' })) apply(swagger.ApiHeader({ name, ...header }));

  const ownBody = !undeclared({ in: 'body' });
  const bodyRules = ownBody ? undefined : bodyRulesOf(definition, route, declaredBody);
  if (bodyRules) {
    const { schema, models } = bodyContent(bodyRules, description, context);

    // A deletion by condition has no body.
    apply(swagger.ApiBody({ required: bodyRules.byCondition !== 'nothing', schema: schema as never }));
    apply(swagger.ApiExtraModels(...models));
  }

  for (const { content, ...response } of responsesFor(handler, description)) {
    if (Object.hasOwn(declared.responses, response.status)) continue;
    const shown = content && contentOf(content, description, context);

    apply(
      swagger.ApiResponse({ ...response, ...(shown && { schema: shown.schema }) } as Parameters<
        Swagger['ApiResponse']
      >[0]),
    );
    apply(swagger.ApiExtraModels(...(shown?.models ?? [])));
  }

  return { description, catalog, idStyle, ownBody, bodyRules };
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

/** The schema of one of several contents. */
function contentOf(
  alternatives: readonly ContentShape[],
  { route }: Description,
  { swagger, schemas }: DocumentContext,
): Content {
  const contents: Record<ContentShape, () => Content> = {
    record: () => modelContent(swagger, schemas.record(route)),
    list: () => listOf(contents.record()),
    page: () => modelContent(swagger, schemas.page()),
    cursorPage: () => modelContent(swagger, schemas.cursorPage()),
    count: () => ({ schema: COUNT, models: [] }),
    affected: () => ({ schema: AFFECTED, models: [] }),
    rows: () => ({ schema: ROWS, models: [] }),
    rowPage: () => ({ schema: ROW_PAGE, models: [] }),
    error: () => modelContent(swagger, schemas.error()),
  };

  return oneOf(alternatives.map((shape) => contents[shape]()));
}

/** The body of a request: a record or records, or beside a condition what to set on all that match. */
function bodyContent(
  rules: BodyRules,
  { definition, route }: Description,
  { swagger, schemas }: DocumentContext,
): Content {
  const standard = standardBodyOf(definition, route, rules);
  const records: Content = standard
    ? { schema: standard, models: [] }
    : modelContent(swagger, schemas.body(route, rules));
  if (rules.byCondition !== 'set') return records;

  const set: Content =
    standard || rules.wholeBulk
      ? { schema: { type: 'object' }, models: [] }
      : modelContent(swagger, schemas.set(route, rules));
  const withSet: SchemaObject = { type: 'object', required: ['set'], properties: { set: set.schema } };

  return oneOf([records, { schema: withSet, models: set.models }]);
}

function oneOf(choices: readonly Content[]): Content {
  const [first, ...others] = choices;
  if (first && others.length === 0) return first;

  return {
    schema: { oneOf: choices.map(({ schema }) => schema) },
    models: choices.flatMap(({ models }) => models),
  };
}

function listOf({ schema, models }: Content): Content {
  return { schema: { type: 'array', items: schema }, models };
}

function modelContent({ getSchemaPath }: Swagger, model: Type<unknown>): Content {
  return { schema: { $ref: getSchemaPath(model) }, models: [model] };
}
