/** What a server that is told what to answer is told. */
import type { ServerResponse } from 'node:http';

export type Reply = (response: ServerResponse) => void;
export const raw =
  (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html', connection: 'close', ...headers }).end(body);
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  raw(status, JSON.stringify(body), { 'content-type': 'application/json', ...headers });
export const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100', connection: 'close' });
  response.write('[{"id": 1');
  setTimeout(() => response.destroy(), 20);
};

export const refused: Reply = (response) => void response.destroy();
export const silent: Reply = () => undefined;
export const SIGN_IN = raw(200, '<html>sign in</html>');
export const NOT_FOUND = json(404, { code: 'CRUD_NOT_FOUND' });
