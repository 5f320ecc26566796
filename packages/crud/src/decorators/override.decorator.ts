import { OVERRIDE_METHOD_METADATA } from '../constants.js';
import type { BaseRouteName } from '../routes/route-table.js';

/**
 * Puts a method in the place of a generated route. The method inherits the route's path, parameters, pipes, interceptors, decorators (guards among them) and
 * OpenAPI description; what Nest's own decorators say on the method wins. Without an argument the method's name says which: `getMany` replaces `getManyBase`.
 * The generated handler stays callable: `this.getManyBase(req)`.
 *
 * @example
 * `@Override() getMany(@ParsedRequest() req: CrudRequest) { return this.base.getManyBase(req); }`
 */
export const Override =
  (name?: BaseRouteName): MethodDecorator =>
  (_target, key, descriptor: PropertyDescriptor) => {
    const own = String(key);

    Reflect.defineMetadata(
      OVERRIDE_METHOD_METADATA,
      name ?? (own.endsWith('Base') ? own : `${own}Base`),
      descriptor.value as object,
    );
  };
