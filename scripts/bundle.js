/**
 * Bundles the modules of each package as `tsc -b` compiled them (`dist/modules`) into one file per entry and format in `dist`, with declarations and source maps. What two entries
 * share is a file of its own, `shared`. A warning of the bundler is refused.
 * `--esm`: the ES modules alone, which is all that running the examples takes.
 */
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { decode, encode } from '@jridgewell/sourcemap-codec';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';

const root = resolve(import.meta.dirname, '..');
const { values: options } = parseArgs({ options: { esm: { type: 'boolean', default: false } } });

/** An enum as the compiler writes it: a variable that a function fills in. */
const ENUM = /^export var (\w+);\n\(function \(\1\) \{\n([^]*?)\n\}\)\(\1 \|\| \(\1 = \{\}\)\);/gm;

/** The same as one expression without side effects, which a bundler of applications drops where nobody uses it. No line moves, since the source map counts them. */
const PURE_ENUM = 'export var $1 = /* @__PURE__ */\n(function ($1) {\n$2 return $1;\n})({});';

/** A doc comment on lines of its own, which declarations and sources have; a line stays for each of its lines, since the source map counts them. */
const DOC_COMMENT = /^[ \t]*\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*$/gm;
const emptyLines = (comment) => '\n'.repeat(comment.split('\n').length - 1);

/**
 * Two spaces for each level, where the compiler has four; with the map of what it wrote. Sources must have no template whose
 * own text goes on over several lines: it would lose spaces.
 */
function halveIndentation(code, map) {
  const indents = code.split('\n').map((line) => /^ */.exec(line)[0].length / 2);
  const mappings = decode(map.mappings).map((segments, line) =>
    segments.map(([column, ...source]) => [Math.max(0, column - Math.ceil(indents[line] ?? 0)), ...source]),
  );

  return {
    code: code.replace(/^ +/gm, (spaces) => ' '.repeat(spaces.length / 2)),
    map: { ...map, mappings: encode(mappings) },
  };
}

/** Each module comes with the compiler's own map, so that a bundle's map leads to the TypeScript sources. */
const compiledModules = {
  name: 'compiled-modules',
  async load(id) {
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);

    return halveIndentation(code.replace(ENUM, PURE_ENUM).replace(DOC_COMMENT, emptyLines), JSON.parse(map));
  },
};

/** In CommonJS, what is imported while running is required, since Jest imports nothing there without a flag. */
const requiredImports = {
  name: 'required-imports',
  renderDynamicImport: ({ format }) => (format === 'cjs' ? { left: 'require(', right: ')' } : null),
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

/** Leaves the maps of code one position for each line, which is what stack traces and breakpoints ask for: an eighth of their size. */
async function thinMaps(out) {
  for (const file of await readdir(out)) {
    if (!/\.c?js\.map$/.test(file)) continue;
    const map = JSON.parse(await readFile(join(out, file), 'utf8'));
    const lines = decode(map.mappings).map(([first]) => (first ? [first.slice(0, 4)] : []));
    await writeFile(join(out, file), JSON.stringify({ ...map, names: [], mappings: encode(lines) }));
  }
}

/** The public entries of each package: modules of its `src`. */
const ENTRIES = {
  'crud-request': ['index'],
  client: ['index'],
  'react-admin': ['index'],
  refine: ['index'],
  crud: ['index', 'adapter'],
  sql: ['index'],
  'crud-typeorm': ['index'],
  'crud-drizzle': ['index'],
  'crud-memory': ['index'],
  testing: ['index'],
};

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
    plugins: [compiledModules, requiredImports],
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
  await thinMaps(out);

  const types = await rollup({
    ...common,
    input: inputs('d.ts'),
    plugins: [dts({ sourcemap: true })],
  });
  for (const extension of ['d.ts', 'd.cts']) await types.write({ ...named(extension), format: 'es' });
}

/** Packages that commands run and nobody imports, with the module that is run. */
const COMMANDS = Object.entries({ migrate: 'cli', 'create-nestwright': 'cli', schematics: 'resource' });

/** The modules of a command, to the letter: what some write is code, in templates of several lines. */
const unchangedModules = {
  name: 'unchanged-modules',
  async load(id) {
    const [code, map] = await Promise.all([readFile(id, 'utf8'), readFile(`${id}.map`, 'utf8')]);

    return { code, map: JSON.parse(map) };
  },
};

/** A command: one ES module, which nobody imports. */
async function bundleCommand([name, entry]) {
  const out = join(root, 'packages', name, 'dist');
  for (const file of await readdir(out)) if (file !== 'modules') await rm(join(out, file), { recursive: true });
  const code = await rollup({
    ...common,
    input: join(out, `modules/${entry}.js`),
    plugins: [unchangedModules],
    treeshake: false,
  });
  await code.write({ ...maps, file: join(out, `${entry}.js`), format: 'es' });
  await thinMaps(out);
}

// The examples take what they import, and nothing else is compiled for them.
const compiled = Object.entries(ENTRIES).filter(
  ([name]) => !options.esm || existsSync(join(root, 'packages', name, 'dist/modules')),
);
await Promise.all([...compiled.map(bundle), ...(options.esm ? [] : COMMANDS.map(bundleCommand))]);
