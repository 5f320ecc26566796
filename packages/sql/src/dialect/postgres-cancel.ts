/** Sends PostgreSQL's cancel request, over a new connection, since the pool may have none left. */
import { connect, type NetConnectOpts } from 'node:net';

/** The members of a `pg` client that are used. */
interface PgClient {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly processID?: unknown;
  readonly secretKey?: unknown;
}

/** Number of the request in the protocol. */
const CANCEL = 80_877_102;
const LENGTH = 16;
/** Timeout of the cancel request, in milliseconds. */
const TIMEOUT_MS = 5000;

/** Returns a function that cancels a client's statement; undefined if the client does not expose its connection. */
export function cancelRequest(client: unknown): () => Promise<void> {
  const { host, port, processID, secretKey } = (client ?? {}) as PgClient;
  if (typeof host !== 'string' || !Number.isInteger(processID) || !Number.isInteger(secretKey))
    return () => Promise.resolve();

  const request = Buffer.alloc(LENGTH);
  [LENGTH, CANCEL, processID as number, secretKey as number].forEach((value, index) =>
    request.writeInt32BE(value | 0, index * 4),
  );
  const address: NetConnectOpts = host.startsWith('/')
    ? { path: `${host}/.s.PGSQL.${String(port)}` }
    : { host, port: Number(port) };

  return () => send(request, address);
}

function send(request: Buffer, address: NetConnectOpts): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(address, () => socket.end(request));
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    // The server never confirms a cancel request.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
