import type { Type } from '@nestjs/common';
import { applyNowAndOnLoad } from '../definition/global-config.js';
import type { CrudOptions } from '../definition/options.js';
import type { Computed, WhileGeneric } from '../definition/typed-names.js';
import { restoreSnapshot, takeSnapshot } from '../nest/metadata.js';
import { CrudRoutesFactory } from './crud-routes.factory.js';

/**
 * Makes a controller a REST resource: list, read, create, bulk create, update, replace, delete and recover, with validation, serialization and OpenAPI.
 * The controller needs a public property `service`, a `CrudService`.
 *
 * @example
 * `@Crud({ model: { type: User }, query: { join: { company: {} } } }) @Controller('users') class UsersController { constructor(public service: UsersService) {} }`
 */
export function Crud<T = unknown, Name extends string = never>(
  options: CrudOptions<T, Computed<Name>> | WhileGeneric<T, CrudOptions>,
): ClassDecorator {
  return (target) => {
    const controller = target as unknown as Type<object>;
    const original = takeSnapshot(controller);
    const Factory = (options.routesFactory ?? CrudRoutesFactory) as typeof CrudRoutesFactory;

    applyNowAndOnLoad(controller, () => {
      restoreSnapshot(original);
      new Factory(controller, options as CrudOptions);
    });
  };
}
