/** @nestjs/swagger's module in; every document that it makes from then on finished by what only a whole document can tell; nothing is refused. */
import type { swagger } from '../nest/optional-peers.js';
import { addComponents } from './body-components.js';
import { separateIds } from './operation-ids.js';

type SwaggerModule = NonNullable<typeof swagger>['SwaggerModule'];

const watched = new WeakSet<SwaggerModule>();

/**
 * Sees to every document that is made from now on. A handler has one id, but is found under several paths where its controller stands in several modules or versions, of which nothing that is noted
 * on the handler can know: the versions may be the application's, and the prefix that of a module. And no decorator gives a document a schema that is not that of a class.
 */
export function watchDocuments(module: SwaggerModule): void {
  if (watched.has(module)) return;
  watched.add(module);

  const create = module.createDocument.bind(module);

  module.createDocument = (...parameters) => {
    const document = create(...parameters);
    separateIds(document);
    addComponents(document);

    return document;
  };
}
