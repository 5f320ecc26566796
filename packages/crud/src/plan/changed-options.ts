/**
 * Which options hold for one request. Overrides may change them. Mistakes in changed options are the server's: a 500
 * and a line in the log.
 */
import { CATALOG } from '../constants.js';
import { globalConfig } from '../definition/global-config.js';
import type { CrudOptions, CrudRequestOptions } from '../definition/options.js';
import { CATALOG_CHECKS, type CatalogCheck } from './catalog-checks.js';
import { isPlainObject, isSameValue } from '../definition/plain-objects.js';
import { shapeMistakes } from '../definition/option-mistakes.js';
import { isStandardSchema } from '../definition/standard-schema.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from './catalog.js';
import { changedOptionsMistake } from './server-mistakes.js';
import { typeValues } from './condition-origins.js';

/** The originals of copied options. */
const originals = new WeakMap<object, CrudRequestOptions>();

/**
 * Gives a request options of its own, which may be changed: a deep copy of the resource's, in which functions, classes
 * and instances are the same. Options that are not the resource's frozen ones stay as they are.
 *
 * @example
 * giveOwnOptions(request).options.query.limit = 5;
 */
export function giveOwnOptions(request: CrudRequest): CrudRequest {
  const { options } = request;

  if (options && Object.isFrozen(options)) {
    request.options = copyDeeply(options);
    originals.set(request.options, options);
  }

  return request;
}

/**
 * Prepares a request for application code: own options, typed values. Adapters call it before they hand a request, or
 * parts of it, to an override.
 *
 * @example
 * return service.getMany(forApplication(request));
 */
export function forApplication(request: CrudRequest): CrudRequest {
  typeValues(request);

  return giveOwnOptions(request);
}

/**
 * The catalog of a service as the options of a request or a resource have it: with `validation.columns: 'declared'`,
 * of a column only what its declaration says is checked, not what the adapter assumed of it.
 *
 * @example
 * planRead(request, catalogFor(service, request), 'many');
 */
export function catalogFor<S extends { readonly [CATALOG]?: Catalog | undefined }>(
  { [CATALOG]: catalog }: S,
  { options }: { readonly options?: Pick<CrudRequestOptions, 'columns'> },
): S[typeof CATALOG] {
  const columns = options?.columns ?? (globalConfig().validation || {}).columns;

  return (columns === 'declared' && catalog?.declared) || catalog;
}

/**
 * The options that a request is planned with: for an unchanged copy the original, since planning caches by its
 * identity.
 */
export function optionsOf({ options }: Pick<CrudRequest, 'options'>): CrudRequestOptions | undefined {
  const original = options && originals.get(options);

  return original && isSameValue(options, original) ? original : options;
}

/**
 * The request as it is planned. Throws a 500 if changed options would have stopped the start of the application.
 *
 * @param checks Those of an optional feature, besides the others. Default: none.
 */
export function requestToPlan(
  request: CrudRequest,
  catalog: Catalog,
  checks: readonly CatalogCheck[] = [],
): CrudRequest {
  const options = optionsOf(request);
  if (options && originals.has(options)) requireValidOptions(options, catalog, [...CATALOG_CHECKS, ...checks]);

  return options === request.options ? request : { ...request, options: options! };
}

function requireValidOptions(options: CrudRequestOptions, catalog: Catalog, checks: readonly CatalogCheck[]): void {
  const { query = {}, params = {}, routes = {}, operators = {} } = options;
  const model = { type: Object };
  const shape = shapeMistakes({ model, query, params, routes, operators } as CrudOptions);
  // Routes cannot change after the start, and the checks read nothing else of the definition.
  const definition = {
    options: { query, params, routes, operators },
    routes: new Set(),
  } as unknown as ResourceDefinition;
  const mistakes =
    shape.length > 0 ? shape.map(({ text }) => text) : checks.flatMap((check) => [...check(definition, catalog)]);

  if (mistakes.length > 0) throw changedOptionsMistake(catalog.model, mistakes);
}

function copyDeeply<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyDeeply) as T;
  if (!isPlainObject(value) || isStandardSchema(value)) return value;

  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyDeeply(item)])) as T;
}
