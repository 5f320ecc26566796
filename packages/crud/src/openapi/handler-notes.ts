import { type HandlerNote, metadataKey } from '../nest/swagger-metadata.js';

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
  const noted = (note: HandlerNote): object | undefined =>
    Reflect.getMetadata(metadataKey(note), handler) as object | undefined;

  return {
    // @ApiOperation() without a summary notes an empty one.
    operation: Object.fromEntries(Object.entries(noted('operation') ?? {}).filter(([, value]) => value !== '')),
    parameters: (noted('parameters') ?? []) as Declared[],
    responses: (noted('responses') ?? {}) as Notes['responses'],
  };
}

/** Whether a parameter of that name and place is among others; a handler has one body. */
export function isDeclared(parameters: readonly Declared[], { name, in: place }: Declared): boolean {
  return parameters.some((declared) => declared.in === place && (place === 'body' || declared.name === name));
}
