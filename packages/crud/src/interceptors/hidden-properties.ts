/** An entity and a property path in, whether the entity's class hides it from responses out, so that conditions cannot tell what a response would not. */
import type { EvaluatedAuth } from '../auth/evaluate.js';
import type { Catalog } from '../plan/catalog.js';
import { exposedPaths } from '../serialization/index.js';

/** Tells of columns whether class-transformer's decorators on the entity hide them from this request's response. */
export function hiddenByClass(auth: EvaluatedAuth | undefined): (catalog: Catalog, path: string) => boolean {
  const options = auth && { ...auth.classTransformOptions, ...(auth.groups && { groups: auth.groups }) };

  return (catalog, path) => catalog.columns.has(path) && !exposedPaths(catalog.target, [path], options).has(path);
}
