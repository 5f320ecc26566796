/** The options of `@CrudAuth()`: types alone. */
import type { SCondition } from '@nestwright/crud-request';

/** Computes something from the authenticated user (`property` given) or from the request. */
// Users and requests have the application's own types, which it annotates in its functions.
type OfUser<T> = (user: any) => T | Promise<T>;

/** Whom the records of a resource belong to. */
export interface AuthOptions {
  /** Property of the request that is handed to the functions below (`user`). Default: the request itself. */
  property?: string;
  /** Condition that all records seen or written through the resource satisfy. */
  filter?: OfUser<SCondition | void>;
  /** Condition that lets records through beside the client's own condition: `path AND filter AND (or OR search)`. */
  or?: OfUser<SCondition | void>;
  /** Values written into every record that is stored. */
  persist?: OfUser<Record<string, unknown>>;
  /** Groups of class-transformer for the response. */
  groups?: OfUser<string[]>;
  /** Options of class-transformer for the response (`ClassTransformOptions`). */
  classTransformOptions?: OfUser<object>;
  /** Whether stored records must still satisfy {@link filter}. Default: `true`. */
  checkWrites?: boolean;
}
