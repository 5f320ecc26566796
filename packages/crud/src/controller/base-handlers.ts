import type { Respond } from '../interceptors/request-context.js';
import type { CrudRequest } from '../crud-request.js';
import { markGenerated } from '../routes/route-of.js';
import type { CrudService } from '../service/crud.service.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { resultOf, runVerb } from '../service/verb-result.js';

interface WithService {
  readonly service: CrudService<object>;
}

/** Functions that use `this`, the controller. */
type Handler = (this: WithService, req: CrudRequest, dto: never) => Promise<unknown>;

/**
 * Makes the handler of a route: a new function each time, since metadata is kept by function. Without an interceptor
 * around it, the handler is given a function that sends the response; application code that calls the handler gets
 * what the verb returns.
 */
export function makeBaseHandler(route: BaseRouteName): Handler {
  const handler = {
    [route](this: WithService, req: CrudRequest, dto: never, respond?: Respond) {
      return respond ? respond(() => resultOf(this.service, route, req, dto)) : runVerb(this.service, route, req, dto);
    },
  }[route]!;

  markGenerated(handler);

  return handler;
}
