/** The sources of an application, the folder of its dependencies → the application compiled there as its users compile, by tsc and against the built packages. */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(import.meta.dirname, '..');

const FORMATS = {
  esm: { type: 'module', module: ts.ModuleKind.ES2022 },
  cjs: { type: 'commonjs', module: ts.ModuleKind.CommonJS },
};

/** Packages that nobody imports. */
const COMMANDS = ['migrate', 'create-nestwright', 'schematics'];

/** Puts the built packages where an application finds them, without what is not published. */
export function installPackages(folder) {
  for (const name of readdirSync(join(root, 'packages')).filter((each) => !COMMANDS.includes(each))) {
    const target = join(folder, 'node_modules/@nestwright', name);
    rmSync(target, { recursive: true, force: true });
    cpSync(join(root, 'packages', name, 'package.json'), join(target, 'package.json'), { recursive: true });
    cpSync(join(root, 'packages', name, 'dist'), join(target, 'dist'), {
      recursive: true,
      filter: (path) => !path.endsWith('modules'),
    });
  }
}

/**
 * Compiles the files of some folders into one, those of a later folder in place of an earlier one's.
 *
 * @param edit Changes a source before it is compiled.
 */
export function compile(sources, out, format, edit = (source) => source) {
  const { type, module } = FORMATS[format];
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'package.json'), JSON.stringify({ type }));

  const compilerOptions = {
    module,
    target: ts.ScriptTarget.ES2022,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    useDefineForClassFields: false,
    esModuleInterop: true,
  };
  for (const from of sources) {
    for (const file of readdirSync(from).filter((name) => !name.endsWith('.d.ts'))) {
      const source = edit(readFileSync(join(from, file), 'utf8'));
      const { outputText } = ts.transpileModule(source, { compilerOptions, fileName: file });
      writeFileSync(join(out, file.replace(/ts$/, 'js')), outputText);
    }
  }
}
