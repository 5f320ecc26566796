/**
 * Bundles the modules of each package as `tsc -b` compiled them (`dist/modules`) into one file per entry and format in `dist`, with declarations and source maps. What two entries
 * share is a file of its own, `shared`. A warning of the bundler is refused.
 * `--esm`: the ES modules alone, which is all that running the examples takes.
 */
import { readdir, readFile, rm } from 'node:fs/promises';
import { basename, isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { esm: { type: 'boolean', default: false } } });

/** An enum as the compiler writes it: a variable that a function fills in. */
const ENUM = /^export var (\w+);\n\(function \(\1\) \{\n([^]*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);/gm;

/** The same as one expression without side effects, which a bundler of applications drops where nobody uses it. No line moves, since the source map counts them. */
const PURE_ENUM = 'export var $1 = /* @__PURE__ */\n(function ($1) {\n$2 return $1;\n})({});';

/** Each module comes with the compiler's own map, so that a bundle's map leads to the TypeScript sources. */
const compiledModules = {
  name: 'compiled-modules',
  async load(id) {
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);
    return { code: code.replace(ENUM, PURE_ENUM), map };
  },
};

/** A CommonJS module stays a file of its own, which both formats load: a bundler of applications must find its `require`s as they stand. */
const commonJsModules = {
  name: 'commonjs-modules',
  async resolveId(id, importer) {
    if (!id.endsWith('.cjs')) return null;
    const path = resolve(importer, '..', id);
    const map = JSON.parse(await readFile(`${path}.map`, 'utf8'));
    map.sources = map.sources.map((source) => `../${source.slice(source.lastIndexOf('src/'))}`);
    this.emitFile({ type: 'asset', fileName: basename(id), source: await readFile(path) });
    this.emitFile({ type: 'asset', fileName: `${basename(id)}.map`, source: JSON.stringify(map) });
    return { id: `./${basename(id)}`, external: true };
  },
};

const common = {
  // Peers, siblings and Node's own modules stay what they are: imports by name.
  external: (id) => !id.startsWith('.') && !isAbsolute(id),
  onLog(level, { code, message }) {
    // The compiler's functions for decorators ask for `this`; and what two entries share has types that neither exports, as each alone has.
    if (level === 'warn' && code !== 'THIS_IS_UNDEFINED' && !/private shared type exports/.test(message))
      throw new Error(message);
  },
};

/** The package ships its sources, so that the maps need not hold them once more. */
const maps = { sourcemap: true, sourcemapExcludeSources: true };

/** The public entries of each package: modules of its `src`. */
const ENTRIES = { 'crud-request': ['index'], crud: ['index', 'adapter'], 'crud-typeorm': ['index'] };

async function bundle([name, entries]) {
  const out = join(root, 'packages', name, 'dist');
  // Nothing of an earlier build may be taken for this one's.
  for (const file of await readdir(out)) if (file !== 'modules') await rm(join(out, file), { recursive: true });

  const inputs = (extension) =>
    Object.fromEntries(entries.map((entry) => [entry, join(out, `modules/${entry}.${extension}`)]));
  const named = (extension) => ({
    ...maps,
    dir: out,
    entryFileNames: `[name].${extension}`,
    chunkFileNames: `shared.${extension}`,
    minifyInternalExports: false,
  });

  const code = await rollup({
    ...common,
    input: inputs('js'),
    plugins: [commonJsModules, compiledModules],
    // Next to nothing is unused, and looking for it takes half of the time.
    treeshake: false,
  });
  await code.write({ ...named('js'), format: 'es' });
  if (options.esm) return;
  await code.write({
    ...named('cjs'),
    format: 'cjs',
    exports: 'named',
    esModule: true,
    interop: 'esModule',
    generatedCode: { constBindings: true },
  });

  const types = await rollup({
    ...common,
    input: inputs('d.ts'),
    plugins: [dts({ sourcemap: true })],
  });
  for (const extension of ['d.ts', 'd.cts']) await types.write({ ...named(extension), format: 'es' });
}

/** A command: one ES module, which nobody imports. */
async function bundleCommand(name) {
  const out = join(root, 'packages', name, 'dist');
  for (const file of await readdir(out)) if (file !== 'modules') await rm(join(out, file), { recursive: true });
  const code = await rollup({
    ...common,
    input: join(out, 'modules/cli.js'),
    plugins: [compiledModules],
    treeshake: false,
  });
  await code.write({ ...maps, file: join(out, 'cli.js'), format: 'es' });
}

await Promise.all([...Object.entries(ENTRIES).map(bundle), ...(options.esm ? [] : [bundleCommand('migrate')])]);
