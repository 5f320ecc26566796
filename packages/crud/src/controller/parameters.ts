/** Parameters of generated handlers. Without other interceptors, they do the work of the library's interceptor. */
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { GeneratedRequest } from '../decorators/parsed-request.decorator.js';
import { FAST_PATHS } from '../fast-paths.js';
import { RespondParameter, RequestFromPipe } from '../interceptors/piped-request.js';
import { CrudRouteInterceptor } from '../interceptors/crud-route.interceptor.js';
import { removeOnlyInterceptor } from '../nest/response-observers.js';
import { bodyRulesOf } from '../validation/body-rules.js';
import { CrudBody } from './body-parameter.js';
import { isGenerated } from '../routes/route-of.js';
import type { BaseRouteName } from '../routes/route-table.js';

/**
 * Adds the parameters to a generated handler, which must have its decorators by now. Parameters that need the parsed
 * request come after it.
 */
export function addParameters(prototype: object, route: BaseRouteName, definition: ResourceDefinition): void {
  const isDirect = bypassInterceptor((prototype as Record<BaseRouteName, object>)[route]);

  (isDirect ? RequestFromPipe(CrudRouteInterceptor) : GeneratedRequest())(prototype, route, 0);
  const rules = bodyRulesOf(definition, route);
  if (rules) CrudBody(rules, route)(prototype, route, 1);
  if (isDirect) RespondParameter()(prototype, route, 2);
}

/** Lets a generated handler without other interceptors do the work of the library's; returns whether it does. */
function bypassInterceptor(handler: object): boolean {
  return FAST_PATHS.handlers && isGenerated(handler) && removeOnlyInterceptor(handler, CrudRouteInterceptor);
}
