import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { REQUEST_HOOKS } from '../constants.js';
import { typeValues } from '../plan/condition-origins.js';
import { ApplicationPart } from './application.js';
import { Exchange } from './exchange.js';
import { answerValue, interceptRequest } from './handle-request.js';
import { noteOwnInterceptor } from './route.js';

/**
 * Wraps the handlers of the generated routes, outside the application's interceptors: `CrudRequestInterceptor` and
 * `CrudResponseInterceptor` in one, since each interceptor costs a request as much time as parsing it. A generated
 * handler that has no other interceptor does the same by itself.
 *
 * @example
 * Generated routes have it already.
 */
@Injectable()
export class CrudRouteInterceptor extends ApplicationPart implements NestInterceptor {
  /** Parses by the options alone: no step is overridden. */
  static readonly [REQUEST_HOOKS]: readonly string[] = [];

  static {
    noteOwnInterceptor(this);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const exchange = new Exchange(context, this.application);

    return interceptRequest(exchange, next, {
      prepare: typeValues,
      answer: (value) => answerValue(exchange, value),
    });
  }
}
