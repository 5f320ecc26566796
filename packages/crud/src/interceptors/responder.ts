/** What a handler returns in, what is sent out: shaped by the route's class, with the status and headers that the service reported. One for each interceptor of an application. */
import { type ExecutionContext, Logger } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { labelOf } from '../definition/resource-labels.js';
import type { CrudRequest } from '../request/crud-request.js';
import { clientOf, refuseGone } from '../response/client.js';
import { JsonList } from '../response/json-list.js';
import { JsonText, reportFastPath } from '../response/json-text.js';
import { outcomeOf } from '../response/outcome.js';
import { routeOf } from '../routes/route-of.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { recordSerializerOf, responseShape, serializeResponse } from '../serialization/index.js';
import { sendList } from './list-response.js';
import { type LongList, longListOf, printed, shaped } from './long-list.js';
import { contextOf, httpRequestOf, httpResponseOf, requestOf } from './request-context.js';
import { noteShaping } from './shaped-within.js';
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

  /** Notes the status and headers that the service reported. */
  reportOutcome(context: ExecutionContext): void {
    const request = requestIn(context);

    if (request) this.report(request, definitionOf(context.getClass()), context);
  }

  /** What is sent for the handler's result; of a long list, a promise of it. */
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
    noteShaping(http);
    if (result instanceof JsonText || result instanceof JsonList) reportFastPath('text');
    if (result instanceof JsonText) return sendText(result, context, this.adapterHost!.httpAdapter);

    if (result instanceof JsonList) return this.sendLong(result, context, request);

    const list = longListOf(result);
    if (list) return this.respondLong({ result, list, definition, route, request }, context);

    return serializeResponse(result, definition, route, request?.parsed.classTransformOptions);
  }

  /** Shapes a long list in slices of time; where nobody but the client sees it, it is printed and sent in slices, too. */
  private async respondLong(
    { result, list, definition, route, request }: LongAnswer,
    context: ExecutionContext,
  ): Promise<unknown> {
    const options = request?.parsed.classTransformOptions;
    const { record, envelope } = responseShape(definition, route);
    if (envelope && !Array.isArray(result)) return serializeResponse(result, definition, route, options);

    const shape = recordSerializerOf(record, options);
    const proceed = proceedFor(request);

    if (this.text.reasonAgainstPrinting(context) !== undefined) return shaped(result, list, shape, proceed);

    const text = await printed(list, shape, proceed);

    return text instanceof JsonList
      ? this.sendLong(text, context, request)
      : sendText(text, context, this.adapterHost!.httpAdapter);
  }

  private sendLong(list: JsonList, context: ExecutionContext, request: CrudRequest | undefined): Promise<unknown> {
    return sendList(list, context, this.adapterHost!.httpAdapter, proceedFor(request));
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

interface LongAnswer {
  readonly result: unknown;
  readonly list: LongList;
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName;
  readonly request: CrudRequest | undefined;
}

/** Ends the work for a client that has gone. */
function proceedFor(request: CrudRequest | undefined): () => void {
  const client = request && clientOf(request);

  return () => refuseGone(client);
}

function requestIn(context: ExecutionContext): CrudRequest | undefined {
  return requestOf(httpRequestOf(context));
}

function logTruncation(controller: object, definition: ResourceDefinition): void {
  if (logged.has(controller)) return;

  logged.add(controller);
  new Logger('Crud').warn(
    `${labelOf(controller, definition)}: a list was cut at the default page size. Set query.maxLimit (or query.limit), or maxLimit: false, to say what you want.`,
  );
}
