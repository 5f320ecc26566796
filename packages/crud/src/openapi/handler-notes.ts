/** A handler in, what decorators noted on it for the document out, the application's notes told from the library's own; refuses nothing. */
import { metadataKey } from './metadata-keys.js';

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
  readonly models: readonly unknown[];
}

/** Everything that is noted on a handler by now. */
export function notesOf(handler: Handler): Notes {
  return {
    operation: operationOf(handler),
    parameters: parametersOf(handler),
    responses: responsesOf(handler),
    models: modelsOf(handler),
  };
}

const described = new WeakMap<Handler, Notes>();

/** Keeps what was noted on a handler since `before`. */
export function remember(handler: Handler, before: Notes): void {
  Reflect.defineMetadata(metadataKey('responses'), sparse(responsesOf(handler)), handler);

  const after = notesOf(handler);

  described.set(handler, {
    operation: Object.fromEntries(
      Object.entries(after.operation).filter(([key]) => !Object.hasOwn(before.operation, key)),
    ),
    parameters: after.parameters.filter((parameter) => !before.parameters.includes(parameter)),
    responses: sparse(after.responses, ([status]) => !Object.hasOwn(before.responses, status)),
    models: after.models.filter((model) => !before.models.includes(model)),
  });
}

/** A key that is no status. */
const FAR = 1_000_000;

/**
 * A copy of responses by status. To the engine a status is an index, and an object with an index of 409 an array of six hundred places, which for a few hundred resources are megabytes; one that has
 * held an index far away becomes a table.
 */
function sparse(
  responses: Notes['responses'],
  wanted: (entry: [string, unknown]) => boolean = () => true,
): Notes['responses'] {
  const copy: Record<string, unknown> = { [FAR]: undefined };

  for (const [status, response] of Object.entries(responses).filter(wanted)) copy[status] = response;
  delete copy[FAR];

  return copy;
}

/** Takes back what an earlier description noted on a handler, and nothing that the application did since. */
export function withdraw(handler: Handler): void {
  const ours = described.get(handler);
  if (!ours) return;

  const { operation, parameters, responses, models } = notesOf(handler);
  const without = (notes: Notes['operation'], taken: Notes['operation']) =>
    Object.fromEntries(
      Object.entries(notes).filter(([key, value]) => !Object.hasOwn(taken, key) || taken[key] !== value),
    );

  Reflect.defineMetadata(metadataKey('operation'), without(operation, ours.operation), handler);
  Reflect.defineMetadata(
    metadataKey('parameters'),
    parameters.filter((parameter) => !ours.parameters.includes(parameter)),
    handler,
  );
  Reflect.defineMetadata(metadataKey('responses'), without(responses, ours.responses), handler);
  Reflect.defineMetadata(
    metadataKey('extraModels'),
    models.filter((model) => !ours.models.includes(model)),
    handler,
  );
  described.delete(handler);
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

function modelsOf(handler: Handler): unknown[] {
  return (Reflect.getMetadata(metadataKey('extraModels'), handler) ?? []) as unknown[];
}
