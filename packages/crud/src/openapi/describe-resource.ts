/** Options and catalog → operations, and the schemas that they refer to. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { isManyRoute } from '../definition/route-behaviour.js';
import type { Catalog } from '../plan/catalog.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { type BodyRules, makeBodyRules } from '../validation/body-rules.js';
import { describeBody, describeSet } from './body-shapes.js';
import type { DescribedRoute } from './handlers.js';
import {
  type Content,
  describeContent,
  objectSchema,
  type ParameterObject,
  type ResponseObject,
  type SchemaObject,
} from './json-schema.js';
import { type IdChoice, isPlaceholderName, makeOperationId, routeVerb, schemaName, withController } from './names.js';
import { describeHeaders, describePath, describeQuery } from './parameters.js';
import { envelopeShape, ownEnvelope, recordShape } from './record-shapes.js';
import { type ContentShape, describeResponses, ERROR } from './responses.js';
import type { NamedShape, Schemas } from './schemas.js';
import { standardBody } from './standard-body.js';

/** What a document says of a handler at one of its paths. */
export interface DescribedOperation {
  readonly idChoice: IdChoice;
  readonly parameters: readonly ParameterObject[];
  readonly summary?: string;
  /** Default: the one that @nestjs/swagger gives. */
  readonly operationId?: string;
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses?: Readonly<Record<string, ResponseObject>>;
}

/** What the resources of a document share. */
export interface DocumentContext {
  readonly schemas: Schemas;
  /** Whether the document has an `operationIdFactory`. */
  readonly hasIdFactory: boolean;
}

/** The operation of a route at a path. The schemas that it refers to go into those of the document. */
export function describeRoute(
  definition: ResourceDefinition,
  catalog: Catalog | undefined,
  described: DescribedRoute,
  path: string,
  { schemas, hasIdFactory }: DocumentContext,
): DescribedOperation {
  const resource = { definition, catalog, schemas };
  const { route, isSecondPath, declaredBody, ownId, ownBody, consumes } = described;
  const rules = ownBody ? undefined : makeBodyRules(definition, route, declaredBody);
  const { operationIds = hasIdFactory ? undefined : ('long' as const) } = definition.openapi ?? {};
  const id = ownId ?? (operationIds && makeOperationId(definition, route, operationIds));

  return {
    idChoice: ownId !== undefined ? 'own' : operationIds === 'short' ? 'short' : 'free',
    summary: ROUTES[route].summary(definition.modelName),
    ...(id !== undefined && { operationId: isSecondPath ? `${id}ByPost` : id }),
    parameters: [
      ...describePath(definition, path, catalog),
      ...describeQuery(definition, route, catalog),
      ...describeHeaders(definition, route),
    ],
    ...(rules && {
      requestBody: {
        // A deletion by condition has no body, unless it is a POST.
        required: isSecondPath === true || rules.byCondition !== 'nothing',
        content: describeContent(consumes, { schema: bodySchema(resource, route, rules) }),
      },
    }),
    responses: describeResponses(definition, described, (shape) => contentSchema(resource, route, shape)),
  };
}

/** What is described, and where its schemas go. */
interface Resource {
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly schemas: Schemas;
}

function shapeClass({ definition, schemas }: Resource, shape: NamedShape): Type<unknown> {
  const names = withController(definition, (prefix) => prefix + shape.name);

  return schemas.makeClass(
    shape,
    isPlaceholderName(shape.name) ? names.slice(0, 1) : names.slice(Number(shape.isScoped ?? false)),
  );
}

function contentSchema(resource: Resource, route: BaseRouteName, shape: ContentShape): SchemaObject {
  const { schemas, definition, catalog } = resource;
  if (typeof shape === 'object') return shape;
  if (shape === 'error') return schemas.add(['CrudErrorDto'], ERROR);

  const envelope = shape === 'page' && ownEnvelope(definition);
  if (envelope) return schemas.refer(shapeClass(resource, envelopeShape(envelope, definition, catalog)));

  const record = schemas.refer(shapeClass(resource, recordShape(definition, route, catalog)));
  if (shape === 'record') return record;
  if (shape === 'list') return { type: 'array', items: record };

  return pageSchema(
    resource,
    record,
    shape === 'cursorPage' ? 'cursor' : definition.options.query.cursor ? 'either' : 'numbered',
  );
}

/** What a page has for certain that is read by its number, by a cursor, or by either, as the request says. */
const PAGES = {
  numbered: ['data', 'count', 'total', 'page', 'pageCount'],
  cursor: ['data', 'count', 'next', 'previous'],
  either: ['data', 'count'],
} as const;

function pageSchema({ definition, schemas }: Resource, items: SchemaObject, kind: keyof typeof PAGES): SchemaObject {
  const number = (description: string): SchemaObject => ({ type: 'integer', description, example: 1 });
  const cursor = (description: string): SchemaObject => ({ type: 'string', nullable: true, description });
  const properties = {
    data: { description: 'Records of this page', type: 'array', items },
    count: number('Records in this response'),
    total: number('Records that match, on all pages'),
    ...(kind !== 'cursor' && { page: number('Number of this page, from 1'), pageCount: number('Pages in all') }),
    ...(kind !== 'numbered' && {
      next: cursor('`cursor` of the page after this one; null where nothing followed'),
      previous: cursor('`cursor` of the page before this one; null for the first one'),
    }),
  } as const;
  return schemas.add(
    withController(definition, (prefix) =>
      schemaName(definition, kind === 'cursor' ? 'cursorPage' : 'page', { prefix }),
    ),
    objectSchema(properties, { required: PAGES[kind] }),
  );
}

/** The body of a request: a record or records, or beside a condition what to set on all that match. */
function bodySchema(resource: Resource, route: BaseRouteName, rules: BodyRules): SchemaObject {
  const { definition, catalog, schemas } = resource;
  const standard = standardBody(definition, route, rules, schemas);
  const refer = (shape: NamedShape) => schemas.refer(shapeClass(resource, shape));
  const record = standard ?? refer(describeBody(definition, route, rules, catalog));
  const records = rules.bulk && !rules.wholeBulk ? bulkSchema(resource, route, record) : record;
  if (rules.byCondition !== 'set') return records;

  const isUnknown = standard !== undefined || rules.wholeBulk;
  const set = isUnknown ? ({ type: 'object' } as const) : refer(describeSet(definition, route, rules, catalog));

  return { oneOf: [records, objectSchema({ set })] };
}

function bulkSchema({ definition, schemas }: Resource, route: BaseRouteName, record: SchemaObject): SchemaObject {
  const verb = routeVerb(route);
  const description = `Records to ${verb.toLowerCase()}${isManyRoute(route) ? ', each with its key' : ''}`;

  return schemas.add(
    withController(definition, (prefix) => schemaName(definition, 'bulk', { verb, prefix })),
    objectSchema({ bulk: { minItems: 1, description, type: 'array', items: record } }),
  );
}
