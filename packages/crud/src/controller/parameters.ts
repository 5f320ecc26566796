/** Parameters of generated handlers, which settle how a route is driven. */
import { GeneratedRequest } from '../decorators/parsed-request.decorator.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { CrudRouteInterceptor } from '../exchange/crud-route.interceptor.js';
import { BodyParameter, ExchangeParameter } from '../exchange/exchange-parameter.js';
import { FAST_PATHS } from '../fast-paths.js';
import { removeOnlyInterceptor } from '../nest/response-observers.js';
import { isGenerated } from '../routes/route-of.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { bodyRulesOf } from '../validation/body-rules.js';

/**
 * Adds the parameters to a generated handler, which must have its decorators by now. If the library's interceptor is the
 * only one, the handler takes the exchange in its place.
 */
export function addParameters(prototype: object, route: BaseRouteName, definition: ResourceDefinition): void {
  const handler = (prototype as Record<BaseRouteName, object>)[route];
  const rules = bodyRulesOf(definition, route);

  if (FAST_PATHS.handlers && isGenerated(handler) && removeOnlyInterceptor(handler, CrudRouteInterceptor))
    return ExchangeParameter(route, rules)(prototype, route, 0);

  GeneratedRequest()(prototype, route, 0);
  if (rules) BodyParameter(route, rules)(prototype, route, 1);
}
