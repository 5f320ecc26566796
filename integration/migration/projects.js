/** Applications as they were written, and as the command moves them: copied, compiled with their types, asked. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { TESTS_ALL } from '../../scripts/node-tests.js';

const home = import.meta.dirname;
const command = resolve(home, '../../packages/migrate/dist/cli.js');

export const APPLICATIONS = TESTS_ALL ? ['blog', 'shop', 'board'] : ['shop'];

/** Outside of the repository, whose ignored files the command would leave alone. */
const place = mkdtempSync(join(tmpdir(), 'nestwright-migration-'));

/** Where an application stands before its move, or after it. */
export function folderOf(name, when) {
  return join(place, when, name);
}

export function removeAll() {
  rmSync(place, { recursive: true, force: true });
}

/** Copies the applications; those of nestjsx/crud, which runs on no Nest of today, take @dataui/crud before the move, whose names are the same. */
export function copyAll() {
  symlinkSync(join(home, 'node_modules'), join(place, 'node_modules'), 'junction');
  for (const when of ['before', 'after']) {
    for (const name of APPLICATIONS) {
      mkdirSync(folderOf(name, when), { recursive: true });
      cpSync(join(home, name), folderOf(name, when), { recursive: true });
    }
  }
  for (const [path, text] of filesIn(join(place, 'before'))) {
    if (path.endsWith('.json')) continue;
    writeFileSync(path, text.replaceAll('@nestjsx/util', '@dataui/crud-util').replaceAll('@nestjsx/', '@dataui/'));
  }
}

/** Files below a folder with their texts. */
export function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(`${folder}/out`))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => [path, readFileSync(path, 'utf8')]);
}

/** What the command prints for an application. */
export function move(name, ...options) {
  return execFileSync(process.execPath, [command, folderOf(name, 'after'), ...options], { encoding: 'utf8' });
}

/** Compiles the applications of one time, types and all, as the Nest CLI does; tells the errors. */
export function compileAll(when) {
  const rootDir = join(place, when);
  const rootNames = filesIn(rootDir)
    .map(([path]) => path)
    .filter((path) => /\/src\/.*\.[jt]s$/.test(path));
  const program = ts.createProgram(rootNames, {
    rootDir,
    outDir: join(rootDir, 'out'),
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: [],
    allowJs: true,
    strict: true,
    noImplicitOverride: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    esModuleInterop: true,
    skipLibCheck: true,
    useDefineForClassFields: false,
  });
  const { diagnostics } = program.emit();
  writeFileSync(join(rootDir, 'out/package.json'), '{ "type": "commonjs" }');

  return [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ file, start, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.slice(rootDir.length + 1)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/** What an application answers. */
export async function ask(name, when) {
  const arguments_ = [join(home, 'ask.js'), join(place, when, 'out', name), join(home, name, 'requests.js')];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, arguments_, { maxBuffer: 1 << 26 });
  const at = stdout.lastIndexOf('[{"asked"');
  if (at === -1) throw new Error(`${name}, ${when}: ${stdout}${stderr}`);

  return JSON.parse(stdout.slice(at));
}
