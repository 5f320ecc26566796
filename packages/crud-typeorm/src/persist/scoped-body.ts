import { applyScope, type BodyScope, bodyScope, type Catalog } from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { withPlainRelations } from './lazy-relations.js';

/** What a request puts into bodies: the path's values by field, and `persist`. */
export function makeBodyScope(
  { authPersist, authRelationPersist: related }: ParsedRequestParams,
  path: ObjectLiteral,
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
export function scopedBody<B extends object>(body: B, scope: BodyScope, catalog: Catalog): B {
  const copy = withPlainRelations(body, catalog);
  applyScope(copy, scope);

  return copy;
}
