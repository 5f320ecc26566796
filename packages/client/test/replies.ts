/** What a server may answer. */
import type { ServerResponse } from 'node:http';

export type Reply = (response: ServerResponse) => void;

export function json(status: number, body: unknown, headers: Record<string, string> = {}): Reply {
  return (response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', connection: 'close', ...headers })
      .end(JSON.stringify(body));
}

export function raw(status: number, body: string): Reply {
  return (response) => response.writeHead(status, { 'content-type': 'text/html', connection: 'close' }).end(body);
}

export const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100', connection: 'close' });
  response.write('[{"id": 1');
  setTimeout(() => response.destroy(), 20);
};
export const refused: Reply = (response) => void response.destroy();
export const silent: Reply = () => undefined;
