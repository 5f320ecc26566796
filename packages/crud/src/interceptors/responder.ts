/** Shapes and sends what a handler returns. Each interceptor has its own. */
import { type ExecutionContext, Logger } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { definitionOf } from '../definition/definitions.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { labelOf } from '../startup/resource-labels.js';
import type { CrudRequest } from '../crud-request.js';
import { clientOf, refuseGone } from '../response/client.js';
import { ListExport } from '../response/list-export.js';
import { JsonList } from '../response/json-list.js';
import { JsonText } from '../response/json-text.js';
import { outcomeOf } from '../response/outcome.js';
import { linkHeader } from '../response/page-links.js';
import type { CrudResult } from '../response/result.js';
import { routeOf } from '../routes/route-of.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { isCursorPage, recordSerializerOf, responseShape, serializeResponse } from '../serialization/index.js';
import { exportOfRecords } from '../export/records-export.js';
import { asksForExport } from '../service/list-export.js';
import { type Exported, sendExport } from './send-export.js';
import { sendList } from './list-response.js';
import { type LongList, longListOf, printed, shaped } from './long-list.js';
import { contextOf, httpRequestOf, httpResponseOf, isAlreadyShaped, markShaped, requestOf } from './request-context.js';
import { sendText } from './send-text.js';
import { isTagged, tagAnswer } from './tagged-answer.js';
import { TextOrRecords } from './text-or-records.js';

/** Header of a plain list that the default ceiling cut. */
export const TRUNCATED_HEADER = 'X-Crud-Truncated';

const logged = new WeakSet<object>();

/** Shapes what the handlers of an application return. */
export class Responder {
  private readonly text: TextOrRecords;

  /** @param own The library's interceptors around generated handlers, in their order. */
  constructor(
    private readonly adapterHost: HttpAdapterHost | undefined,
    config: ApplicationConfig | undefined,
    own: readonly unknown[],
  ) {
    this.text = new TextOrRecords(adapterHost, config, own);
  }

  /** What to send of a result, or a promise of it: its text if possible, else its records. */
  choose(result: CrudResult, context: ExecutionContext): unknown {
    return this.text.choose(result, context, requestIn(context));
  }

  /** Logs why a handler that could have answered with text answers with records. */
  reportRecords(context: ExecutionContext): void {
    this.text.reportRecords(context);
  }

  /** Sets the status and headers that the service reported. */
  reportOutcome(context: ExecutionContext): void {
    const request = requestIn(context);

    if (request) this.report(request, definitionOf(context.getClass()), context);
  }

  /** What to send for the handler's result; for a long list, a promise. */
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
    markShaped(http);
    if (request && asksForExport(route, request)) return this.export(result, { definition, request }, context);
    if (isTagged(definition, route)) return this.respondTagged({ result, definition, route, request }, context);
    if (result instanceof JsonText) return sendText(result, context, this.adapterHost!.httpAdapter);

    if (result instanceof JsonList) return this.sendLong(result, context, request);

    const list = longListOf(result);
    if (list) return this.respondLong({ result, list, definition, route, request }, context);

    return serializeResponse(result, definition, route, request?.parsed.classTransformOptions);
  }

  /** Adds the entity tag to a response that an override has shaped. */
  tag(shaped: unknown, context: ExecutionContext): unknown {
    const { definition, route } = contextOf(httpRequestOf(context)) ?? {};
    if (!definition || !route || !isTagged(definition, route)) return shaped;

    return this.sendTagged(shaped, { route, request: requestIn(context) }, context);
  }

  private async export(
    result: unknown,
    { definition, request }: Pick<Exported, 'definition' | 'request'>,
    context: ExecutionContext,
  ): Promise<unknown> {
    // Its overrides take single records, which are not made here.
    if (isAlreadyShaped(httpRequestOf(context)))
      throw new Error('Lists cannot be exported through overrides of CrudResponseInterceptor');
    const list = result instanceof ListExport ? result : exportOfRecords(result, request);
    const catalog = contextOf(httpRequestOf(context))?.catalog;

    return list ? sendExport({ list, request, definition, catalog }, context) : result;
  }

  private respondTagged(
    { result, definition, route, request }: Omit<LongAnswer, 'list'>,
    context: ExecutionContext,
  ): unknown {
    const send = (body: unknown): unknown => this.sendTagged(body, { route, request }, context);
    if (result instanceof JsonText) return send(result);
    if (result instanceof JsonList) return send(result.whole());

    const options = request?.parsed.classTransformOptions;
    const list = longListOf(result);
    const { record, envelope } = responseShape(definition, route);
    if (!list || (envelope && !Array.isArray(result)))
      return send(serializeResponse(result, definition, route, options));

    return shaped(result, list, recordSerializerOf(record, options), proceedFor(request)).then(send);
  }

  private sendTagged(
    body: unknown,
    { route, request }: Pick<LongAnswer, 'route' | 'request'>,
    context: ExecutionContext,
  ): unknown {
    const adapter = this.adapterHost?.httpAdapter;
    const text = body instanceof JsonText ? body.text : JSON.stringify(body);
    if (!adapter || text === undefined) return body;

    const row = request && outcomeOf(request).row;
    // Interceptors of the application are still given the answer; the platform omits its body.
    if (tagAnswer({ route, text, row }, context, adapter) && !this.text.isObserved(context)) return undefined;

    return body instanceof JsonText ? sendText(body, context, adapter) : body;
  }

  /**
   * Shapes a long list in time slices; unless an interceptor needs to see it, it is also printed and sent in slices.
   */
  private async respondLong(
    { result, list, definition, route, request }: LongAnswer,
    context: ExecutionContext,
  ): Promise<unknown> {
    const options = request?.parsed.classTransformOptions;
    const { record, envelope } = responseShape(definition, route);
    if (envelope && !Array.isArray(result) && !isCursorPage(result))
      return serializeResponse(result, definition, route, options);

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
    const { created, updated, truncated, links } = outcomeOf(request);
    const adapter = this.adapterHost?.httpAdapter;
    if (!adapter || (!created && !updated && !truncated && !links)) return;

    const response = httpResponseOf<{ statusCode: number }>(context);
    // Another status was set by the application, with `@HttpCode()` for instance.
    if (created && response.statusCode === 200) adapter.status(response, 201);
    if (updated && response.statusCode === 201) adapter.status(response, 200);
    if (links) {
      const { originalUrl, url = '' } = httpRequestOf(context);
      adapter.setHeader(response, 'Link', linkHeader(links, originalUrl ?? url, definition?.language.paramNamesMap));
    }
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

/** Throws if the client has disconnected. */
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
