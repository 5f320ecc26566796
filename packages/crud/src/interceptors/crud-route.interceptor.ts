/**
 * `CrudRequestInterceptor` and `CrudResponseInterceptor` in one: each interceptor costs a request as much time as
 * parsing it.
 */
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Optional,
  type NestInterceptor,
  type OnModuleInit,
  type PipeTransform,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost, ModulesContainer } from '@nestjs/core';
import { isObservable, Observable } from 'rxjs';
import { REQUEST_HOOKS } from '../constants.js';
import type { Trace } from '../diagnostics/channels.js';
import { registerApplication, startApplication } from '../startup/application-state.js';
import { typeValues } from '../plan/typed-values.js';
import type { CrudRequest } from '../crud-request.js';
import type { CrudResult } from '../response/result.js';
import type { UnparsedRequest } from './piped-request.js';
import { parseRequest } from './parse-request.js';
import { refusalOf } from './refusal.js';
import { isPromise } from '../when-settled.js';
import { httpRequestOf, requestOf } from './request-context.js';
import { isNegotiated, varyByAccept } from './send-export.js';
import { Responder } from './responder.js';
import { statusAndCode, traceOf } from './trace.js';

/**
 * Wraps the handlers of the generated routes, outside the application's interceptors. If a generated handler has no
 * other interceptor, it runs as the pipe of the handler's request parameter instead, and the handler sends the
 * response: Nest's work for an intercepted request costs more than parsing it.
 *
 * @example
 * Generated routes have it already.
 */
@Injectable()
export class CrudRouteInterceptor
  implements NestInterceptor, OnModuleInit, PipeTransform<UnparsedRequest, Promise<CrudRequest>>
{
  /** Parses by the options alone: no step is overridden. */
  static readonly [REQUEST_HOOKS]: readonly string[] = [];

  private readonly responder: Responder;

  constructor(
    @Optional() @Inject(ModulesContainer) private readonly modules?: ModulesContainer,
    @Optional() @Inject(HttpAdapterHost) private readonly adapterHost?: HttpAdapterHost,
    @Optional() @Inject(ApplicationConfig) config?: ApplicationConfig,
  ) {
    if (modules) registerApplication(modules);
    this.responder = new Responder(adapterHost, config, [CrudRouteInterceptor]);
  }

  /** Checks the options of all resources of the application, once; a mistake ends the start. */
  async onModuleInit(): Promise<void> {
    if (this.modules) await startApplication(this.modules);
  }

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    // Interceptors of the application, or an overriding handler, read its values.
    typeValues(await this.prepare(context));

    const trace = traceOf(context);

    return transformed(
      trace ? trace.run(() => next.handle()) : next.handle(),
      (result) => {
        this.responder.reportRecords(context);

        return this.responder.respond(result, context);
      },
      (error) => this.refuse(error, context),
      trace,
    );
  }

  transform(unparsed: UnparsedRequest): Promise<CrudRequest> {
    return unparsed(async (context) => ({
      request: await this.prepare(context),
      respond: (verb) => this.respond(verb, context),
    }));
  }

  private async prepare(context: ExecutionContext): Promise<CrudRequest> {
    const adapter = this.adapterHost?.httpAdapter;
    if (adapter && isNegotiated(context)) varyByAccept(context, adapter);

    try {
      await parseRequest(context, this.modules);
    } catch (error) {
      throw this.refuse(error, context);
    }

    return requestOf(httpRequestOf(context))!;
  }

  private refuse(error: unknown, context: ExecutionContext): unknown {
    return refusalOf(error, context, this.adapterHost);
  }

  private respond(verb: () => Promise<CrudResult>, context: ExecutionContext): Promise<unknown> {
    const trace = traceOf(context);

    return trace ? trace.run(() => this.responseOf(verb, context, trace)) : this.responseOf(verb, context, undefined);
  }

  private async responseOf(
    verb: () => Promise<CrudResult>,
    context: ExecutionContext,
    trace: Trace | undefined,
  ): Promise<unknown> {
    try {
      const result = await this.responder.choose(await verb(), context);
      const respond = (value: unknown): unknown => this.responder.respond(value, context);
      const answer = isObservable(result)
        ? transformed(result, respond, (error) => this.refuse(error, context))
        : respond(result);
      // Of a long list.
      if (answer instanceof Promise) await answer;
      trace?.end();

      return answer;
    } catch (error) {
      const refusal = this.refuse(error, context);
      trace?.end(statusAndCode(refusal));

      throw refusal;
    }
  }
}

/** `map` and `catchError` in one operator, which also ends the request's trace. Promises are awaited, as Nest does. */
function transformed(
  source: Observable<unknown>,
  project: (value: unknown) => unknown,
  refuse: (error: unknown) => unknown,
  trace?: Trace,
): Observable<unknown> {
  return new Observable((subscriber) => {
    const fail = (error: unknown) => {
      const refusal = refuse(error);
      trace?.end(statusAndCode(refusal));
      subscriber.error(refusal);
    };

    const pass = (value: unknown): Promise<void> | undefined => {
      let projected: unknown;

      try {
        projected = project(value);
      } catch (error) {
        return void fail(error);
      }

      if (projected instanceof Promise) return projected.then((made) => subscriber.next(made), fail);

      return void subscriber.next(projected);
    };

    // Of a long list or an interceptor's promise, after which whatever follows has to wait.
    let pending: Promise<void> | undefined;
    const after = (act: () => Promise<void> | undefined): void => {
      pending = pending ? pending.then(act) : act();
    };

    return source.subscribe({
      next: (value) => {
        if (!isPromise(value)) return after(() => pass(value));

        const resolved = Promise.resolve(value);
        // It may reject before its turn.
        resolved.catch(() => undefined);

        return after(() => resolved.then(pass, fail));
      },
      error: (error: unknown) => after(() => void fail(error)),
      complete: () =>
        after(() => {
          trace?.end();

          return void subscriber.complete();
        }),
    });
  });
}
