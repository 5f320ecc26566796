/**
 * The requests in the documentation, sent to the applications that they are about and answered as the pages say. ```` ```http ```` is sent to the example,
 * ```` ```http workspace ```` to the workspace, ```` ```http home ```` to what docs/index.md shows. A page that writes has both to itself, freshly seeded; those that only read share them. `library` is what docs/start.md makes: `npm run test:start` sends those.
 */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type HttpExample, httpExamples, sendExample } from '../../scripts/http-examples.js';
import { DOCUMENTS, ROOT } from '../../scripts/test/markdown.js';
import { RECORDS as EXAMPLE } from '../example/src/database/seed-records.js';
import { serveExample } from '../test-support/example.js';
import { serveHome } from '../test-support/home.js';
import type { Served } from '../test-support/listening.js';
import { serveWorkspace } from '../test-support/workspace.js';
import { RECORDS as WORKSPACE } from '../workspace/src/database/seed-records.js';

const OPTIONS = { databaseUrl: 'sqljs:', http: 'express' } as const;
const APPLICATIONS = new Map<string, () => Promise<Served>>([
  ['', () => serveExample({ ...OPTIONS, records: EXAMPLE })],
  ['workspace', () => serveWorkspace({ ...OPTIONS, records: WORKSPACE })],
  ['home', serveHome],
]);

const PAGES = DOCUMENTS.map((page) => {
  const examples = httpExamples(readFileSync(join(ROOT, page), 'utf8'));
  return { page, examples: examples.filter(({ application }) => application !== 'library') };
}).filter(({ examples }) => examples.length > 0);

const shared = new Map<string, Served>();
afterAll(() => Promise.all([...shared.values()].map((each) => each.close())));

describe.each(PAGES)('$page', ({ examples }) => {
  const onlyReads = examples.every(({ line }) => line.startsWith('GET '));
  const served = onlyReads ? shared : new Map<string, Served>();

  beforeAll(async () => {
    for (const { application } of examples)
      if (!served.has(application)) served.set(application, await APPLICATIONS.get(application)!());
  });
  afterAll(async () => {
    if (!onlyReads) await Promise.all([...served.values()].map((each) => each.close()));
  });

  test.each<HttpExample>(examples)('$line', async (example) => {
    const { came, page } = await sendExample(served.get(example.application)!.origin, example);
    expect(came).toEqual(page);
  });
});

test('the front page lists the routes of the application', async () => {
  const page = readFileSync(join(ROOT, 'docs/index.md'), 'utf8');
  const listed = [...page.matchAll(/^\| `([A-Z]+)` \| `(\S+)` \|/gm)].map(([, method, path]) => `${method} ${path}`);
  const { app, close } = await serveHome();
  const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  await close();
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );
  expect(listed).toHaveLength(8);
  expect(listed.sort()).toEqual(routes.sort());
});
