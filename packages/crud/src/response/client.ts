/** Whether the client of a request still waits for the answer. */
import { crudError } from '../errors/errors.js';
import type { CrudRequest } from '../crud-request.js';
import { type Client, stateOf } from './request-state.js';

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
type HttpRequest = Incoming & { readonly raw?: Incoming };

/** The client of an HTTP request. */
export class HttpClient implements Client {
  private readonly connection: Closing | null | undefined;

  constructor(http: object) {
    const { httpVersionMajor, raw } = http as HttpRequest;
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
  return stateOf(request)?.client;
}

/**
 * For adapters: ends the work for a client that has gone.
 *
 * @throws HttpException 499 `CRUD_CLIENT_CLOSED`, which only access logs see.
 */
export function refuseGone(client: Client | undefined): void {
  if (client?.isGone) throw crudError('CRUD_CLIENT_CLOSED');
}

/** Turns of the event loop after which the end of a connection is known: its data, its end and its closing take one each. */
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
