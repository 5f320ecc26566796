import type { CrudRequest } from '../crud-request.js';
import { Exchange } from '../exchange/exchange.js';
import { handleRequest } from '../exchange/handle-request.js';
import { markGenerated } from '../routes/route-of.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { CrudService } from '../service/crud.service.js';
import { callVerb } from '../service/run-verb.js';

interface WithService {
  readonly service: CrudService<object>;
}

/** Functions that use `this`, the controller. */
type Handler = (this: WithService, first: CrudRequest | Exchange, dto?: never) => Promise<unknown>;

/**
 * Makes the handler of a route: a new function each time, since metadata is kept by function. From Nest it is given the
 * exchange, unless an interceptor has read that; the application calls it with a request, and gets what the verb returns.
 */
export function makeBaseHandler(route: BaseRouteName): Handler {
  const handler = {
    [route](this: WithService, first: CrudRequest | Exchange, dto?: never) {
      return first instanceof Exchange ? handleRequest(first, this.service) : callVerb(this.service, route, first, dto);
    },
  }[route]!;

  markGenerated(handler);

  return handler;
}
