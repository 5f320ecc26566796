/** Wraps @nestjs/swagger, so that handlers are described while a document is made, and the document is finished afterwards. */
import { ModulesContainer } from '@nestjs/core';
import { controllersIn } from '../startup/find-resources.js';
import { saveMetadata } from '../nest/metadata.js';
import type { Swagger } from '../nest/optional-peers.js';
import { addComponents } from './body-components.js';
import { addSamples } from './body-samples.js';
import { describeHandler } from './describe.js';
import { descriptionsOf } from './descriptions.js';
import { type MarkedHandler, markHandler, operationsIn } from './document-operations.js';
import { addExportMedia } from './export-media.js';
import type { Handler } from './declared-metadata.js';
import { addOwnParameters, ownHandlersOf } from './own-handlers.js';
import { makeIdsUnique } from './unique-operation-ids.js';
import { resourceSchemas } from './resource-schemas.js';
import { addPathParameters } from './path-parameters.js';
import { settleSchemaNames } from './schema-names.js';

type SwaggerModule = Swagger['SwaggerModule'];
type DocumentOptions = NonNullable<Parameters<SwaggerModule['createDocument']>[2]>;

const watched = new WeakSet<SwaggerModule>();

/**
 * Describes handlers for every document that is made from now on.
 *
 * Descriptions are added late, since the application's catalog is available only then, and applications without documents
 * pay nothing for them. The finished document is edited too, for what decorators cannot express: unique ids of a handler
 * that has several paths (modules or versions), and schemas that are not classes.
 */
export function watchDocuments(swagger: Swagger): void {
  const { SwaggerModule: module } = swagger;
  if (watched.has(module)) return;
  watched.add(module);

  const create = module.createDocument.bind(module);

  module.createDocument = (app, config, options) => {
    const { handlers, removeDescriptions } = describeHandlers(swagger, app.get(ModulesContainer), options);

    try {
      const document = create(app, config, options);
      const short = handlers.some(({ handler }) => handler?.description.definition.openapi?.schemas === 'short');
      settleSchemaNames(document, { short });
      const operations = operationsIn(document, handlers);
      makeIdsUnique(operations);
      addComponents(document);
      addPathParameters(operations);
      addOwnParameters(operations);
      addSamples(document, operations);
      addExportMedia(operations);

      return document;
    } finally {
      removeDescriptions();
    }
  };
}

interface Described {
  readonly handlers: readonly MarkedHandler[];
  /** Removes the descriptions from the handlers. */
  readonly removeDescriptions: () => void;
}

/** Describes the handlers for a document. */
function describeHandlers(
  swagger: Swagger,
  application: ModulesContainer,
  { include = [], deepScanRoutes, operationIdFactory }: DocumentOptions = {},
): Described {
  const restores = new Map<Handler, () => void>();
  const handlers: MarkedHandler[] = [];
  const hasIdFactory = operationIdFactory !== undefined;

  const mark = (handler: Handler, describe: () => MarkedHandler): void => {
    if (restores.has(handler)) return;
    restores.set(handler, saveMetadata(handler));

    markHandler(swagger, handlers.length)({}, handler.name, { value: handler });
    handlers.push(describe());
  };

  for (const controller of controllersIn(application, deepScanRoutes ? [] : include)) {
    for (const [owner, handler, description] of descriptionsOf(controller)) {
      mark(handler, () => {
        const catalog = description.catalogOf(application);
        const schemas = resourceSchemas(description.definition, owner, catalog);

        return { handler: describeHandler(handler, description, { swagger, schemas, catalog, hasIdFactory }) };
      });
    }
    for (const own of ownHandlersOf(controller, application)) mark(own.handler, () => ({ own }));
  }

  return { handlers, removeDescriptions: () => restores.forEach((restore) => restore()) };
}
