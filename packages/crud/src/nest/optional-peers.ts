/** The optional peers, each as its module or `undefined` where it is not installed; refuses (throws) where one is installed but cannot be loaded. */

// An installed package that fails for another reason than its own absence must not look absent.
async function load<T>(name: string, importing: () => Promise<T>): Promise<T | undefined> {
  try {
    return await importing();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const absent = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';

    if (absent && message.includes(name)) return undefined;
    throw error;
  }
}

export const swagger: typeof import('@nestjs/swagger') | undefined = await load(
  '@nestjs/swagger',
  () => import('@nestjs/swagger'),
);
export const classTransformer: typeof import('class-transformer') | undefined = await load(
  'class-transformer',
  () => import('class-transformer'),
);
export const classValidator: typeof import('class-validator') | undefined = await load(
  'class-validator',
  () => import('class-validator'),
);

// Where class-transformer keeps what its decorators note; @nestjs/mapped-types reads it at the same place. No release promises it.
const STORAGE: string = 'class-transformer/cjs/storage.js';

export const classTransformerStorage: unknown = classTransformer && (await import(STORAGE).catch(() => undefined));
