/** The options of `@CrudAuth()`. */
import type { ObjectLiteral, OwnField, RelationPath, RelationTarget } from '@nestwright/crud-request';
import { oncePerObject } from '../get-or-insert.js';
import { isPlainObject } from './plain-objects.js';
import type { ConditionOf, DeepPath, Untyped } from './typed-names.js';

/** Computes something from the authenticated user (`property` given) or from the request. */
// Users and requests have the application's own types, which it annotates in its functions.
type OfUser<T> = (user: any) => T | Promise<T>;

/**
 * Computes the condition that related records must satisfy to be accessible. `{}` or `false`: all of them are
 * accessible. `T` is the related entity.
 *
 * @example
 * const ofCompany: RelationScope<User> = (user) => (user.isAdmin ? false : { companyId: user.companyId });
 */
export type RelationScope<T = any> = OfUser<ConditionOf<T> | false> | false;

/**
 * Which related records are in reach, and what is written into those that cascades store. `T` is the related entity.
 */
// Of any entity, where the type of the options says nothing of one.
export interface RelatedOptions<T = any> {
  /** The condition that they must satisfy. Default: as without an entry for the relation. */
  filter?: RelationScope<T>;
  /**
   * Values written into the related records that a cascade inserts or changes, whatever the body says. Default: none.
   *
   * @example
   * persist: (user: User) => ({ companyId: user.companyId })
   */
  persist?: OfUser<PersistedOf<T>>;
}

/**
 * Values by column, relation or embedded path. Patterns, such as keys of JSON, are left out: with an index signature, a
 * type takes an object that has none of its names.
 */
type PersistedOf<T> =
  Untyped<T> extends true
    ? ObjectLiteral
    : { [Field in OwnField<T> as Record<never, 1> extends Record<Field, 1> ? never : Field]?: unknown };

type RelatedScope<T = unknown> = RelationScope<T> | RelatedOptions<T>;

/** Relations of an entity whose records have a scope of their own, by path. */
type RelationsOf<T> =
  Untyped<T> extends true
    ? Record<string, RelatedScope>
    : { [R in RelationPath<T>]?: RelatedScope<RelationTarget<T, R>> } & { [R in DeepPath]?: RelatedScope };

/**
 * Which records a user may see and write. `T` is the entity; the compiler checks names against it: `@CrudAuth<Task>({ …
 * })`.
 */
export interface AuthOptions<T = any> {
  /** Property of the request that is passed to the functions below (`user`). Default: the request itself. */
  property?: string;
  /**
   * Condition that every record read or written through the resource must satisfy. Default: none.
   *
   * @example
   * filter: (user: User) => ({ companyId: user.companyId })
   */
  filter?: OfUser<ConditionOf<T> | void>;
  /**
   * Condition of records that are included in addition to those that the client's condition matches: `path AND filter
   * AND (or OR search)`. Default: none.
   */
  or?: OfUser<ConditionOf<T> | void>;
  /**
   * Which related records are accessible, by relation path from the resource's entity. `'project.members'` is the
   * relation `members` of the entity that `project` leads to. The condition applies wherever that relation of that
   * entity is used: in joins, conditions, bodies and cascades, at any depth. If several paths lead to one relation, all
   * their conditions apply.
   * `false` or `{}`: all related records are accessible. An undefined value, or no condition at all, matches none.
   *
   * Joins do not return inaccessible records, and clients' conditions and sorts do not see them. A body that links to
   * one is a 400 `CRUD_OUT_OF_SCOPE`. A path that the entity does not have stops the start.
   *
   * Default: relations to other entities are unrestricted, and a warning at the start names them. In relations to the
   * resource's own entity, bodies may only link to records that satisfy {@link filter}, unless the resource has no key
   * in its path, or the filter uses the primary key only.
   *
   * An object has the condition as its `filter`, and may have a `persist`: values written into the related records that
   * a cascade inserts or changes.
   *
   * @example
   * const ofCompany = (user: User) => ({ companyId: user.companyId });
   *
   * relations: { assignee: ofCompany, labels: { filter: ofCompany, persist: ofCompany }, country: false }
   */
  relations?: RelationsOf<T>;
  /**
   * Values that are written into every stored record of the resource. They take precedence over the body. Default:
   * none.
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

/** An entry of `@CrudAuth.relations`: a condition alone is its `filter`. */
export function relatedOptions(entry: RelationScope | RelatedOptions): RelatedOptions {
  return typeof entry === 'object' ? entry : { filter: entry };
}

/** How deep a user is known whose every property is one of its kind: loops along properties end. */
const DEPTH = 5;

/**
 * The names of what a `persist` sets: it is called with a user that has every property. None if it is asynchronous or
 * throws.
 */
export const persistedNames = oncePerObject((persist: (user: unknown) => unknown): readonly string[] => {
  try {
    const values: unknown = persist(anyValue(DEPTH));
    if (values instanceof Promise) values.catch(() => undefined);

    return isPlainObject(values) ? Object.keys(values) : [];
  } catch {
    return [];
  }
});

/** Every property of it is one like it, and so is the result of calling it. */
function anyValue(depth: number): unknown {
  if (depth === 0) return undefined;

  return new Proxy(() => undefined, {
    get: (_, property) => (typeof property === 'symbol' ? undefined : anyValue(depth - 1)),
    apply: () => anyValue(depth - 1),
  });
}
