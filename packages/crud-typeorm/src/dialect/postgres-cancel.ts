/** PostgreSQL's request to cancel a statement, which has a connection of its own: the pool may have none left. */
import { connect, type NetConnectOpts } from 'node:net';

/** What is used of a client of `pg`. */
interface PgClient {
  readonly host?: unknown;
  readonly port?: unknown;
  readonly processID?: unknown;
  readonly secretKey?: unknown;
}

/** Number of the request in the protocol. */
const CANCEL = 80_877_102;
const LENGTH = 16;
/** Milliseconds that the server may take to listen. */
const PATIENCE = 5000;

/** The way to cancel what a client has the server do; nothing where the client does not tell which connection it has. */
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
    socket.setTimeout(PATIENCE, () => socket.destroy());
    // Whether the server has listened, it never tells.
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
    socket.resume();
  });
}
