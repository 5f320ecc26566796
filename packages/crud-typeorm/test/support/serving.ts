/** Resources that are served while the tests of a block run. */
import { afterAll, beforeAll, expect } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { type Application, serve, type ServeOptions } from './resources.js';

interface ServingOptions extends ServeOptions {
  /** Stores what the tests find. */
  readonly fill?: (source: DataSource) => Promise<unknown>;
}

interface Served extends Application {
  statusOf(...sent: Parameters<Application['send']>): Promise<number>;
  /** The body of a GET, or the whole answer where it is a refusal. */
  read(path: string): Promise<any>; // Whatever the route answers.
}

/** Serves as {@link serve} does before the first test of the block, and closes after the last; until then there is nothing to ask. */
export function serving(
  db: Parameters<typeof serve>[0],
  entities: Parameters<typeof serve>[1],
  resources: Parameters<typeof serve>[2],
  { fill, ...options }: ServingOptions = {},
): Served {
  let application: Application;
  const send: Application['send'] = (...sent) => application.send(...sent);
  const served = {
    send,
    statusOf: async (...sent) => (await send(...sent)).status,
    read: async (path) => {
      const answer = await send('get', path);
      return answer.status === 200 ? answer.body : answer;
    },
  } as Served;

  beforeAll(async () => {
    application = await serve(db, entities, resources, options);
    Object.assign(served, application, { send });
    await fill?.(application.source);
  }, 60_000);
  afterAll(() => served.app?.close());
  return served;
}

type Method = Parameters<Application['send']>[0];
export type Exchange = readonly [Method, path: string, body: object | undefined, status: number, answer: unknown];

/** Sends requests one after the other, and expects that they are answered so. */
export async function expectAnswers({ send }: Pick<Application, 'send'>, exchanges: readonly Exchange[]) {
  const seen: Exchange[] = [];
  for (const [method, path, sent] of exchanges) {
    const { status, body } = await send(method, path, sent);
    seen.push([method, path, sent, status, body]);
  }
  expect(seen).toEqual(exchanges);
}
