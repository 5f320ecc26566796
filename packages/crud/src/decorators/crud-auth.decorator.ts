import { CRUD_AUTH_OPTIONS_METADATA } from '../constants.js';
import type { AuthOptions } from '../definition/auth-options.js';

/**
 * Restricts a resource by the user of the request: conditions that every record seen or written satisfies, and values
 * written into it. `T` is the entity of the resource, by which the compiler checks names of fields and relations
 * (`@CrudAuth<User>`). It may be above or below `@Crud()`, and on a base class.
 *
 * @example
 * `@CrudAuth({ property: 'user', filter: (user: User) => ({ companyId: user.companyId }), persist: (user: User) => ({ companyId: user.companyId }) })`
 */
export const CrudAuth =
  // As for `AuthOptions`, whose default takes conditions on any entity.
  <T = any>(options: AuthOptions<NoInfer<T>>): ClassDecorator =>
    (target) => {
      Reflect.defineMetadata(CRUD_AUTH_OPTIONS_METADATA, options, target);
    };
