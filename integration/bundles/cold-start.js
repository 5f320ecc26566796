/** Measures the cold start of a Lambda handler (fresh processes, medians), from `node_modules` and bundled. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compile, installPackages } from '../../scripts/application.js';
import { install } from '../../scripts/node-tests.js';
import { BUNDLERS } from './bundlers.js';

const STARTS = 9;
const here = import.meta.dirname;
const folder = join(here, 'nest12');
const home = mkdtempSync(join(tmpdir(), 'nestwright-cold-'));

for (const name of ['.', 'nest12']) install(join(here, name));
installPackages(folder);
mkdirSync(join(home, 'node_modules'));
symlinkSync(join(folder, 'node_modules/sql.js'), join(home, 'node_modules/sql.js'), 'junction');

const variants = {};
for (const format of ['esm', 'cjs']) {
  const out = join(folder, 'dist', `lambda-${format}`);
  compile(
    ['app', 'lambda'].map((name) => join(here, name)),
    out,
    format,
  );
  variants[`node_modules, ${format}`] = join(out, 'handler.js');
}
for (const [bundler, format, options] of [
  ['esbuild', 'esm', {}],
  ['esbuild', 'cjs', {}],
  ['esbuild', 'cjs', { minify: true }],
  ['webpack', 'cjs', {}],
]) {
  const name = `${bundler}, ${format}${options.minify ? ', minified' : ''}`;
  const outfile = join(home, `${name.replaceAll(', ', '-')}.${format === 'esm' ? 'mjs' : 'cjs'}`);
  const entry = join(folder, 'dist/lambda-esm/handler.js');
  // The workspace's own tsconfig.json leads to the sources of the packages.
  const installed = bundler === 'esbuild' ? { tsconfigRaw: {}, ...options } : options;
  await BUNDLERS[bundler](entry, outfile, format, [], installed);
  variants[name] = outfile;
}

const lastLineOf = (text) => text.trim().split('\n').at(-1);
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];
const found = Object.fromEntries(Object.keys(variants).map((name) => [name, []]));
// Turn by turn, so that what else the machine does falls on all alike.
for (let start = 0; start <= STARTS; start++) {
  for (const [name, file] of Object.entries(variants)) {
    const told = execFileSync(process.execPath, [join(here, 'invoke.js'), file], {
      encoding: 'utf8',
      cwd: dirname(file),
    });
    // The first fills the caches of the file system.
    if (start > 0) found[name].push(JSON.parse(lastLineOf(told)));
  }
}

const table = Object.entries(found).map(([name, starts]) => {
  const of = (key, per) => Math.round(median(starts.map((each) => each[key])) / per);

  return [
    name,
    {
      'load ms': of('load', 1),
      'first answer ms': of('first', 1),
      'CPU ms': of('cpu', 1),
      'memory MB': of('rss', 1e6),
      'file kB': Math.round(statSync(variants[name]).size / 1000),
    },
  ];
});
console.table(Object.fromEntries(table));
rmSync(home, { recursive: true, force: true });
