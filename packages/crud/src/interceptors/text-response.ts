/** A request to a generated route in, a note that its response may be text out, where no one but the client looks at it; an answer that is text goes out as the platform sends JSON. */
import type { ExecutionContext } from '@nestjs/common';
import type { AbstractHttpAdapter, ApplicationConfig, HttpAdapterHost } from '@nestjs/core';
import { debugOnce } from '../debug-once.js';
import { definitionOf } from '../definition/definitions.js';
import { labelOf } from '../definition/resource-labels.js';
import { FAST_PATHS } from '../fast-paths.js';
import { otherPrinter, otherReader } from '../nest/sole-reader.js';
import type { CrudRequest } from '../request/crud-request.js';
import { type JsonText, refuseText, reportFastPath, type TextWish, wantText } from '../response/json-text.js';
import { isGenerated } from '../routes/base-handlers.js';
import { routeOf } from '../routes/route-of.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { httpResponseOf } from './request-context.js';
import { responseShape } from '../serialization/index.js';

/** Routes whose handlers ask for text. */
const OFFERED: ReadonlySet<BaseRouteName> = new Set<BaseRouteName>([
  'getManyBase',
  'getOneBase',
  'createOneBase',
  'createManyBase',
  'updateOneBase',
]);

/** What is known of a handler before any request: what its text must be like, or why there is none. */
interface TextRoute {
  readonly wish?: TextWish;
  /** Why no request of the route gets text. */
  readonly reason?: string;
  /** Logs a reason once. */
  readonly tell: (reason: string) => void;
}

/** Offers text to the handlers of one application. */
export class TextOffer {
  /** By controller and handler, which a controller may have from its base class. */
  private readonly routes = new WeakMap<object, Map<object, TextRoute>>();

  /** @param own The library's interceptors, in their order. */
  constructor(
    private readonly adapterHost: HttpAdapterHost | undefined,
    private readonly config: ApplicationConfig | undefined,
    private readonly own: readonly unknown[],
  ) {}

  /** Notes that text will do for a request; otherwise tells, once per route, why not. */
  make(context: ExecutionContext, request: CrudRequest | undefined): void {
    if (!FAST_PATHS || !request) return;

    const route = this.knownRoute(context);
    if (!route.wish) {
      if (route.reason !== undefined) refuseText(request, route.reason);

      return;
    }

    const reason = this.reasonAgainst(context, request);

    if (reason === undefined) {
      wantText(request, route.wish);
    } else {
      refuseText(request, reason);
      route.tell(reason);
    }
  }

  /** Why the platform itself must print what a handler returned; asked for long lists alone. */
  reasonAgainstPrinting(context: ExecutionContext): string | undefined {
    return this.reasonOf(context) ?? otherPrinter(this.adapterHost!.httpAdapter, httpResponseOf(context));
  }

  private knownRoute(context: ExecutionContext): TextRoute {
    let ofController = this.routes.get(context.getClass());
    if (!ofController) this.routes.set(context.getClass(), (ofController = new Map()));

    let route = ofController.get(context.getHandler());
    if (!route) ofController.set(context.getHandler(), (route = this.routeOf(context)));

    return route;
  }

  // Nest fixes what stands around a handler when it makes the routes, so that one look is enough.
  private routeOf(context: ExecutionContext): TextRoute {
    const definition = definitionOf(context.getClass());
    const name = routeOf(context.getHandler());
    if (!definition || !name || !OFFERED.has(name)) return { tell: () => undefined };

    const { record, envelope } = responseShape(definition, name);
    const route = `${labelOf(context.getClass(), definition)}.${name}`;
    const tell = debugOnce(
      (reason) => `${route}: answers are made of records, not written as text, because of ${reason}`,
    );
    const reason =
      this.reasonOf(context) ??
      (envelope ? 'a class for the envelope' : record ? undefined : 'serialization that is turned off');

    if (reason !== undefined) {
      tell(reason);

      return { tell, reason };
    }

    const report = (why: string): void => {
      tell(why);
      reportFastPath('text', why);
    };

    return { tell, ...(record && { wish: { model: record, report } }) };
  }

  private reasonOf(context: ExecutionContext): string | undefined {
    if (!this.adapterHost || !this.config) return 'an unknown HTTP platform';
    if (!isGenerated(context.getHandler())) return 'a handler of the application';

    return otherReader(context, this.config, this.own);
  }

  private reasonAgainst(context: ExecutionContext, { parsed }: CrudRequest): string | undefined {
    const options = parsed.classTransformOptions;

    if (options && Object.values(options).some((value) => value !== undefined))
      return 'options of class-transformer (@CrudAuth)';

    return otherPrinter(this.adapterHost!.httpAdapter, httpResponseOf(context));
  }
}

/** The text of an answer, under the content type that the platform gives to JSON. */
export function sendText({ text }: JsonText, context: ExecutionContext, adapter: AbstractHttpAdapter): string {
  setJsonType(context, adapter);

  return text;
}

/** Gives a response the content type of JSON. */
export function setJsonType(context: ExecutionContext, adapter: AbstractHttpAdapter): void {
  const response = httpResponseOf(context);

  // A content type that middleware chose stays, as it does for records.
  if (!adapter.getHeader(response, 'content-type')) {
    adapter.setHeader(response, 'content-type', 'application/json; charset=utf-8');
  }
}
