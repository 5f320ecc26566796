/** The CommonJS twin of `optional-peers.ts`: the same names by `require`, since CommonJS knows no top-level await; refuses the same. */

// An installed package that fails for another reason than its own absence must not look absent.
function load<T>(name: string): T | undefined {
  try {
    return require(name) as T;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const absent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';

    if (absent && message.includes(name)) return undefined;
    throw error;
  }
}

export const swagger = load<typeof import('@nestjs/swagger')>('@nestjs/swagger');
export const classTransformer = load<typeof import('class-transformer')>('class-transformer');
export const classValidator = load<typeof import('class-validator')>('class-validator');

// Where class-transformer keeps what its decorators note; @nestjs/mapped-types reads it at the same place. No release promises it.
function loadStorage(): unknown {
  try {
    return require('class-transformer/cjs/storage');
  } catch {
    return undefined;
  }
}

export const classTransformerStorage: unknown = classTransformer && loadStorage();
