/**
 * The optional peers, each as its module or `undefined` if it is not installed; throws if one is installed but cannot be loaded.
 *
 * A CommonJS file in both builds, since only `require` is synchronous and can fail. Bundlers must find each `require` as it stands here: with a literal name, called inside its `try`. So this file is never
 * made part of another: a build of ES modules that took it in would turn `require` into a function of its own, which the bundler of an application does not see.
 */

let swagger: typeof import('@nestjs/swagger') | undefined;
/** Why @nestjs/swagger is installed but not loaded yet: Jest before Node.js 24.9 requires no ES modules, and Node.js none that is being imported at this moment. */
let swaggerFailure: unknown;
try {
  swagger = require('@nestjs/swagger');
} catch (error) {
  if (!isAbsence('@nestjs/swagger', error)) swaggerFailure = error;
}

let classTransformer: typeof import('class-transformer') | undefined;
try {
  classTransformer = require('class-transformer');
} catch (error) {
  if (!isAbsence('class-transformer', error)) throw error;
}

let classValidator: typeof import('class-validator') | undefined;
try {
  classValidator = require('class-validator');
} catch (error) {
  if (!isAbsence('class-validator', error)) throw error;
}

let csvStringify: typeof import('csv-stringify/sync') | undefined;
try {
  csvStringify = require('csv-stringify/sync');
} catch (error) {
  if (!isAbsence('csv-stringify/sync', error)) throw error;
}

/** Where class-transformer keeps what its decorators note, in each of its builds: a bundle has the one that its bundler prefers. No release promises these paths. */
const classTransformerStorages: readonly (() => unknown)[] = [
  () => {
    try {
      return require('class-transformer/cjs/storage.js');
    } catch {
      return undefined;
    }
  },
  () => {
    try {
      return require('class-transformer/esm5/storage.js');
    } catch {
      return undefined;
    }
  },
  () => {
    try {
      return require('class-transformer/esm2015/storage.js');
    } catch {
      return undefined;
    }
  },
];

// A peer counts as absent only if the peer itself is missing, not if a package that it needs is.
function isAbsence(name: string, error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  const [firstLine = ''] = message.split('\n');

  return (
    (code === 'MODULE_NOT_FOUND' || code === 'ERR_MODULE_NOT_FOUND') &&
    // Yarn's Plug'n'Play has the name further down in the message.
    (/^Cannot find (?:module|package) ['"]([^'"]+)['"]/.exec(firstLine)?.[1] === name ||
      message.includes(`\nRequired package: ${name}\n`) ||
      message.includes(`(via "${name}")`))
  );
}

export { swagger, swaggerFailure, classTransformer, classTransformerStorages, classValidator, csvStringify };
