/**
 * Wraps @nestjs/swagger: what the library says of handlers is written into each document that it makes.
 *
 * Only then the application's catalog is there, and the paths of modules and versions are known.
 */
import { ModulesContainer } from '@nestjs/core';
import { isDeepStrictEqual } from 'node:util';
import { ApiExtension, type OpenAPIObject, type SwaggerDocumentOptions, SwaggerModule } from '@nestjs/swagger';
import { definitionOf, type ResourceDefinition } from '../definition/resource-definition.js';
import { isObject } from '../definition/plain-objects.js';
import { getOrInsert } from '../get-or-insert.js';
import { saveMetadata } from '../nest/metadata.js';
import { listControllerClasses } from '../startup/find-resources.js';
import { type DescribedOperation, describeRoute, type DocumentContext } from './describe-resource.js';
import {
  type DeclaredMetadata,
  type DeclaredParameter,
  describedHandlers,
  type Handler,
  isDeclared,
  ownHandlers,
  readDeclared,
} from './handlers.js';
import type { ResponseObject } from './json-schema.js';
import { describeOwnQuery, describePath } from './parameters.js';
import { type IdentifiedOperation, makeIdsUnique } from './names.js';
import { Schemas } from './schemas.js';

/** Finds a handler's operations in the document: it may have several paths, whatever its id. */
const MARK = 'x-crud-handler';

let isWatching = false;

/** Has handlers described in every document that is made from now on. */
export function watchDocuments(): void {
  if (isWatching) return;
  isWatching = true;

  const create = SwaggerModule.createDocument.bind(SwaggerModule);

  SwaggerModule.createDocument = (app, config, options = {}) => {
    const handlers = findHandlers(app.get(ModulesContainer), options);
    const document = withMarks(handlers, () => create(app, config, options));
    if (handlers.length === 0) return document;

    const schemas = new Schemas();
    const hasIdFactory = options.operationIdFactory !== undefined;
    makeIdsUnique(writeOperations(document, handlers, { schemas, hasIdFactory }));

    // Of no module, @nestjs/swagger makes the schemas alone, as it makes those of the application.
    const components = { schemas: schemas.literals } as OpenAPIObject['components'];
    const made = create(app, { openapi: config.openapi, components } as typeof config, {
      ...options,
      deepScanRoutes: false,
      include: [watchDocuments],
      extraModels: [...schemas.classes],
    });
    const isShort = handlers.some(({ definition }) => definition?.openapi?.schemas === 'short');
    schemas.finish(document, (made.components?.schemas ?? {}) as Record<string, object>, isShort);

    return document;
  };
}

/** A handler that is described: one of a route, or one of the application's own. */
interface MarkedHandler {
  readonly handler: Handler;
  readonly declared: DeclaredMetadata;
  /** Of the route. Default: the handler is the application's own, and only its parameters are described. */
  readonly definition?: ResourceDefinition;
  readonly describe: (path: string, context: DocumentContext) => DescribedOperation;
}

/** The handlers of the modules that a document is made of. */
function findHandlers(
  modules: ModulesContainer,
  { include = [], deepScanRoutes }: SwaggerDocumentOptions,
): readonly MarkedHandler[] {
  const found = new Map<Handler, MarkedHandler>();

  for (const controller of listControllerClasses(modules, deepScanRoutes ? [] : include)) {
    for (const [handler, { definition: described, findCatalog, ...route }] of describedHandlers(controller)) {
      const definition = withAuthOf(controller, described);
      const declared = readDeclared(handler, controller);
      const describe: MarkedHandler['describe'] = (path, context) =>
        describeRoute(definition, findCatalog(modules), { ...route, ...declared }, path, context);
      getOrInsert(found, handler, () => ({ handler, declared, definition, describe }));
    }
    for (const { handler, definition, catalog, query } of ownHandlers(controller, modules)) {
      const describe: MarkedHandler['describe'] = (path) => ({
        idChoice: 'own',
        parameters: [...describePath(definition, path, catalog), ...describeOwnQuery(definition, query, catalog)],
      });
      getOrInsert(found, handler, () => ({ handler, declared: readDeclared(handler, controller), describe }));
    }
  }

  return [...found.values()];
}

