/** The options of `@CrudAuth()`: types alone. */
import type { ObjectLiteral, RelationPath, RelationTarget } from '@nestwright/crud-request';
import type { ConditionOf, DeepPath, Untyped } from './typed-names.js';

/** Computes something from the authenticated user (`property` given) or from the request. */
// Users and requests have the application's own types, which it annotates in its functions.
type OfUser<T> = (user: any) => T | Promise<T>;

/**
 * Computes the condition that related records must satisfy to be in reach; `{}` or `false`: all of them are. `T` is
 * the related entity.
 *
 * @example
 * const ofCompany: RelationScope<User> = (user) => (user.isAdmin ? false : { companyId: user.companyId });
 */
export type RelationScope<T = any> = OfUser<ConditionOf<T> | false> | false;

/** Relations of an entity whose records have a scope of their own, by path. */
type RelationsOf<T> =
  Untyped<T> extends true
    ? Record<string, RelationScope>
    : { [R in RelationPath<T>]?: RelationScope<RelationTarget<T, R>> } & { [R in DeepPath]?: RelationScope };

/**
 * Which records a user may see and write. `T` is the entity; the compiler checks names against it: `@CrudAuth<Task>({ …
 * })`.
 */
export interface AuthOptions<T = any> {
  /** Property of the request that is handed to the functions below (`user`). Default: the request itself. */
  property?: string;
  /**
   * Condition that all records seen or written through the resource satisfy. Default: none.
   *
   * @example
   * filter: (user: User) => ({ companyId: user.companyId })
   */
  filter?: OfUser<ConditionOf<T> | void>;
  /** Alternative to the client's own condition: `path AND filter AND (or OR search)`. Default: none. */
  or?: OfUser<ConditionOf<T> | void>;
  /**
   * Which related records are in reach, by relation path from the resource's entity: `'project.members'` is the relation `members` of the entity that `project` leads to, and its
   * condition holds wherever that relation of that entity is reached, at any depth of joins, conditions, bodies and cascades. Several conditions on one relation must all hold.
   * `false` or `{}`: all related records are in reach; an undefined value, and no condition at all, matches none. Default: relations to the resource's own entity may link to what
   * {@link filter} leaves (unless the resource has no key in its path, or the filter is on the primary key alone); all others are open, which a warning at the start says.
   *
   * A path that the entity does not have stops the start. A record out of reach is not returned by joins, and conditions and sorts of clients do not see it; a body that links to one is
   * a 400 `CRUD_OUT_OF_SCOPE`.
   *
   * @example
   * relations: { assignee: (user: User) => ({ companyId: user.companyId }), country: false }
   */
  relations?: RelationsOf<T>;
  /**
   * Values written into every record that is stored, whatever the body says. Default: none.
   *
   * @example
   * persist: (user: User) => ({ ownerId: user.id })
   */
  persist?: OfUser<ObjectLiteral>;
  /** Groups of class-transformer for the response. Default: none. */
  groups?: OfUser<string[]>;
  /** Options of class-transformer for the response (`ClassTransformOptions`). Default: none. */
  classTransformOptions?: OfUser<object>;
  /** Whether stored records must still satisfy {@link filter}. Default: `true`. */
  checkWrites?: boolean;
}
