/** Transactions that `@nestjs-cls/transactional` has opened by its adapter for Drizzle: services on its database join them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { describeDatabases } from '../../../integration/test-support/index.js';

const LOADER = new URL('../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;
const WRITER = fileURLToPath(new URL('./cls-writer.ts', import.meta.url));

// SQLite's drivers end a transaction of Drizzle before work that awaits.
describeDatabases(
  '@nestjs-cls/transactional',
  ({ kind, url }) => {
    test('writes are part of the transaction and undone with it; other routes have their own', async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--import', LOADER, WRITER], {
        env: { ...process.env, DATABASE: JSON.stringify({ kind, url }) },
      });
      expect(JSON.parse(stdout.trim().split('\n').at(-1)!)).toMatchObject({
        committed: { status: 201, answer: ['a', 'b'], stored: ['a', 'b'] },
        undone: { status: 409, stored: [] },
        own: { status: 201, stored: ['own'] },
      });
    }, 120_000);
  },
  ['postgres', 'mysql'],
);
