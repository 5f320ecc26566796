/** What the application's own decorators of @nestjs/swagger say of a handler. */
import { type HandlerMetadata, metadataKey } from '../nest/swagger-metadata.js';

/** A method of a controller. */
export type Handler = (...parameters: never[]) => unknown;

/** What identifies a parameter. */
export interface DeclaredParameter {
  readonly name?: string;
  readonly in: string;
}

/** The metadata of a handler. */
export interface DeclaredMetadata {
  readonly operation: Readonly<Record<string, unknown>>;
  readonly parameters: readonly DeclaredParameter[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** The metadata that a handler has by now. */
export function declaredMetadataOf(handler: Handler): DeclaredMetadata {
  const read = (kind: HandlerMetadata): object | undefined =>
    Reflect.getMetadata(metadataKey(kind), handler) as object | undefined;

  return {
    // @ApiOperation() without a summary sets an empty one.
    operation: Object.fromEntries(Object.entries(read('operation') ?? {}).filter(([, value]) => value !== '')),
    parameters: (read('parameters') ?? []) as DeclaredParameter[],
    responses: (read('responses') ?? {}) as DeclaredMetadata['responses'],
  };
}

/** Whether a parameter of that name and place is among others; a handler has one body. */
export function isDeclared(parameters: readonly DeclaredParameter[], { name, in: place }: DeclaredParameter): boolean {
  return parameters.some((declared) => declared.in === place && (place === 'body' || declared.name === name));
}
