/**
 * Decides whether an answer is sent as JSON text or as records, with all reasons against text except those of the
 * service.
 */
import type { ExecutionContext, Type } from '@nestjs/common';
import type { ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { debugOnce } from '../debug-once.js';
import { definitionOf } from '../definition/definitions.js';
import { getOrInsert } from '../get-or-insert.js';
import { labelOf } from '../startup/resource-labels.js';
import { customJsonPrinter, responseObserver } from '../nest/response-observers.js';
import type { CrudRequest } from '../crud-request.js';
import { type CrudResult, NeedsRecords, reportFastPath } from '../response/result.js';
import { isGenerated, routeOf } from '../routes/route-of.js';
import { ROUTES } from '../routes/route-table.js';
import { responseShape } from '../serialization/index.js';
import { whenSettled } from '../when-settled.js';
import { httpResponseOf } from './request-context.js';

/** What is known of a handler before any request. */
interface TextRoute {
  /** Class that shapes the records, or why no request of the route gets text. */
  readonly model: Type<unknown> | NeedsRecords;
  /** Publishes why an answer is not sent as text, and logs it once. */
  readonly report: (reason: string) => void;
}

/** Decides for the handlers of one application. */
export class TextOrRecords {
  /** By controller and handler, which a controller may have from its base class. */
  private readonly routes = new WeakMap<object, Map<object, TextRoute | undefined>>();

  /** @param own The library's interceptors, in their order. */
  constructor(
    private readonly adapterHost: HttpAdapterHost | undefined,
    private readonly config: ApplicationConfig | undefined,
    private readonly own: readonly unknown[],
  ) {}

  /** The text or the records; a promise if they are still to be made. */
  choose(result: CrudResult, context: ExecutionContext, request: CrudRequest | undefined): unknown {
    const route = result.text && this.knownRoute(context);
    if (!route) return result.records();

    return whenSettled(this.textOf(result, route, context, request), (text) => {
      if (text instanceof NeedsRecords) {
        route.report(text.reason);

        return result.records();
      }

      reportFastPath('text');

      return text;
    });
  }

  /** Logs why a handler that could have answered with text answers with records. */
  reportRecords(context: ExecutionContext): void {
    const route = isGenerated(context.getHandler()) ? this.knownRoute(context) : undefined;

    if (route?.model instanceof NeedsRecords) route.report(route.model.reason);
  }

  /** Why the platform must print the answer itself; only asked for long lists. */
  reasonAgainstPrinting(context: ExecutionContext): string | undefined {
    return this.reasonOf(context) ?? customJsonPrinter(this.adapterHost!.httpAdapter, httpResponseOf(context));
  }

  /** Whether interceptors of the application see the answer. */
  isObserved(context: ExecutionContext): boolean {
    return !this.config || responseObserver(context, this.config, this.own) !== undefined;
  }

  private textOf(
    result: CrudResult,
    { model }: TextRoute,
    context: ExecutionContext,
    request: CrudRequest | undefined,
  ): ReturnType<NonNullable<CrudResult['text']>> {
    if (model instanceof NeedsRecords) return model;

    const options = request?.parsed.classTransformOptions;
    const reason =
      options && Object.values(options).some((value) => value !== undefined)
        ? 'options of class-transformer (@CrudAuth)'
        : customJsonPrinter(this.adapterHost!.httpAdapter, httpResponseOf(context));

    return reason === undefined ? result.text!(model) : new NeedsRecords(reason);
  }

  private knownRoute(context: ExecutionContext): TextRoute | undefined {
    const ofController = getOrInsert(this.routes, context.getClass(), () => new Map<object, TextRoute | undefined>());
    const handler = context.getHandler();
    if (!ofController.has(handler)) ofController.set(handler, this.routeOf(context));

    return ofController.get(handler);
  }

  // Checked once per handler: Nest fixes its interceptors when it makes the routes.
  private routeOf(context: ExecutionContext): TextRoute | undefined {
    const definition = definitionOf(context.getClass());
    const name = routeOf(context.getHandler());
    if (!definition || !name || !ROUTES[name].text) return undefined;

    const { record, envelope } = responseShape(definition, name);
    const reason = this.reasonOf(context) ?? (envelope && 'a class for the envelope');
    const label = `${labelOf(context.getClass(), definition)}.${name}`;
    const log = debugOnce((why) => `${label}: answers are made of records, not written as text, because of ${why}`);

    return {
      model: reason === undefined && record ? record : new NeedsRecords(reason ?? 'serialization that is turned off'),
      report: (why) => {
        log(why);
        reportFastPath('text', why);
      },
    };
  }

  private reasonOf(context: ExecutionContext): string | undefined {
    if (!this.adapterHost || !this.config) return 'an unknown HTTP platform';
    if (!isGenerated(context.getHandler())) return 'a handler of the application';

    return responseObserver(context, this.config, this.own);
  }
}
