/** Resources that are served for the tests of one block. */
import { afterAll, beforeAll } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { type Application, serve, type ServeOptions } from './resources.js';

interface ServingOptions extends ServeOptions {
  /** Stores what the tests find. */
  readonly fill?: (source: DataSource) => Promise<unknown>;
}

/** Serves resources from before the first test of a block until after its last. */
export function serving(
  db: Parameters<typeof serve>[0],
  entities: Parameters<typeof serve>[1],
  resources: Parameters<typeof serve>[2],
  { fill, ...options }: ServingOptions = {},
) {
  let served: Application;
  const send: Application['send'] = (...sent) => served.send(...sent);

  beforeAll(async () => {
    served = await serve(db, entities, resources, options);
    await fill?.(served.source);
  }, 60_000);
  afterAll(() => (served as Application | undefined)?.app.close());

  return {
    get app() {
      return served.app;
    },
    get url() {
      return served.url;
    },
    get source() {
      return served.source;
    },
    send,
    statusOf: async (...sent: Parameters<typeof send>) => (await send(...sent)).status,
    /** The body of a GET, or the whole answer where it is a refusal. */
    read: async (path: string): Promise<any> => {
      const answer = await send('get', path);

      // Whatever the route answers.
      return answer.status === 200 ? answer.body : answer;
    },
  };
}
