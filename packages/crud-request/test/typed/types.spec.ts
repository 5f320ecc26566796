/** The types of the builder accept and refuse what `usage.ts` says, and cost the compiler little for an entity of 30 fields and 8 relations. */
import { describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { mistakesUnder, NEST_11_CHECKS } from '../../../../integration/test-support/compile.js';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '../../../..');

/** Compiles files with the options of the project; the compiler's output, and its exit code. */
async function compile(files: readonly string[], ...flags: string[]): Promise<{ code: number; output: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'types-'));
  const project = join(folder, 'tsconfig.json');
  await writeFile(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: { typeRoots: [join(root, 'node_modules/@types')] },
      include: [],
      files,
    }),
  );
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      project,
      ...flags,
    ]);
    return { code: 0, output: stdout };
  } catch (error) {
    const { code, stdout } = error as { code: number; stdout: string };
    return { code, output: stdout };
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('types', () => {
  test('accept and refuse what they should', async () => {
    expect(await compile([join(here, 'usage.ts')])).toEqual({ code: 0, output: '' });
  }, 120_000);

  test('accept and refuse the same in a project that Nest 11 generated', () => {
    expect(mistakesUnder(NEST_11_CHECKS, join(here, 'usage.ts'))).toEqual([]);
  }, 120_000);

  test('cost the compiler little for an entity of 30 fields and 8 relations', async () => {
    // How often the compiler instantiates a type is the same on every machine; what that takes in time is measured by `benchmarks/request`.
    const instantiations = async (file: string): Promise<number> => {
      const { code, output } = await compile([join(here, file)], '--extendedDiagnostics');
      expect(code).toBe(0);
      return Number(/Instantiations:\s+(\d+)/.exec(output)?.[1]);
    };
    const spent = (await instantiations('benchmark.ts')) - (await instantiations('benchmark-baseline.ts'));
    expect(spent).toBeGreaterThan(1000);
    expect(spent).toBeLessThan(200_000);
  }, 240_000);
});
