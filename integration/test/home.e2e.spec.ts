/** The front page of the site: its code is that of the application which answers as the page says (documentation.e2e.spec.ts), and has the routes that it lists. */
import { expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../scripts/test/markdown.js';
import { serveHome } from '../test-support/home.js';

const PAGE = readFileSync(join(ROOT, 'docs/index.md'), 'utf8');

test('the page shows every file of the application', () => {
  const shown = [...PAGE.matchAll(/^<<< \.\.\/integration\/home\/src\/([\w.]+)\S* \[\1\]$/gm)].map(([, file]) => file);

  expect(shown.sort()).toEqual(readdirSync(join(ROOT, 'integration/home/src')).sort());
});

test('the page lists the routes of the application', async () => {
  const listed = [...PAGE.matchAll(/^\| `([A-Z]+)` \| `(\S+)` \|/gm)].map(([, method, path]) => `${method} ${path}`);
  const { app, close } = await serveHome();
  const { paths } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  await close();
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`),
  );

  expect(listed).toHaveLength(8);
  expect(listed.sort()).toEqual(routes.sort());
});
