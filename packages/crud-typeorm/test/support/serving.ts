/** Resources that are served while the tests of a block run. */
import { afterAll, beforeAll } from '@jest/globals';
import { type Application, serve } from './resources.js';

/** Serves as {@link serve} does before the first test of the block, and closes after the last; until then there is nothing to ask. */
export function serving(...what: Parameters<typeof serve>): Application {
  const served = {} as Application;

  beforeAll(async () => void Object.assign(served, await serve(...what)));
  afterAll(() => served.app?.close());

  return served;
}
