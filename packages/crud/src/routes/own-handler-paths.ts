import { GENERATED_METADATA } from '../constants.js';
import type { Constructor } from '../nest/metadata.js';
import { handlerPaths } from '../nest/paths.js';
import { isOptional } from './optional-routes.js';
import { overridesOf } from './overrides.js';
import { ROUTES } from './route-table.js';

/** The application's own handlers. */
export function ownHandlers(controller: object): ReturnType<typeof handlerPaths> {
  const target = controller as Constructor;
  const ofRoutes = new Set<string>([
    ...Object.keys(ROUTES).filter((name) => !isOptional(name) || isAddedByLibrary(target, name)),
    ...overridesOf(target).map(({ method }) => method),
  ]);

  return handlerPaths(target).filter(({ method }) => !ofRoutes.has(method) && !isAddedByLibrary(target, method));
}

// An application may have a method of that name, which means nothing while the route is not there.
function isAddedByLibrary({ prototype }: Constructor, name: string): boolean {
  const method = (prototype as Record<string, object | undefined>)[name];

  return method !== undefined && Reflect.hasMetadata(GENERATED_METADATA, method);
}

/** Paths below the controller's, those of handlers of base classes included. */
export function ownHandlerPaths(controller: object): readonly string[] {
  return ownHandlers(controller).flatMap(({ paths }) => paths);
}
