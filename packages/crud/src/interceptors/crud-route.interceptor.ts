/** A request to a generated or overriding handler in, its response out: `CrudRequestInterceptor` and `CrudResponseInterceptor` in one, since each interceptor of Nest's costs a request as much as parsing it. */
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Optional,
  type PipeTransform,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { isObservable, Observable } from 'rxjs';
import { toHttpError } from '../errors/query-exception.js';
import type { CrudRequest } from '../request/crud-request.js';
import type { Arrival } from './arrival.js';
import { CrudRequestInterceptor } from './crud-request.interceptor.js';
import { parseRequest } from './parse-request.js';
import { httpRequestOf, requestOf } from './request-context.js';
import { Responder } from './responder.js';

/**
 * Stands around the handlers of the eight routes, before the interceptors of the application's own. Where none of these follows it around a generated handler, it is the pipe of the
 * handler's request parameter instead, and the handler answers by itself: what Nest does for each request around which an interceptor stands costs more than parsing it.
 *
 * @example
 * Generated routes have it already.
 */
@Injectable()
export class CrudRouteInterceptor
  extends CrudRequestInterceptor
  implements PipeTransform<Arrival, Promise<CrudRequest>>
{
  private readonly responder: Responder;

  constructor(
    @Optional() @Inject(ModulesContainer) modules?: ModulesContainer,
    @Optional() @Inject(HttpAdapterHost) adapterHost?: HttpAdapterHost,
    @Optional() @Inject(ApplicationConfig) config?: ApplicationConfig,
  ) {
    super(modules);
    this.responder = new Responder(adapterHost, config, [CrudRouteInterceptor]);
  }

  override async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    await this.prepare(context);

    return transformed(next.handle(), (result) => this.responder.respond(result, context), toHttpError);
  }

  transform(arrival: Arrival): Promise<CrudRequest> {
    return arrival(async (context) => ({
      request: await this.prepare(context),
      answer: (verb) => this.answer(verb, context),
    }));
  }

  private async prepare(context: ExecutionContext): Promise<CrudRequest> {
    try {
      await parseRequest(context, this.modules);
    } catch (error) {
      throw toHttpError(error);
    }
    this.responder.prepare(context);

    return requestOf(httpRequestOf(context))!;
  }

  private async answer(verb: () => Promise<unknown>, context: ExecutionContext): Promise<unknown> {
    try {
      const result = await verb();
      const respond = (value: unknown): unknown => this.responder.respond(value, context);

      return isObservable(result) ? transformed(result, respond, toHttpError) : respond(result);
    } catch (error) {
      throw toHttpError(error);
    }
  }
}

/** What `map` and `catchError` make together, in one step. */
function transformed(
  source: Observable<unknown>,
  project: (value: unknown) => unknown,
  refuse: (error: unknown) => unknown,
): Observable<unknown> {
  return new Observable((subscriber) =>
    source.subscribe({
      next: (value) => {
        let projected: unknown;

        try {
          projected = project(value);
        } catch (error) {
          subscriber.error(refuse(error));

          return;
        }

        subscriber.next(projected);
      },
      error: (error) => subscriber.error(refuse(error)),
      complete: () => subscriber.complete(),
    }),
  );
}
