/** Transactions that `@nestjs-cls/transactional` has opened, on each database: services join them, what fails later undoes what was written, and commits are told at their end. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { describeDatabases } from '../../../../integration/test-support/index.js';

const LOADER = new URL('../../../../integration/test-support/typescript-sources.mjs', import.meta.url).href;
const WRITER = fileURLToPath(new URL('./cls-writer.ts', import.meta.url));

interface Found {
  readonly status: number;
  readonly answer: unknown;
  readonly commits: readonly string[][];
  readonly stored: readonly string[];
}

describeDatabases('@nestjs-cls/transactional', (db) => {
  let found: Record<'committed' | 'undone' | 'nested' | 'own', Found>;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', '--import', LOADER, WRITER], {
      env: { ...process.env, CONNECTION: JSON.stringify(db.connection) },
    });
    found = JSON.parse(stdout.trim().split('\n').at(-1)!) as typeof found;
  }, 120_000);

  test('writes are in the transaction, and read there; they are told at its commit', () => {
    expect(found.committed).toEqual({
      status: 201,
      answer: { titles: ['a', 'b'], early: [] },
      commits: [['a'], ['b']],
      stored: ['a', 'b'],
    });
  });

  test('a later failure undoes them, and nothing is told', () => {
    expect(found.undone).toMatchObject({ status: 409, commits: [], stored: [] });
  });

  test('a nested transaction that fails is undone alone', () => {
    expect(found.nested).toMatchObject({ status: 201, commits: [['outer']], stored: ['outer'] });
  });

  test('routes outside of one have transactions of their own', () => {
    expect(found.own).toMatchObject({ status: 201, commits: [['own']], stored: ['own'] });
  });
});
