/**
 * The optional peers: each is its module, or `undefined` if it is not installed. A peer that is installed but cannot be
 * loaded is an error.
 */
import * as required from './require-peers.cjs';

export const { classTransformer, classTransformerStorages, classValidator, csvStringify } = required;

/** @nestjs/swagger. */
export type Swagger = NonNullable<typeof required.swagger>;

/** If it can only be imported, it is available once the application's modules are. */
export let swagger: Swagger | undefined = required.swagger;

const importing: Promise<Swagger> | undefined = required.swaggerFailure ? importSwagger() : undefined;
// A failure is deliberately left unhandled, so that it ends the process.
void importing?.then((module) => (swagger = module));

/**
 * Calls back with @nestjs/swagger, immediately or once it is imported.
 *
 * @returns Whether it is installed.
 */
export function useSwagger(use: (swagger: Swagger) => void): boolean {
  if (swagger) use(swagger);
  else void importing?.then(use);

  return swagger !== undefined || importing !== undefined;
}

async function importSwagger(): Promise<Swagger> {
  try {
    return await import('@nestjs/swagger');
  } catch (cause) {
    // Bundlers let a package be absent only if its absence is caught.
    throw new Error('@nestjs/swagger is installed, but could not be loaded', { cause });
  }
}
