/** A request to a generated or overriding handler in, its response out: `CrudRequestInterceptor` and `CrudResponseInterceptor` in one, since each interceptor of Nest's costs a request as much as parsing it. */
import { type CallHandler, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { Observable } from 'rxjs';
import { toHttpError } from '../errors/query-exception.js';
import { CrudRequestInterceptor } from './crud-request.interceptor.js';
import { parseRequest } from './parse-request.js';
import { Responder } from './responder.js';

/**
 * Stands around the handlers of the eight routes, before the interceptors of the application's own.
 *
 * @example
 * Generated routes have it already.
 */
@Injectable()
export class CrudRouteInterceptor extends CrudRequestInterceptor {
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
    try {
      await parseRequest(context, this.modules);
    } catch (error) {
      throw toHttpError(error);
    }

    this.responder.prepare(context);

    return transformed(next.handle(), (result) => this.responder.respond(result, context), toHttpError);
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
