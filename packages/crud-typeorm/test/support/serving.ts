/** Resources that are served while the tests of a block run. */
import { afterAll, beforeAll } from '@jest/globals';
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