/** A definition with `@CrudAuth()` of the controller, which may stand above `@Crud()` or on a class that inherits it. */
function withAuthOf(controller: object, definition: ResourceDefinition): ResourceDefinition {
  const auth = definitionOf(controller)?.auth;

  return auth === undefined ? definition : { ...definition, auth };
}

/** Marks handlers by their numbers while a document is made. */
function withMarks<T>(handlers: readonly MarkedHandler[], make: () => T): T {
  const restores = handlers.map(({ handler }, number) => {
    const restore = saveMetadata(handler);
    ApiExtension(MARK, number)({}, handler.name, { value: handler });

    return restore;
  });

  try {
    return make();
  } finally {
    restores.forEach((restore) => restore());
  }
}

/** An operation as @nestjs/swagger made it. */
interface OperationNode {
  operationId?: string;
  readonly summary?: string;
  readonly parameters: readonly DeclaredParameter[];
  readonly responses: Readonly<Record<string, ResponseObject>>;
  readonly [MARK]?: number;
}

/** Writes what is known of handlers into their operations. */
function writeOperations(
  { paths }: OpenAPIObject,
  handlers: readonly MarkedHandler[],
  context: DocumentContext,
): readonly IdentifiedOperation[] {
  const identify = (path: string, item: object, method: string, { [MARK]: number, ...node }: OperationNode) => {
    const marked = handlers[number ?? -1];
    if (!marked) return { path, method, operation: node, choice: 'own' as const };

    const { idChoice, ...described } = marked.describe(path, context);
    const operation = mergeOperation(node, described, marked);
    const { definition, handler } = marked;
    Object.assign(item, { [method]: operation });

    return {
      ...{ path, method, operation },
      handler: definition && handler,
      controller: definition?.controller,
      choice: idChoice,
    };
  };

  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationNode>)
      .filter(([, node]) => isObject(node) && 'responses' in node)
      .map(([method, node]) => identify(path, item, method, node)),
  );
}

/** An operation with what is known of its handler; what the application's decorators say of it stays. */
function mergeOperation(
  node: OperationNode,
  { parameters, summary, responses, ...described }: Omit<DescribedOperation, 'idChoice'>,
  { declared, definition }: MarkedHandler,
): OperationNode {
  const present = node.parameters;
  // What parameters of an overriding handler tell is refined.
  const kept = definition ? declared.parameters : present;
  const merged = [...present];

  for (const parameter of parameters.filter((other) => !isDeclared(kept, other))) {
    const at = present.findIndex((other) => isDeclared([other], parameter));
    merged[at < 0 ? merged.length : at] = { ...present[at], ...parameter };
  }
  const operation: OperationNode = {
    ...node,
    ...described,
    parameters: merged,
    ...(summary !== undefined && { summary: node.summary || summary }),
    ...(responses && { responses: mergeResponses(node.responses, responses, declared) }),
  };

  // In the order in which @nestjs/swagger writes them.
  return Object.fromEntries(Object.entries(operation).sort(([a], [b]) => (a < b ? -1 : 1))) as unknown as OperationNode;
}

function mergeResponses(
  present: OperationNode['responses'],
  described: OperationNode['responses'],
  { responses: declared, produces }: DeclaredMetadata,
): OperationNode['responses'] {
  const isDefault = (status: string) =>
    !Object.hasOwn(declared, status) && isDeepStrictEqual(present[status], { description: '' });
  const merged = Object.fromEntries(Object.entries(present).filter(([status]) => !isDefault(status)));

  for (const [status, response] of Object.entries(described)) {
    const own = Object.hasOwn(declared, status) ? merged[status] : undefined;
    // Formats of exports stand beside what the application declares.
    const formats = Object.entries(response.content ?? {}).filter(([type]) => !produces.includes(type));
    merged[status] = own?.content
      ? { ...own, content: { ...own.content, ...Object.fromEntries(formats), ...own.content } }
      : (own ?? response);
  }

  return merged;
}
