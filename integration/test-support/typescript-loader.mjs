/** Hooks of Node's loader: the packages' names lead to their sources, `.js` to `.ts` beside it, and TypeScript is compiled as Jest compiles it. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath, URL } from 'node:url';
import { transform } from '@swc/core';

const OWN = /^@nestwright\/([\w-]+)(\/adapter)?$/;

export async function resolve(specifier, context, next) {
  const [own, name, adapter] = OWN.exec(specifier) ?? [];
  const url = own
    ? new URL(`../../packages/${name}/src/${adapter ? 'adapter' : 'index'}.ts`, import.meta.url)
    : /^\.{1,2}\/.*js$/.test(specifier) && new URL(specifier.replace(/js$/, 'ts'), context.parentURL);

  return url && existsSync(url) ? { url: url.href, shortCircuit: true } : next(specifier, context);
}

export async function load(url, context, next) {
  const [, isCommonJs] = /\.(c?)ts$/.exec(url) ?? [];
  if (isCommonJs === undefined || !url.startsWith('file:')) return next(url, context);

  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    module: { type: isCommonJs ? 'commonjs' : 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  });

  return { format: isCommonJs ? 'commonjs' : 'module', source: code, shortCircuit: true };
}
