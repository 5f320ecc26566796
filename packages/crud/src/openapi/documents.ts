/**
 * Wraps @nestjs/swagger: what the library says of handlers is written into each document that it makes.
 *
 * Only then the application's catalog is there, and the paths of modules and versions are known.
 */
import { ModulesContainer } from '@nestjs/core';
import { isDeepStrictEqual } from 'node:util';
import { ApiExtension, type OpenAPIObject, type SwaggerDocumentOptions, SwaggerModule } from '@nestjs/swagger';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { isObject } from '../definition/plain-objects.js';
import { getOrInsert } from '../get-or-insert.js';
import { saveMetadata } from '../nest/metadata.js';
import { listControllerClasses } from '../startup/find-resources.js';
import {
  type DescribedOperation,
  describeOwnHandler,
  describeRoute,
  type DocumentContext,
} from './describe-resource.js';
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
import { type IdentifiedOperation, makeIdsUnique } from './operation-ids.js';
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
  readonly describe: (declared: DeclaredMetadata, context: DocumentContext) => DescribedOperation;
}

/** The handlers of the modules that a document is made of. */
function findHandlers(
  modules: ModulesContainer,
  { include = [], deepScanRoutes = false }: SwaggerDocumentOptions,
): readonly MarkedHandler[] {
  const found = new Map<Handler, MarkedHandler>();

  for (const controller of listControllerClasses(modules, deepScanRoutes ? [] : include)) {
    const add = (handler: Handler, described: Pick<MarkedHandler, 'definition' | 'describe'>) =>
      getOrInsert(found, handler, () => ({ handler, declared: readDeclared(handler, controller), ...described }));

    for (const [handler, { definition, findCatalog, ...route }] of describedHandlers(controller)) {
      add(handler, {
        definition,
        describe: (declared, context) =>
          describeRoute(definition, findCatalog(modules), { ...route, ...declared }, context),
      });
    }
    for (const own of ownHandlers(controller, modules)) add(own.handler, { describe: () => describeOwnHandler(own) });
  }

  return [...found.values()];
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
  readonly parameters?: readonly DeclaredParameter[];
  readonly requestBody?: object;
  readonly responses: Readonly<Record<string, ResponseNode>>;
  readonly [MARK]?: number;
}

interface ResponseNode {
  readonly description: string;
  readonly content?: Readonly<Record<string, object>>;
}

/** Writes what is known of handlers into their operations. */
function writeOperations(
  { paths }: OpenAPIObject,
  handlers: readonly MarkedHandler[],
  context: DocumentContext,
): readonly IdentifiedOperation[] {
  const described = new Map<Handler, DescribedOperation>();
  const identify = (path: string, item: object, method: string, { [MARK]: number, ...node }: OperationNode) => {
    const marked = handlers[number ?? -1];
    const written = marked && getOrInsert(described, marked.handler, () => marked.describe(marked.declared, context));
    const operation = written ? writeOperation(path, node, written, marked) : node;
    const { definition, handler } = marked ?? {};
    Object.assign(item, { [method]: operation });

    return {
      ...{ path, method, operation },
      handler: definition && handler,
      controller: definition?.controller,
      choice: written?.idChoice ?? 'own',
    };
  };

  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationNode>)
      .filter(([, node]) => isObject(node) && 'responses' in node)
      .map(([method, node]) => identify(path, item, method, node)),
  );
}

/** An operation with what is known of its handler; what the application's decorators say of it stays. */
function writeOperation(
  path: string,
  node: OperationNode,
  written: DescribedOperation,
  { declared, definition }: MarkedHandler,
): OperationNode {
  const { summary, operationId, body } = written;
  const present = node.parameters ?? [];
  const parameters = [...present];

  for (const parameter of written.parameters(path)) {
    // What parameters of an overriding handler tell is refined.
    if (isDeclared(definition ? declared.parameters : present, parameter)) continue;
    const at = present.findIndex((other) => isDeclared([other], parameter));
    parameters[at < 0 ? parameters.length : at] = { ...present[at], ...parameter };
  }
  const operation: OperationNode = {
    ...node,
    parameters,
    ...(summary !== undefined && { summary: node.summary || summary }),
    ...(operationId !== undefined && { operationId }),
    ...(body && {
      requestBody: { required: body.required, content: mediaContent(declared.consumes, { schema: body.schema }) },
    }),
    ...(definition && { responses: writeResponses(node.responses, written.responses, declared) }),
  };

  // In the order in which @nestjs/swagger writes them.
  return Object.fromEntries(Object.entries(operation).sort(([a], [b]) => (a < b ? -1 : 1))) as unknown as OperationNode;
}

function writeResponses(
  present: OperationNode['responses'],
  written: readonly ResponseObject[],
  { responses: declared, produces }: DeclaredMetadata,
): OperationNode['responses'] {
  const isDefault = (status: string, response: ResponseNode) =>
    !Object.hasOwn(declared, status) && isDeepStrictEqual(response, { description: '' });
  const responses = Object.fromEntries(Object.entries(present).filter((entry) => !isDefault(...entry)));

  for (const { status, schema, examples, media, ...response } of written) {
    const content = schema && mediaContent(produces, { schema, ...(examples && { examples }) });
    if (!Object.hasOwn(declared, status)) responses[status] = { ...response, ...(content && { content }) };
    const known = responses[status];
    if (media && known?.content)
      responses[status] = { ...known, content: { ...known.content, ...media, ...known.content } };
  }

  return responses;
}

function mediaContent(types: readonly string[], content: object): Readonly<Record<string, object>> {
  return Object.fromEntries(types.map((type) => [type, content]));
}
