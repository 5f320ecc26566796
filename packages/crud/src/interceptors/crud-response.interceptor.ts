/** What a handler returns in, what is sent out: shaped by the route's class, with the status and headers that the service reported. */
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { CrudRequestInterceptor } from './crud-request.interceptor.js';
import { Responder } from './responder.js';

/**
 * Shapes the responses of generated and overriding handlers, behind a `CrudRequestInterceptor`. On other routes it does nothing.
 *
 * @example
 * // A routes factory whose interceptor stands between the two:
 * protected override setInterceptors(name: BaseRouteName) {
 *   UseInterceptors(CrudRequestInterceptor, Timing, CrudResponseInterceptor)(…);
 * }
 */
@Injectable()
export class CrudResponseInterceptor implements NestInterceptor {
  private readonly responder: Responder;

  constructor(
    @Optional() @Inject(HttpAdapterHost) adapterHost?: HttpAdapterHost,
    @Optional() @Inject(ApplicationConfig) config?: ApplicationConfig,
  ) {
    this.responder = new Responder(adapterHost, config, [CrudRequestInterceptor, CrudResponseInterceptor]);
  }

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    this.responder.prepare(context);

    return next.handle().pipe(map((result: unknown) => this.responder.respond(result, context)));
  }
}
