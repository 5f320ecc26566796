/** An origin in; a client out that keeps its connections and sends paths and bodies as they stand, many at a time. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** What to send. */
export interface Call {
  readonly method?: Method;
  /** Path and query, encoded. */
  readonly path: string;
  /** Sent as JSON; a text as it stands. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What came back. */
export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Until the answer was complete, in ms. */
  readonly took: number;
}

const AT_ONCE = 6;

/** The body of an answer; what it is, the test asserts. */
export const read = <T = Record<string, unknown>>({ text }: Reply): T => JSON.parse(text) as T;

/** With the length, which Node does not tell of the body of a DELETE. */
const bodyHeaders = (text: string) => ({
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(text),
});

export class Wire {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });

  constructor(private readonly origin: string) {}

  send(call: Call): Promise<Reply> {
    const { method = 'GET', path, body, headers } = call;
    const started = performance.now();
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);

    // Nobody shares a connection that is to be closed.
    const agent = headers?.['connection'] === 'close' ? false : this.agent;

    return new Promise((resolve, reject) => {
      const sending = request(
        this.origin + path,
        { method, agent, headers: { ...(text && bodyHeaders(text)), ...headers } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('end', () =>
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              text: Buffer.concat(chunks).toString(),
              took: performance.now() - started,
            }),
          );
          response.on('error', reject);
        },
      );
      sending.on('error', (error: NodeJS.ErrnoException) => {
        // The server may close a connection that was long idle just when it is used again; it has read nothing of this request then.
        if (sending.reusedSocket && error.code === 'ECONNRESET') resolve(this.send(call));
        else reject(error);
      });
      sending.end(text);
    });
  }

  /** Works on all items, a few at a time. */
  static async each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = items.values();

    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        for (const item of queue) await work(item);
      }),
    );
  }

  close(): void {
    this.agent.destroy();
  }
}
