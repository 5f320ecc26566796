import type { ExecutionContext } from '@nestjs/common';
import { HTTP_STATE_KEY, PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { CrudRequest } from '../crud-request.js';
import type { CrudResult } from '../response/result.js';
import type { BaseRouteName } from '../routes/route-table.js';

/** What later steps need to know of a request beside the `CrudRequest` itself. */
export interface RequestContext {
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName | undefined;
  readonly catalog: Catalog | undefined;
}

/** Runs a verb, and makes the response of its result. */
export type Respond = (verb: () => Promise<CrudResult>) => Promise<unknown>;

/** Express's and Fastify's request, as far as both are read here. */
export interface HttpRequest {
  /** Path and query string. */
  readonly url?: string;
  /** The same as the client sent it, if Express has mounted the application below a path. */
  readonly originalUrl?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly query?: unknown;
  readonly params?: Record<string, string>;
  /** Parameters of the host, if the controller is bound to one. */
  readonly hosts?: Record<string, string>;
  readonly body?: unknown;
  [PARSED_CRUD_REQUEST_KEY]?: CrudRequest;
  [HTTP_STATE_KEY]?: HttpState;
}

/**
 * The library's state of an HTTP request, in one object: adding a property to a request takes longer than parsing one.
 */
export interface HttpState {
  context: RequestContext | undefined;
  /** How the request is answered once it is parsed, if a pipe parses it. */
  respond: Promise<Respond> | undefined;
  /** Whether the library has shaped the response; undefined unless an interceptor asked for it. */
  isShaped: boolean | undefined;
}

/** The state of an HTTP request, created if it has none yet. */
export function ensureHttpState(http: HttpRequest): HttpState {
  return (http[HTTP_STATE_KEY] ??= { context: undefined, respond: undefined, isShaped: undefined });
}

/** The HTTP request of a context, without `switchToHttp()`, which creates three functions on each call. */
export function httpRequestOf(context: ExecutionContext): HttpRequest {
  return context.getArgByIndex<HttpRequest>(0);
}

export function httpResponseOf<T extends object>(context: ExecutionContext): T {
  return context.getArgByIndex<T>(1);
}

/** Stores the context and the parsed request. */
export function setContext(http: HttpRequest, request: CrudRequest, context: RequestContext): void {
  http[PARSED_CRUD_REQUEST_KEY] = request;
  ensureHttpState(http).context = context;
}

/** The context; undefined if no interceptor of the library ran. */
export function contextOf(http: HttpRequest): RequestContext | undefined {
  return http[HTTP_STATE_KEY]?.context;
}

/** The parsed request, which an interceptor or guard of the application may have put there too. */
export function requestOf(http: HttpRequest): CrudRequest | undefined {
  return http[PARSED_CRUD_REQUEST_KEY];
}

/** Begins to track whether the library shapes the response, for a subclass of `CrudResponseInterceptor`. */
export function trackShaping(http: HttpRequest): void {
  ensureHttpState(http).isShaped ??= false;
}

/** Records that the library has shaped the response, if that is tracked. */
export function markShaped(http: HttpRequest): void {
  const state = http[HTTP_STATE_KEY];

  if (state?.isShaped === false) state.isShaped = true;
}

/** Whether the library has shaped the response before an interceptor that tracks it. */
export function isAlreadyShaped(http: HttpRequest): boolean {
  return http[HTTP_STATE_KEY]?.isShaped === true;
}
