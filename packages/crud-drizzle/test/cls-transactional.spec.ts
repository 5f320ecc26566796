/** Transactions that `@nestjs-cls/transactional` has opened by its adapter for Drizzle: services on its database join them. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../integration/test-support/index.js';

const LOADER = new URL('../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;
const WRITER = fileURLToPath(new URL('./cls-writer.ts', import.meta.url));

interface Found {
  readonly status: number;
  readonly answer: unknown;
  readonly stored: readonly string[];
}

// SQLite's drivers end a transaction of Drizzle before work that awaits.
describeDatabases(
  '@nestjs-cls/transactional',
  ({ kind, url }) => {
    let found: Record<'committed' | 'undone' | 'nested' | 'own', Found>;

    beforeAll(async () => {
      const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--import', LOADER, WRITER], {
        env: { ...process.env, DATABASE: JSON.stringify({ kind, url }) },
      });
      found = JSON.parse(stdout.trim().split('\n').at(-1)!) as typeof found;
    }, 120_000);

    test('writes are in the transaction, and read there', () =>
      expect(found.committed).toEqual({ status: 201, answer: ['a', 'b'], stored: ['a', 'b'] }));

    test('a later failure undoes them', () => expect(found.undone).toMatchObject({ status: 409, stored: [] }));

    test('a nested transaction that fails is undone alone', () =>
      expect(found.nested).toMatchObject({ status: 201, stored: ['outer'] }));

    test('routes outside of one have transactions of their own', () =>
      expect(found.own).toMatchObject({ status: 201, stored: ['own'] }));
  },
  ['postgres', 'mysql'],
);
