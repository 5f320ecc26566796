/** The optional peers, each as its module or `undefined` where it is not installed; refuses (throws) where one is installed but cannot be loaded. */
import * as required from './require-peers.cjs';

export const { classTransformer, classTransformerStorages, classValidator } = required;

type Swagger = NonNullable<typeof required.swagger>;

/** In the rare case that it can only be imported, it is there as soon as the modules of the application are. */
export let swagger: Swagger | undefined = required.swagger;

const arriving: Promise<Swagger> | undefined = required.swaggerFailure ? import('@nestjs/swagger') : undefined;
// A failure is left unhandled, which ends the process.
void arriving?.then((module) => (swagger = module));

/**
 * Hands @nestjs/swagger over, at once or as soon as it is there.
 *
 * @returns Whether it is installed.
 */
export function useSwagger(use: (swagger: Swagger) => void): boolean {
  if (swagger) use(swagger);
  else void arriving?.then(use);

  return swagger !== undefined || arriving !== undefined;
}
