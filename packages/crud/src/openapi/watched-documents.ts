/** @nestjs/swagger's module in; every document that it makes from then on made of handlers that are described, and finished by what only a whole document can tell; nothing is refused. */
import { ModulesContainer } from '@nestjs/core';
import { controllersIn } from '../nest/application.js';
import { borrowMetadata } from '../nest/metadata.js';
import type { swagger } from '../nest/optional-peers.js';
import { addComponents } from './body-components.js';
import { describeHandler } from './describe.js';
import { descriptionsOf } from './descriptions.js';
import type { Handler } from './handler-notes.js';
import { separateIds } from './operation-ids.js';
import { resourceSchemas } from './resource-schemas.js';

type Swagger = NonNullable<typeof swagger>;
type SwaggerModule = Swagger['SwaggerModule'];
type DocumentOptions = NonNullable<Parameters<SwaggerModule['createDocument']>[2]>;

const watched = new WeakSet<SwaggerModule>();

/**
 * Sees to every document that is made from now on. Only then is the catalog of the application there to be asked, and descriptions that no document is made of cost nothing.
 *
 * A handler has one id, but is found under several paths where its controller stands in several modules or versions, of which nothing that is noted on the handler can know: the versions may be the
 * application's, and the prefix that of a module. And no decorator gives a document a schema that is not that of a class.
 */
export function watchDocuments(swagger: Swagger): void {
  const { SwaggerModule: module } = swagger;
  if (watched.has(module)) return;
  watched.add(module);

  const create = module.createDocument.bind(module);

  module.createDocument = (app, config, options) => {
    const takeBack = describeHandlers(swagger, app.get(ModulesContainer), options);

    try {
      const document = create(app, config, options);
      separateIds(document);
      addComponents(document);

      return document;
    } finally {
      takeBack();
    }
  };
}

/** Describes the handlers of which a document is about to be made. */
function describeHandlers(
  swagger: Swagger,
  application: ModulesContainer,
  { include = [], deepScanRoutes }: DocumentOptions = {},
): () => void {
  const borrowed = new Map<Handler, () => void>();

  for (const controller of controllersIn(application, deepScanRoutes ? [] : include)) {
    for (const [owner, handler, description] of descriptionsOf(controller)) {
      if (borrowed.has(handler)) continue;
      borrowed.set(handler, borrowMetadata(handler));

      const catalog = description.catalogOf(application);
      const schemas = resourceSchemas(description.definition, owner, catalog);
      describeHandler(handler, description, { swagger, schemas, catalog });
    }
  }

  return () => borrowed.forEach((giveBack) => giveBack());
}
