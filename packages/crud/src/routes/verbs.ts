/** The verbs of a service in, whether the library wrote them out. */
import type { CrudService } from '../service/crud.service.js';

/** Names of the methods that generated handlers call. */
export const VERBS = [
  'getMany',
  'getOne',
  'createOne',
  'createMany',
  'updateOne',
  'replaceOne',
  'deleteOne',
  'recoverOne',
] as const satisfies readonly (keyof CrudService<unknown>)[];

export type Verb = (typeof VERBS)[number];

const written = new WeakSet<object>();

/**
 * For adapters: says that the verbs of a class change nothing of the requests that they are given, so that each can be given the resource's own options.
 *
 * @example
 * noteVerbs(TypeOrmCrudService.prototype);
 */
export function noteVerbs(prototype: Readonly<Record<Verb, object>>): void {
  for (const verb of VERBS) written.add(prototype[verb]);
}

/** Whether a method is a verb of the library's. */
export function isLibraryVerb(method: object): boolean {
  return written.has(method);
}
