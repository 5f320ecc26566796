import { getOrInsert } from '../get-or-insert.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { ancestryOf } from '../nest/metadata.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { Handler } from './declared-metadata.js';
import type { CatalogSource } from './document-types.js';

/** What a handler is described by. */
export interface Description {
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName;
  /** Asked whenever a document is made, for the names and columns that only the adapter knows. */
  readonly catalogOf: CatalogSource;
  /** Full path of the route (`/companies/:companyId/users/:id`), whose parameters are documented together with those of `params`. Default: those of `params` alone. */
  readonly path?: string | undefined;
  /** Parameters of `params` that are in the host or in the paths of own handlers. Default: none. */
  readonly elsewhere?: readonly string[] | undefined;
  /** Class of the body parameter in an overriding handler. Default: none. */
  readonly declaredBody?: unknown;
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
