/** An HTTP request in, what the library noted on it out: which resource, route and entity it is for. */
import type { ExecutionContext } from '@nestjs/common';
import { type ARRIVAL_KEY, PARSED_CRUD_REQUEST_KEY, REQUEST_CONTEXT_KEY, type SHAPING_KEY } from '../constants.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { CrudRequest } from '../request/crud-request.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { Answer } from './arrival.js';

/** What later steps need to know of a request beside the `CrudRequest` itself. */
export interface RequestContext {
  readonly definition: ResourceDefinition;
  readonly route: BaseRouteName | undefined;
  readonly catalog: Catalog | undefined;
}

/** Express's and Fastify's request, as far as both are read here. */
export interface HttpRequest {
  /** Path and query string. */
  readonly url?: string;
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly query?: unknown;
  readonly params?: Record<string, string>;
  /** Parameters of the host, where the controller is bound to one. */
  readonly hosts?: Record<string, string>;
  readonly body?: unknown;
  [PARSED_CRUD_REQUEST_KEY]?: CrudRequest;
  [REQUEST_CONTEXT_KEY]?: RequestContext;
  [ARRIVAL_KEY]?: Promise<Answer>;
  [SHAPING_KEY]?: { isShaped: boolean };
}

/** The HTTP request of a context. `switchToHttp()` makes three functions whenever it is asked. */
export function httpRequestOf(context: ExecutionContext): HttpRequest {
  return context.getArgByIndex<HttpRequest>(0);
}

/** The HTTP response of a context. */
export function httpResponseOf<T extends object>(context: ExecutionContext): T {
  return context.getArgByIndex<T>(1);
}

/** Notes the context and the parsed request. */
export function setContext(http: HttpRequest, request: CrudRequest, context: RequestContext): void {
  http[PARSED_CRUD_REQUEST_KEY] = request;
  http[REQUEST_CONTEXT_KEY] = context;
}

/** What was noted; undefined where no interceptor of the library ran. */
export function contextOf(http: HttpRequest): RequestContext | undefined {
  return http[REQUEST_CONTEXT_KEY];
}

/** The parsed request, which an interceptor or guard of the application may have put there too. */
export function requestOf(http: HttpRequest): CrudRequest | undefined {
  return http[PARSED_CRUD_REQUEST_KEY];
}
