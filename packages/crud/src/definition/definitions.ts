import { CRUD_AUTH_OPTIONS_METADATA, CRUD_DEFINITION_METADATA, CRUD_OPTIONS_METADATA } from '../constants.js';
import type { AuthOptions } from './auth-options.js';
import { globalConfig } from './global-config.js';
import { mergeAuth, type MergedCrudOptions } from './merge-options.js';
import { frozenCopy } from './plain-objects.js';
import type { ResourceDefinition } from './resource-definition.js';

interface Derived {
  readonly from: ResourceDefinition;
  readonly auth: AuthOptions | undefined;
  readonly definition: ResourceDefinition;
}

const derived = new WeakMap<object, Derived>();

/** The options of `@CrudAuth()` above a controller or, failing that, its base class. */
export function authOptionsOf(controller: object): AuthOptions | undefined {
  return Reflect.getMetadata(CRUD_AUTH_OPTIONS_METADATA, controller) as AuthOptions | undefined;
}

/** The definition of a resource with these merged options. */
export function definitionOfOptions(
  { query, routes, params, operators, dto, serialize, validation, openapi, auth }: MergedCrudOptions,
  resource: Pick<ResourceDefinition, 'controller' | 'model' | 'modelName' | 'routes'>,
): ResourceDefinition {
  // Turning the rules of classes off says nothing about columns.
  const { columns, ...pipe } = validation || globalConfig().validation || {};

  return Object.freeze({
    ...resource,
    options: Object.freeze({ query, routes, params, operators, ...(columns && { columns }) }),
    dto,
    serialize,
    validation: validation && Object.freeze(pipe),
    openapi,
    ...(auth && { auth }),
    language: frozenCopy(globalConfig().queryParser ?? {}),
  });
}

/** Stores the definition, and the options it was made from, as metadata of its controller. */
export function setDefinition(controller: object, definition: ResourceDefinition, options: MergedCrudOptions): void {
  Reflect.defineMetadata(CRUD_DEFINITION_METADATA, definition, controller);
  Reflect.defineMetadata(CRUD_OPTIONS_METADATA, options, controller);
}

/** The options of `@Crud()` with the global ones filled in, as they were declared: only start-up checks need them. */
export function declaredOptionsOf(controller: object): MergedCrudOptions {
  return Reflect.getMetadata(CRUD_OPTIONS_METADATA, controller) as MergedCrudOptions;
}

/**
 * The definition of a controller. Its scope is that of the class itself: `@CrudAuth()` may be above `@Crud()`, or on a class that only inherits `@Crud()`.
 *
 * @example
 * definitionOf(UsersController)?.options.query.maxLimit;
 */
export function definitionOf(controller: object): ResourceDefinition | undefined {
  const declared = Reflect.getMetadata(CRUD_DEFINITION_METADATA, controller) as ResourceDefinition | undefined;
  if (!declared) return undefined;

  const auth = authOptionsOf(controller);
  const cached = derived.get(controller);
  if (cached && cached.from === declared && cached.auth === auth) return cached.definition;

  const { auth: _, ...rest } = declared;
  const scope = mergeAuth(auth, globalConfig().auth);
  const { name } = controller as { name?: string };
  const definition = Object.freeze({
    ...rest,
    controller: name ?? declared.controller,
    ...(scope && { auth: Object.freeze(scope) }),
  });
  derived.set(controller, { from: declared, auth, definition });

  return definition;
}
