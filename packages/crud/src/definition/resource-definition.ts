/** A resource as everything but its declaration knows it. */
import type { ParamsOptions, RequestQueryBuilderOptions } from '@nestwright/crud-request';
import type { Type } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { CrudGlobalConfig, CrudRequestOptions, DtoOptions, OpenApiOptions, SerializeOptions } from './options.js';
import { mergeAuth, type MergedCrudOptions, type ValidationOptions } from './merge-options.js';
import { globalConfig } from './global-config.js';
import { oncePerObject } from '../get-or-insert.js';
import { CRUD_AUTH_OPTIONS_METADATA, CRUD_DEFINITION_METADATA, CRUD_OPTIONS_METADATA } from '../constants.js';

/**
 * What a request of the resource carries as `options`; the same object for every request. `params` is never empty if
 * the resource has single-record routes: `id` is added unless `id` is disabled or another parameter is primary.
 */
export type ResourceOptions = Readonly<
  Required<Omit<CrudRequestOptions, 'columns'>> & Pick<CrudRequestOptions, 'columns'>
>;

/**
 * A resource: the options of `@Crud()` and `@CrudAuth()` with the global ones and the defaults filled in, deeply
 * frozen.
 */
export interface ResourceDefinition {
  /** Name of the controller class, for messages. */
  readonly controller: string;
  /** Class of the records. */
  readonly model: Type<unknown>;
  /**
   * Name of the record type, for messages and the OpenAPI description; the class's unless a `routesFactory` says
   * otherwise.
   */
  readonly modelName: string;
  /** What each request carries as `options`. */
  readonly options: ResourceOptions;
  /** What describes and validates bodies. */
  readonly dto: Readonly<DtoOptions>;
  /** Classes that shape responses. */
  readonly serialize: Readonly<SerializeOptions>;
  /** Of the resource; a route may have options of its own over them. */
  readonly validation: ValidationOptions;
  /** Whom the records belong to. Default: all records are everybody's. */
  readonly auth?: Readonly<AuthOptions> | undefined;
  /** Delimiters and parameter names of the query language. */
  readonly language: Readonly<RequestQueryBuilderOptions>;
  /** Names in OpenAPI documents. */
  readonly openapi?: Readonly<OpenApiOptions>;
  /** Routes that exist. */
  readonly routes: ReadonlySet<BaseRouteName>;
}

interface Derived {
  readonly from: ResourceDefinition;
  readonly auth: AuthOptions | undefined;
  readonly definition: ResourceDefinition;
}

const derived = new WeakMap<object, Derived>();

/** The options of `@CrudAuth()` above a controller or, failing that, its base class. */
export function readAuthOptions(controller: object): AuthOptions | undefined {
  return Reflect.getMetadata(CRUD_AUTH_OPTIONS_METADATA, controller) as AuthOptions | undefined;
}

/** Makes the definition of a controller from its merged options, and stores both as its metadata. */
export function defineResource(
  controller: object,
  options: MergedCrudOptions,
  resource: Pick<ResourceDefinition, 'controller' | 'model' | 'modelName' | 'routes'>,
): ResourceDefinition {
  const { query, routes, params, operators, dto, serialize, validation, openapi, auth } = options;
  // Turning the rules of classes off says nothing about columns.
  const { columns, ...pipe } = validation || globalConfig().validation || {};

  const definition: ResourceDefinition = Object.freeze({
    ...resource,
    options: Object.freeze({ query, routes, params, operators, ...(columns && { columns }) }),
    dto,
    serialize,
    validation: validation && Object.freeze(pipe),
    openapi,
    auth,
    language: globalConfig().queryParser ?? Object.freeze({}),
  });
  Reflect.defineMetadata(CRUD_DEFINITION_METADATA, definition, controller);
  Reflect.defineMetadata(CRUD_OPTIONS_METADATA, options, controller);

  return definition;
}

/** The options of `@Crud()` with the global ones filled in, as they were declared: only start-up checks need them. */
export function readDeclaredOptions(controller: object): MergedCrudOptions {
  return Reflect.getMetadata(CRUD_OPTIONS_METADATA, controller) as MergedCrudOptions;
}

/**
 * The definition of a controller. Its scope is that of the class itself: `@CrudAuth()` may be above `@Crud()`, or on a
 * class that only inherits `@Crud()`.
 *
 * @example
 * definitionOf(UsersController)?.options.query.maxLimit;
 */
export function definitionOf(controller: object): ResourceDefinition | undefined {
  const declared = Reflect.getMetadata(CRUD_DEFINITION_METADATA, controller) as ResourceDefinition | undefined;
  if (!declared) return undefined;

  const auth = readAuthOptions(controller);
  const cached = derived.get(controller);
  if (cached && cached.from === declared && cached.auth === auth) return cached.definition;

  const { name } = controller as { name?: string };
  const definition = Object.freeze({
    ...declared,
    controller: name ?? declared.controller,
    auth: mergeAuth(auth, globalConfig().auth),
  });
  derived.set(controller, { from: declared, auth, definition });

  return definition;
}

/** Options of a resource that configures nothing. */
export const NO_OPTIONS = Object.freeze({
  query: Object.freeze({}),
  routes: Object.freeze({}),
  params: Object.freeze({}),
  operators: Object.freeze({}),
});

// One object for each configuration: planning caches by its identity.
const bareOptions = oncePerObject(({ query: { unknown, maxLimit } = {} }: CrudGlobalConfig): ResourceOptions => {
  const query = { ...(unknown && { unknown }), ...(maxLimit === false && { maxLimit }) };

  return Object.freeze({ ...NO_OPTIONS, query: Object.freeze(query) });
});

/**
 * The definition of a route whose controller has no `@Crud()`: the query language, and those global options that
 * restore the behaviour of nestjsx/crud. Made per request, so that it follows the current global configuration.
 */
export const bareDefinition = (): ResourceDefinition => ({
  controller: '',
  model: Object,
  modelName: 'Record',
  options: bareOptions(globalConfig()),
  dto: {},
  serialize: {},
  validation: false,
  language: globalConfig().queryParser ?? {},
  routes: new Set(),
});

/** A path parameter, and the field that it equals. */
export interface PathParam {
  readonly name: string;
  readonly field: string;
  readonly primary: boolean;
}

/** The parameters in the paths of routes of one record (`single`), or of all other routes. */
export function listPathParams(params: ParamsOptions, single: boolean): PathParam[] {
  return Object.entries(params).flatMap(([name, { field = name, primary = false, disabled }]) =>
    disabled || (primary && !single) ? [] : [{ name, field, primary }],
  );
}

/** The parameters that name one record. */
export function keyParams(params: ParamsOptions = {}): PathParam[] {
  return listPathParams(params, true).filter(({ primary }) => primary);
}
