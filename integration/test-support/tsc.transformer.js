/** Compiles a file for Jest as tsc does under the settings of a project from `nest new`: class fields are defined, decorators leave their metadata. */
import { createHash } from 'node:crypto';
import ts from 'typescript';

const compilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ES2022,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  useDefineForClassFields: true,
  esModuleInterop: true,
  isolatedModules: true,
  inlineSourceMap: true,
};

const compile = (source, path) => ({
  code: ts.transpileModule(source, { fileName: path, compilerOptions }).outputText,
});

export default {
  process: compile,
  processAsync: async (source, path) => compile(source, path),
  getCacheKey: (source, path) =>
    createHash('sha256')
      .update(JSON.stringify([ts.version, compilerOptions, path, source]))
      .digest('hex'),
};
