import { type ExecutionContext, Logger, type Type } from '@nestjs/common';
import type { ApplicationConfig } from '@nestjs/core';
import { getAction } from '../decorators.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { findObserver } from '../nest/response-observers.js';
import type { Catalog } from '../plan/catalog.js';
import { describeRequests, type RequestRoute } from '../request/request-route.js';
import { reportFastPath } from '../response/result.js';
import { isGenerated, readRouteName } from '../routes/handlers.js';
import { type RouteDescriptor, ROUTES } from '../routes/route-table.js';
import { type ResponseShape, responseShape } from '../serialization/serialize.js';
import { readLabel } from '../startup/find-resources.js';
import { judgePaths } from '../visibility/path-states.js';
import type { BodyReader } from '../validation/body-reader.js';
import type { HttpRequest } from '../response/request-state.js';
import { listRefusals } from '../conditional/preconditions.js';

/** What is known of a handler before any of its requests. */
export interface Route extends RequestRoute {
  /** Checks of the header that may refuse a request. */
  readonly refusals: readonly ((http: HttpRequest) => void)[];
  /** The classes that shape its answers. */
  readonly shape: ResponseShape;
  /** Why the application sees what it answers; undefined if it does not. */
  readonly observer: string | undefined;
  /** How it answers with JSON text. Default: never. */
  readonly text: TextRoute | undefined;
  /** What its entity tags identify; undefined if it has none. */
  readonly tag: RouteDescriptor['tag'];
  /** What reads its bodies, made with the first one; in request scope again if the global pipes have changed. */
  known?: { readonly reader: BodyReader; readonly live: readonly unknown[] | undefined };
}

/** A route that answers with JSON text if nothing stands against it. */
export interface TextRoute {
  /** Class that shapes the records. */
  readonly model: Type<unknown> | undefined;
  /** Why no request of the route gets text; undefined if requests may. */
  readonly obstacle: string | undefined;
  /** Publishes why an answer is not sent as text, and logs it once. */
  readonly report: (obstacle: string) => void;
}

/** What a route is made of. */
interface Handler {
  readonly controller: Type<unknown>;
  readonly handler: ReturnType<ExecutionContext['getHandler']>;
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly config: ApplicationConfig | undefined;
}

const own = new WeakSet<object>();

/** Notes an interceptor of the library, which keeps no answer from being text. */
export function noteOwnInterceptor(type: object): void {
  own.add(type);
}

/** Settles what depends on options and metadata alone. */
export function makeRoute({ controller, handler, definition, catalog, config }: Handler): Route {
  const name = readRouteName(handler);
  const shape: ResponseShape = name ? responseShape(definition, name) : { record: undefined };
  const observer = config
    ? findObserver({ controller, handler }, config, (interceptor) => own.has(interceptor as object))
    : 'an unknown HTTP platform';
  const { tag, text = false } = name ? ROUTES[name] : {};

  return {
    ...describeRequests({
      name,
      action: getAction<string | undefined>(handler),
      definition,
      catalog,
      makeJudge: catalog && ((options) => judgePaths(definition, catalog, options)),
    }),
    refusals: listRefusals(definition, name),
    shape,
    observer,
    text:
      text && isGenerated(handler)
        ? makeTextRoute(shape, observer, `${readLabel({ controller, definition })}.${name}`)
        : undefined,
    tag: definition.options.query.etag === true ? tag : undefined,
  };
}

function makeTextRoute({ record, envelope }: ResponseShape, observer: string | undefined, label: string): TextRoute {
  const logged = new Set<string>();
  const obstacle =
    observer ?? (envelope && 'a class for the envelope') ?? (record ? undefined : 'serialization that is turned off');

  return {
    model: record || undefined,
    obstacle,
    report: (why) => {
      if (!logged.has(why))
        new Logger('Crud').debug(`${label}: answers are made of records, not written as text, because of ${why}`);
      logged.add(why);
      reportFastPath('text', why);
    },
  };
}
