/** What a handler returns in, what is sent out: shaped by the route's class, with the status and headers that the service reported. */
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type NestInterceptor,
  Optional,
} from '@nestjs/common';
import { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { map, type Observable } from 'rxjs';
import { definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { CrudRequest } from '../request/crud-request.js';
import { JsonText } from '../response/json-text.js';
import { outcomeOf } from '../response/outcome.js';
import { routeOf } from '../routes/route-of.js';
import { type BaseRouteName } from '../routes/route-table.js';
import { type HttpRequest, requestOf } from './request-context.js';
import { serializeResponse } from '../serialization/index.js';
import { CrudRequestInterceptor } from './crud-request.interceptor.js';
import { offerText, sendText } from './text-response.js';

/** Header of a plain list that the default ceiling cut. */
export const TRUNCATED_HEADER = 'X-Crud-Truncated';

const logged = new WeakSet<object>();

/**
 * Shapes the responses of generated and overriding handlers. On other routes it does nothing.
 *
 * @example
 * Generated routes have it already.
 */
@Injectable()
export class CrudResponseInterceptor implements NestInterceptor {
  constructor(
    @Optional() @Inject(HttpAdapterHost) private readonly adapterHost?: HttpAdapterHost,
    @Optional() @Inject(ApplicationConfig) private readonly config?: ApplicationConfig,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const definition = definitionOf(context.getClass());
    const route = routeOf(context.getHandler());

    if (context.getType() === 'http') {
      const request = requestOf(context.switchToHttp().getRequest<HttpRequest>());
      offerText(context, request, definition, route, {
        adapter: this.adapterHost?.httpAdapter,
        config: this.config,
        own: OWN_INTERCEPTORS,
      });
    }

    return next.handle().pipe(map((result: unknown) => this.respond(result, definition, route, context)));
  }

  private respond(
    result: unknown,
    definition: ResourceDefinition | undefined,
    route: BaseRouteName | undefined,
    context: ExecutionContext,
  ): unknown {
    const request = requestOf(context.switchToHttp().getRequest<HttpRequest>());
    if (request) this.report(request, definition, context);
    if (!definition || !route) return result;
    if (result instanceof JsonText) return sendText(result, context, this.adapterHost!.httpAdapter);

    return serializeResponse(result, definition, route, request?.parsed.classTransformOptions);
  }

  private report(request: CrudRequest, definition: ResourceDefinition | undefined, context: ExecutionContext): void {
    const { created, truncated } = outcomeOf(request);
    const adapter = this.adapterHost?.httpAdapter;
    if (!adapter || (!created && !truncated)) return;

    const response = context.switchToHttp().getResponse<{ statusCode: number }>();
    // Another status was set by the application, with `@HttpCode()` for instance.
    if (created && response.statusCode === 200) adapter.status(response, 201);
    if (truncated) {
      adapter.setHeader(response, TRUNCATED_HEADER, 'true');
      if (definition) logTruncation(context.getClass(), definition);
    }
  }
}

// Around every generated handler, in this order.
const OWN_INTERCEPTORS: readonly unknown[] = [CrudRequestInterceptor, CrudResponseInterceptor];

function logTruncation(controller: object, { controller: name }: ResourceDefinition): void {
  if (logged.has(controller)) return;

  logged.add(controller);
  new Logger('Crud').warn(
    `${name}: a list was cut at the default page size. Set query.maxLimit (or query.limit), or maxLimit: false, to say what you want.`,
  );
}
