/** The platform's HTTP request and response, and what the library keeps on a request. */
import { HTTP_STATE_KEY, type PARSED_CRUD_REQUEST_KEY } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Trace } from '../diagnostics.js';

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

/** Express's response or Fastify's reply. */
export interface HttpResponse {
  readonly statusCode: number;
}

/**
 * What several interceptors share of an HTTP request, in one object; most requests have none, since adding a property
 * to one takes longer than parsing it.
 */
export interface HttpState {
  /** The resource with the options that an override of `getCrudInfo` gave. Default: the controller's. */
  definition?: ResourceDefinition;
  /** Whether the library has shaped the response; undefined unless an override of `CrudResponseInterceptor` asked for it. */
  isShaped?: boolean;
  trace?: Trace;
}

/** The state of an HTTP request, created if it has none yet. */
export function ensureState(http: HttpRequest): HttpState {
  return (http[HTTP_STATE_KEY] ??= {});
}

/** The text of a header; undefined if it was not sent. */
export function readHeader({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers?.[name];

  return typeof value === 'string' ? value : undefined;
}
