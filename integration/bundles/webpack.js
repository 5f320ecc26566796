/** What webpack 5 is told to bundle an application that uses Nest and TypeORM; see docs/bundling.md. */
import { dirname, basename } from 'node:path';
import { EXTERNAL } from './esbuild.js';

const FORMATS = {
  cjs: { externalsType: 'commonjs', output: { library: { type: 'commonjs2' } } },
  esm: {
    externalsType: 'node-commonjs',
    output: { module: true, library: { type: 'module' }, chunkFormat: 'module' },
    experiments: { outputModule: true },
  },
};

/** webpack's options for a format, from one file to another, and for packages that stay outside. */
export function webpackOptions(format, entry, outfile, outside = []) {
  const external = [...EXTERNAL.filter((name) => !name.endsWith('*')), ...outside];
  const isExternal = (request) => external.some((name) => request === name || request.startsWith(`${name}/`));
  const { output, ...rest } = FORMATS[format];

  return {
    mode: 'production',
    target: 'node20',
    entry,
    ...rest,
    output: { ...output, path: dirname(outfile), filename: basename(outfile) },
    externals: [({ request }, decide) => (isExternal(request) ? decide(null, request) : decide())],
    optimization: { minimize: false },
    // @nestjs/mapped-types asks for class-transformer's CommonJS build; decorators must come from the same.
    resolve: { mainFields: ['main', 'module'] },
  };
}
