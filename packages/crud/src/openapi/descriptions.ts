import type { ResourceDefinition } from '../definition/resource-definition.js';
import { getOrInsert } from '../get-or-insert.js';
import { ancestryOf } from '../nest/metadata.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { CatalogSource } from './document-types.js';
import type { Handler } from './declared-metadata.js';

/** What a handler is described by. */
export interface Description {
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName;
  readonly catalogOf: CatalogSource;
  readonly pathOf: ((route: BaseRouteName) => string | undefined) | undefined;
  /** Parameters of `params` that are in the host or in the paths of own handlers, not in those of the routes. */
  readonly elsewhere: readonly string[];
  readonly bodyOf: ((route: BaseRouteName) => unknown) | undefined;
}

const descriptions = new WeakMap<object, Map<Handler, Description>>();

/** Keeps the description of a handler in the place of an earlier one. */
export function setDescription(controller: object, handler: Handler, description: Description): void {
  getOrInsert(descriptions, controller, () => new Map<Handler, Description>()).set(handler, description);
}

/** The handlers of a controller that are described, those of the classes that it extends included. */
export function descriptionsOf(controller: object): readonly (readonly [owner: object, Handler, Description])[] {
  return ancestryOf(controller).flatMap((owner) =>
    [...(descriptions.get(owner) ?? [])].map((entry) => [owner, ...entry] as const),
  );
}
