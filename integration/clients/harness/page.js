/** The JSX blocks of docs/clients.md in; out, what TypeScript says of one as a file beside a client's own, with the types of the client's packages. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';

const PAGE = readFileSync(new URL('../../../docs/clients.md', import.meta.url), 'utf8');

const OPTIONS = {
  allowJs: true,
  checkJs: true,
  jsx: ts.JsxEmit.ReactJSX,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
  types: [],
  strict: false,
  skipLibCheck: true,
  noEmit: true,
};

/** Our types as the compiler wrote them, since they are bundled by a whole build alone, with the framework of a client. */
const pathsIn = (folder) => ({
  '@nestwright/*': [resolve(import.meta.dirname, '../../../packages/*/dist/modules/index.d.ts')],
  'ra-core': [join(folder, 'node_modules/ra-core')],
  '@refinedev/core': [join(folder, 'node_modules/@refinedev/core')],
});

/** The blocks that import a package. */
export function jsxBlocks(name) {
  return [...PAGE.matchAll(/^```jsx\n([\s\S]*?)^```$/gm)]
    .map(([, code]) => code)
    .filter((code) => code.includes(`from '${name}'`));
}

/** What is wrong with a block as a file of a folder, beside what lies there. */
export function mistakesIn(code, folder) {
  const path = join(folder, 'page.jsx');
  const options = { ...OPTIONS, paths: pathsIn(folder) };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;

  host.fileExists = (file) => file === path || fileExists.call(host, file);
  host.readFile = (file) => (file === path ? code : readFile.call(host, file));
  host.getSourceFile = (file, ...rest) =>
    file === path
      ? ts.createSourceFile(file, code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JSX)
      : getSourceFile.call(host, file, ...rest);

  const program = ts.createProgram({ rootNames: [path], options, host });

  return ts
    .getPreEmitDiagnostics(program, program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '));
}
