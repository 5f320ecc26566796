import type { ParsedRequestParams } from '@nestwright/crud-request';
import { applyScope, type BodyScope, bodyScope } from '../plan/body-scope.js';
import type { Catalog } from '../plan/catalog.js';
import type { Store } from './store.js';

/** What a request puts into bodies: the path's values by field, and `persist`. */
export function makeBodyScope(
  { authPersist, authRelationPersist: related }: ParsedRequestParams,
  path: object,
  catalog: Catalog,
  allowParamsOverride?: boolean,
): BodyScope {
  const persist = authPersist as object | undefined;

  return bodyScope({ path: Object.entries(path), persist, related, allowParamsOverride }, catalog);
}

/**
 * A copy of a body with the scope's values in it. The interceptor has put them in before, but handlers of the
 * application and requests made by hand rely on the service alone.
 */
export function copyScoped<B extends object>(store: Store, body: B, scope: BodyScope, catalog: Catalog): B {
  const copy = store.copyBody(body, catalog);
  applyScope(copy as Record<string, unknown>, scope);

  return copy;
}
