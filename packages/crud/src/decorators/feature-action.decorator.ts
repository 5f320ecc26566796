import { SetMetadata, type CustomDecorator } from '@nestjs/common';
import { ACTION_NAME_METADATA, FEATURE_NAME_METADATA } from '../constants.js';

/**
 * Names the feature that a controller serves, for guards to ask with {@link getFeature}.
 *
 * @example
 * `@Feature('users')` above a controller; `getFeature(context.getClass())` in a guard is `'users'`.
 */
export const Feature = (name: string): CustomDecorator<symbol> => SetMetadata(FEATURE_NAME_METADATA, name);

/**
 * Names what a handler does, for guards to ask with {@link getAction}. Generated handlers and those that override them carry theirs already.
 *
 * @example
 * `@Action(CrudActions.ReadAll)` or `@Action('Export')` above a method.
 */
export const Action = (action: string): CustomDecorator<symbol> => SetMetadata(ACTION_NAME_METADATA, action);

/**
 * The feature of a controller, of its base class if it has none, or `undefined`.
 *
 * @example
 * getFeature(context.getClass()); // 'users'
 */
// Callers of nestjsx/crud give the result the type that they named the feature by.
export function getFeature<T = any>(target: object): T {
  return Reflect.getMetadata(FEATURE_NAME_METADATA, target) as T;
}

/**
 * The action of a handler, or `undefined` if it has none.
 *
 * @example
 * getAction(context.getHandler()) === CrudActions.DeleteOne;
 */
// As above: `any` unless the caller says otherwise.
export function getAction<T = any>(target: object): T {
  return Reflect.getMetadata(ACTION_NAME_METADATA, target) as T;
}
