/** A controller in, the paths of its handlers that serve none of the eight routes out. */
import type { Constructor } from '../nest/metadata.js';
import { handlerPaths } from '../nest/paths.js';
import { overridesOf } from './overrides.js';
import { ROUTES } from './route-table.js';

/** Paths below the controller's, those of handlers of base classes included. */
export function ownHandlerPaths(controller: object): readonly string[] {
  const target = controller as Constructor;
  const ofRoutes = new Set<string>([...Object.keys(ROUTES), ...overridesOf(target).map(({ method }) => method)]);

  return handlerPaths(target)
    .filter(({ method }) => !ofRoutes.has(method))
    .flatMap(({ paths }) => paths);
}
