/** The package as a browser gets it: without anything of Node's, and working as a plain module script. Its size is tested with the packed packages. */
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createContext, runInContext } from 'node:vm';

const sources = fileURLToPath(new URL('../../src/', import.meta.url));

/** Bundles and minifies a script for browsers; what only Node has fails the build. */
async function bundle(script: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: sources },
    bundle: true,
    minify: true,
    write: false,
    format,
    platform: 'browser',
    target: 'es2022',
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

const QUERY = `{ fields: ['id'], filter: [['a', 'in', ['x,y', '🦉']]], or: ['b', 'isnull'], join: ['c', ['d']], sort: ['e', 'ASC'], limit: 1 }`;
const SCRIPT = `
  import { RequestQueryBuilder, RequestQueryParser } from './index.js';
  const printed = RequestQueryBuilder.create(${QUERY}).query();
  const { filter, join, limit } = RequestQueryParser.create().parseQuery(printed);
  globalThis.report(JSON.stringify({ filter, join, limit }));
`;
const EXPECTED = {
  filter: [{ field: 'a', operator: 'in', value: ['x,y', '🦉'] }],
  join: [{ field: 'c', select: ['d'] }],
  limit: 1,
};

test('needs nothing but the language itself', async () => {
  let reported = '';
  const context = createContext({ report: (text: string) => (reported = text) });
  runInContext(await bundle(SCRIPT, 'iife'), context);
  expect(JSON.parse(reported)).toEqual(EXPECTED);
});

const chromium = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && path !== '' && existsSync(path));
const inBrowser = chromium === undefined && process.env.REQUIRE_ALL !== '1' ? test.skip : test;

inBrowser(
  'it runs in Chromium as a plain module script',
  async () => {
    if (chromium === undefined) throw new Error('REQUIRE_ALL=1, but there is no Chromium; CHROMIUM may name one');

    const folder = await mkdtemp(join(tmpdir(), 'browser-'));
    try {
      const page = join(folder, 'page.html');
      const code = (await bundle(SCRIPT)).replaceAll('</', '<\\/');
      await writeFile(
        page,
        `<!doctype html><meta charset="utf-8"><pre></pre>
       <script>globalThis.report = (text) => { document.querySelector('pre').textContent = encodeURIComponent(text) }</script>
       <script type="module">${code}</script>`,
      );
      const { stdout } = await promisify(execFile)(chromium, [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        `--user-data-dir=${join(folder, 'profile')}`,
        '--virtual-time-budget=5000',
        '--dump-dom',
        `file://${page}`,
      ]);
      expect(JSON.parse(decodeURIComponent(/<pre>(.*)<\/pre>/.exec(stdout)?.[1] ?? 'null'))).toEqual(EXPECTED);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
  60_000,
);
