/** docs/drizzle.md, followed from its tables to its requests. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describeDatabases } from '../../../integration/test-support/index.js';

const ROOT = resolve(import.meta.dirname, '../../..');
const LOADER = new URL('../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;

describeDatabases(
  'five minutes with Drizzle',
  ({ url }) => {
    test('the application of the page starts, and answers its requests', async () => {
      // Where the packages that it imports are found, and outside what any of them publishes.
      const outputs = join(ROOT, 'dist');
      await mkdir(outputs, { recursive: true });
      const folder = await mkdtemp(join(outputs, 'page-'));
      const server = join(import.meta.dirname, 'page-server.ts');
      const parameters = [join(ROOT, 'docs/drizzle.md'), join(folder, 'page.ts')];
      try {
        const { stdout } = await promisify(execFile)(
          process.execPath,
          ['--no-warnings', '--import', LOADER, server, ...parameters],
          { env: { ...process.env, DATABASE_URL: url } },
        );
        const [created, listed] = JSON.parse(stdout.trim().split('\n').at(-1)!) as [number, unknown][];
        const ada = { id: 1, email: 'ada@example.com', isActive: true, deletedAt: null, companyId: null };
        expect(created).toEqual([201, ada]);
        expect(listed).toEqual([200, [{ ...ada, company: null }]]);
      } finally {
        await rm(folder, { recursive: true });
      }
    }, 120_000);
  },
  ['postgres'],
);
