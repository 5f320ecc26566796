/**
 * The platform's request and response, and what the library keeps on a request of HTTP and on the `CrudRequest` made of
 * it.
 */
import type { SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import type { ConditionForm } from '../definition/route-behaviour.js';
import { crudError } from '../errors.js';
import type { PageLinks } from './page-links.js';
import { HTTP_STATE_KEY, type PARSED_CRUD_REQUEST_KEY } from '../constants.js';
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
  /**
   * Whether the library has shaped the response; undefined unless an override of `CrudResponseInterceptor` asked for
   * it.
   */
  isShaped?: boolean;
  trace?: Trace;
}

/** The state of an HTTP request, created if it has none yet. */
export function ensureHttpState(http: HttpRequest): HttpState {
  return (http[HTTP_STATE_KEY] ??= {});
}

/** The text of a header; undefined if it was not sent. */
export function readHeader({ headers }: HttpRequest, name: string): string | undefined {
  const value = headers?.[name];

  return typeof value === 'string' ? value : undefined;
}

/** The client of a request. */
export interface Client {
  /** Whether its connection, or its stream of HTTP/2, has closed before the answer. */
  readonly isGone: boolean;
}

/** The outcome of a request. */
export interface Outcome {
  /** PUT made the record: 201 in place of 200. */
  readonly created?: boolean;
  /** POST changed the record that was there: 200 in place of 201. */
  readonly updated?: boolean;
  /** The default ceiling cut a plain array: header `X-Crud-Truncated`. */
  readonly truncated?: boolean;
  /** The other pages of the list: header `Link`. */
  readonly links?: PageLinks;
  /** The tag of the stored record that the answer shows, as `rowTagOf` makes it; never one of a later state. */
  readonly row?: string;
}

/** What later steps need to know of a request. */
export interface RequestState {
  outcome?: Outcome;
  client?: Client;
  /** The client's condition, as long as its values (and those of filters and joins) are texts. */
  texts?: SCondition | undefined;
  /** The form of the client's condition, on routes that write by one. Default: `none`. */
  conditionForm?: ConditionForm;
}

/** Returns its argument from the constructor, so that a subclass adds private members to an existing object. */
class ReturnsArgument {
  constructor(object: object) {
    return object;
  }
}

/**
 * A request with its state in a private member rather than in a WeakMap, whose entries V8 keeps for one garbage
 * collection longer: as they hold the HTTP request, that is an eighth of the cost of a small request.
 */
class RequestWithState extends ReturnsArgument {
  #state: RequestState = {};

  static read(request: CrudRequest): RequestState | undefined {
    return #state in request ? request.#state : undefined;
  }

  static ensure(request: CrudRequest): RequestState {
    return #state in request ? request.#state : new RequestWithState(request).#state;
  }
}

/** The state of a request; undefined if nothing was set on it, as on a copy of a request. */
export const readState = RequestWithState.read;

/** The state of a request, created if it has none yet. */
export const ensureState = RequestWithState.ensure;

/** For adapters: sets the outcome of a request. */
export function reportOutcome(request: CrudRequest, outcome: Outcome): void {
  const state = ensureState(request);

  state.outcome = { ...state.outcome, ...outcome };
}

/** The reported outcome; empty if none was reported. */
export function outcomeOf(request: CrudRequest): Outcome {
  return readState(request)?.outcome ?? {};
}

interface Closing {
  readonly destroyed?: boolean;
}

/** Node's request. */
interface Incoming {
  readonly httpVersionMajor?: number;
  readonly stream?: Closing;
  readonly socket?: Closing | null;
}

/** Express's request, which is Node's own, or Fastify's, which holds it. */
type PlatformRequest = Incoming & { readonly raw?: Incoming };

/** The client of an HTTP request. */
export class HttpClient implements Client {
  private readonly connection: Closing | null | undefined;

  constructor(http: object) {
    const { httpVersionMajor, raw } = http as PlatformRequest;
    const incoming: Incoming = httpVersionMajor === undefined ? (raw ?? http) : http;
    // Looking up a missing property takes longer than everything else here.
    this.connection = incoming.httpVersionMajor === 1 ? incoming.socket : (incoming.stream ?? incoming.socket);
  }

  get isGone(): boolean {
    return this.connection?.destroyed === true;
  }
}

/**
 * For adapters: the client of a request, if that came by HTTP; a copy of the request has none.
 *
 * @example
 * refuseGone(clientOf(request)); // before a statement is sent
 */
export function clientOf(request: CrudRequest): Client | undefined {
  return readState(request)?.client;
}

/**
 * For adapters: ends the work for a client that has gone.
 *
 * @throws HttpException 499 `CRUD_CLIENT_CLOSED`, which only access logs see.
 */
export function refuseGone(client: Client | undefined): void {
  if (client?.isGone) throw crudError('CRUD_CLIENT_CLOSED');
}

/**
 * Turns of the event loop after which the end of a connection is known: its data, its end and its closing take one
 * each.
 */
const TURNS = 3;

/**
 * For adapters: {@link refuseGone}, after waiting until a disconnect would be known. A busy process reads requests
 * late, and notices disconnects even later.
 *
 * @throws HttpException 499 `CRUD_CLIENT_CLOSED`, which nobody will see.
 */
export async function refuseLeaving(client: Client): Promise<void> {
  for (let turn = 0; turn < TURNS && !client.isGone; turn += 1)
    await new Promise<void>((resolve) => void setImmediate(resolve));

  refuseGone(client);
}
