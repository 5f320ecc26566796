/** Runs a suite once per database and HTTP platform, each time against an example application of its own, over real HTTP. */
import { serveExample } from '../test-support/example.js';
import { type Api, clientOf, describeServed } from '../test-support/served.js';

export type { Answer, Api as ExampleApi } from '../test-support/served.js';

/**
 * Runs a suite against the seeded example on every database of the run and on both HTTP platforms.
 *
 * @example describeExample('companies', (api) => { test('…', async () => expect((await api.get('/companies')).status).toBe(200)); });
 */
export function describeExample(name: string, body: (api: Api) => void): void {
  describeServed(name, serveExample, (running) => body(clientOf(() => running().origin)));
}
