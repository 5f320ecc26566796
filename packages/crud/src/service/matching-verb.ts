/** The verb of a route that writes all records which a condition matches. */
import type { CrudRequest } from '../crud-request.js';
import { forApplication } from '../plan/for-application.js';
import { type BaseRouteName, rowOf } from '../routes/route-table.js';
import type { CrudService } from './crud.service.js';
import { isLibraryVerb, type Verb } from './verbs.js';

/** Whether a body says no keys, but what becomes of all records that the condition matches. */
export function isMatching(route: BaseRouteName, body: unknown): boolean {
  const { bulk, set, matching } = (body ?? {}) as { bulk?: unknown; set?: unknown; matching?: unknown };

  return rowOf(route).verbByCondition !== undefined && bulk === undefined && (set !== undefined || matching === true);
}

/** What the verb returns. The request is the application's to change where the verb is. */
export function runMatching(
  service: CrudService<object>,
  route: BaseRouteName,
  request: CrudRequest,
  body: unknown,
): Promise<unknown> {
  const verb = rowOf(route).verbByCondition as Verb;
  const handed = isLibraryVerb(service[verb] as object) ? request : forApplication(request);

  return (service as unknown as Record<Verb, (...parameters: unknown[]) => Promise<unknown>>)[verb](handed, body);
}
