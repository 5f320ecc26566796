/** What a handler returns in, what is sent out: shaped by the route's class, with the status and headers that the service reported. One for each interceptor of an application. */
import { type ExecutionContext, Logger } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { CrudRequest } from '../request/crud-request.js';
import { JsonText } from '../response/json-text.js';
import { outcomeOf } from '../response/outcome.js';
import { routeOf } from '../routes/route-of.js';
import { serializeResponse } from '../serialization/index.js';
import { contextOf, httpRequestOf, httpResponseOf, requestOf } from './request-context.js';
import { TextOffer, sendText } from './text-response.js';

/** Header of a plain list that the default ceiling cut. */
export const TRUNCATED_HEADER = 'X-Crud-Truncated';

const logged = new WeakSet<object>();

/** Shapes what the handlers of an application return. */
export class Responder {
  private readonly text: TextOffer;

  /** @param own The library's interceptors as they stand around generated handlers. */
  constructor(
    private readonly adapterHost: HttpAdapterHost | undefined,
    config: ApplicationConfig | undefined,
    own: readonly unknown[],
  ) {
    this.text = new TextOffer(adapterHost, config, own);
  }

  /** Before the handler: notes whether its response may be text. */
  prepare(context: ExecutionContext): void {
    if (context.getType() === 'http') this.text.make(context, requestIn(context));
  }

  /** What is sent for the handler's result. */
  respond(result: unknown, context: ExecutionContext): unknown {
    const http = httpRequestOf(context);
    const request = requestOf(http);
    // The application may have parsed the request itself.
    const { definition, route } = contextOf(http) ?? {
      definition: definitionOf(context.getClass()),
      route: routeOf(context.getHandler()),
    };

    if (request) this.report(request, definition, context);
    if (!definition || !route) return result;
    if (result instanceof JsonText) return sendText(result, context, this.adapterHost!.httpAdapter);

    return serializeResponse(result, definition, route, request?.parsed.classTransformOptions);
  }

  private report(request: CrudRequest, definition: ResourceDefinition | undefined, context: ExecutionContext): void {
    const { created, truncated } = outcomeOf(request);
    const adapter = this.adapterHost?.httpAdapter;
    if (!adapter || (!created && !truncated)) return;

    const response = httpResponseOf<{ statusCode: number }>(context);
    // Another status was set by the application, with `@HttpCode()` for instance.
    if (created && response.statusCode === 200) adapter.status(response, 201);
    if (truncated) {
      adapter.setHeader(response, TRUNCATED_HEADER, 'true');
      if (definition) logTruncation(context.getClass(), definition);
    }
  }
}

function requestIn(context: ExecutionContext): CrudRequest | undefined {
  return requestOf(httpRequestOf(context));
}

function logTruncation(controller: object, { controller: name }: ResourceDefinition): void {
  if (logged.has(controller)) return;

  logged.add(controller);
  new Logger('Crud').warn(
    `${name}: a list was cut at the default page size. Set query.maxLimit (or query.limit), or maxLimit: false, to say what you want.`,
  );
}
