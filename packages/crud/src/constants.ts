/**
 * Keys of the metadata that the library keeps on classes, handlers and requests. They are strings or come from
 * `Symbol.for`, so that all copies of the package (ESM and CJS) share them.
 */

/** Property of the HTTP request that holds the parsed `CrudRequest`. */
export const PARSED_CRUD_REQUEST_KEY = 'NESTWRIGHT_PARSED_CRUD_REQUEST';

/** Property of the HTTP request that holds the library's own state. */
export const HTTP_STATE_KEY = Symbol.for('@nestwright/crud:http-state');

/** Static property of interceptors that parse requests: names of the methods that subclasses override to change how. */
export const REQUEST_HOOKS = Symbol.for('@nestwright/crud:request-hooks');

/** Property of an exception that holds the seconds after which a client may try again. */
export const RETRY_AFTER_KEY = Symbol.for('@nestwright/crud:retry-after');

/** Name that `@Feature()` gives to a controller. */
export const FEATURE_NAME_METADATA = Symbol.for('@nestwright/crud:feature');

/** @deprecated nestjsx/crud's spelling: use {@link FEATURE_NAME_METADATA}. */
export const FEAUTURE_NAME_METADATA = FEATURE_NAME_METADATA;

/** Action of a handler, as `getAction` returns it. */
export const ACTION_NAME_METADATA = Symbol.for('@nestwright/crud:action');

/** Route that a method replaces. */
export const OVERRIDE_METHOD_METADATA = Symbol.for('@nestwright/crud:override');

/** Index of the parameter that `@ParsedBody()` marks, by method. */
export const PARSED_BODY_METADATA = Symbol.for('@nestwright/crud:parsed-body');

/** Options of `@Crud()` with the global ones filled in. */
export const CRUD_OPTIONS_METADATA = Symbol.for('@nestwright/crud:options');

/** Options of `@CrudAuth()`. */
export const CRUD_AUTH_OPTIONS_METADATA = Symbol.for('@nestwright/crud:auth');

/** The `ResourceDefinition` of a controller. */
export const CRUD_DEFINITION_METADATA = Symbol.for('@nestwright/crud:definition');

/** Route that a handler serves, generated or overriding. */
export const ROUTE_NAME_METADATA = Symbol.for('@nestwright/crud:route');

/** Marks methods that the library put on a controller. */
export const GENERATED_METADATA = Symbol.for('@nestwright/crud:generated');

/** Where the process-wide configuration lives on `globalThis`. */
export const GLOBAL_STATE_KEY = Symbol.for('@nestwright/crud:state');

/** Property of a service that holds the catalog of its entity: see `CrudService`. */
export const CATALOG = Symbol.for('@nestwright/crud:catalog');

/** Method of a service that checks its resource when an application starts: see `CrudService`. */
export const CHECK_START = Symbol.for('@nestwright/crud:check-start');
