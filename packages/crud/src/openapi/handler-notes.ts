import { metadataKey } from '../nest/swagger-metadata.js';

/** A method of a controller. */
export type Handler = (...parameters: never[]) => unknown;

/** What tells a parameter from another. */
export interface Declared {
  readonly name?: string;
  readonly in: string;
}

/** What is noted on a handler. */
export interface Notes {
  readonly operation: Readonly<Record<string, unknown>>;
  readonly parameters: readonly Declared[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** Everything that is noted on a handler by now. */
export function notesOf(handler: Handler): Notes {
  return {
    operation: operationOf(handler),
    parameters: parametersOf(handler),
    responses: responsesOf(handler),
  };
}

/** Whether a parameter of that name and place is among others; a handler has one body. */
export function isDeclared(parameters: readonly Declared[], { name, in: place }: Declared): boolean {
  return parameters.some((declared) => declared.in === place && (place === 'body' || declared.name === name));
}

function operationOf(handler: Handler): Notes['operation'] {
  const operation = (Reflect.getMetadata(metadataKey('operation'), handler) ?? {}) as Record<string, unknown>;

  // @ApiOperation() without a summary notes an empty one.
  return Object.fromEntries(Object.entries(operation).filter(([, value]) => value !== ''));
}

function parametersOf(handler: Handler): Declared[] {
  return (Reflect.getMetadata(metadataKey('parameters'), handler) ?? []) as Declared[];
}

function responsesOf(handler: Handler): Notes['responses'] {
  return (Reflect.getMetadata(metadataKey('responses'), handler) ?? {}) as Notes['responses'];
}
