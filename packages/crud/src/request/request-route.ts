import type { ClassTransformOptions, ParameterName, ParseOptions } from '@nestwright/crud-request';
import type { EvaluatedAuth } from '../evaluate-auth.js';
import type { ResourceDefinition, ResourceOptions } from '../definition/resource-definition.js';
import { manyOptions, writesByCondition } from '../definition/route-behaviour.js';
import type { Catalog } from '../plan/catalog.js';
import type { JudgePath } from '../plan/column-access.js';
import { getNames, type Names } from '../plan/resolve-names.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { listParameters } from './parameters.js';
import { makePermissions, type Permissions } from './permissions.js';

/** A handler, as its requests are read. */
export interface RequestRoute {
  /** Undefined for handlers of the application's own. */
  readonly name: BaseRouteName | undefined;
  /** What a handler of the application's own does, as its `@Action()` says. */
  readonly action: string | undefined;
  readonly definition: ResourceDefinition;
  /** Without one the options alone decide, and path values are typed by their options. */
  readonly catalog: Catalog | undefined;
  /** How its queries are read. */
  readonly parsing: ParseOptions & { readonly parameters: ReadonlySet<ParameterName> };
  /** Whether parameters that look like misspelt ones are logged: not in production. */
  readonly reportsMisspelt: boolean;
  /** What names in its requests mean; undefined without a catalog. */
  readonly names: Names | undefined;
  /** What its clients may name in a request without joins. */
  readonly permissions: Permissions;
  /** The same, if class-transformer has these options for the answer. */
  readonly permit: (options: ClassTransformOptions) => Permissions;
  /** Whether it also writes all records that a client's condition matches. */
  readonly byCondition: boolean;
  /** Whether its bodies may move a record to other path values than the key's. */
  readonly overridesPath: boolean;
  /** Whether its path ends in the key of a record, if the resource has one. */
  readonly single: boolean;
  /** Whether it may answer whole lists. */
  readonly exports: boolean;
}

/** What a {@link RequestRoute} is made of. */
export interface RouteSource {
  readonly name: BaseRouteName | undefined;
  readonly action?: string | undefined;
  readonly definition: ResourceDefinition;
  readonly catalog?: Catalog | undefined;
  /**
   * Judges what the answers to a request with these options of class-transformer show; clients can compare nothing
   * else. Default: everything is shown.
   */
  readonly makeJudge?: ((options: object | undefined) => JudgePath) | undefined;
}

/** Settles how the requests of a handler are read. */
export function describeRequests({ name, action, definition, catalog, makeJudge }: RouteSource): RequestRoute {
  const { options, language } = definition;
  const { query, operators, routes } = options;
  const byCondition = writesByCondition(name, routes);
  const permit = (shown?: ClassTransformOptions): Permissions =>
    makePermissions(query, catalog, makeJudge?.(shown)).withJoins([]);
  const permissions = permit();

  return {
    name,
    action,
    definition,
    catalog,
    parsing: {
      language,
      limits: query.limits,
      customOperators: operators.custom,
      parameters: listParameters(name, query, byCondition),
    },
    reportsMisspelt: process.env['NODE_ENV'] !== 'production',
    names: catalog && getNames(catalog, query),
    permissions,
    permit: (shown) => (Object.keys(shown).length > 0 ? permit(shown) : permissions),
    byCondition,
    overridesPath: overridesPath(name, options),
    single: name !== undefined && ROUTES[name].single,
    exports: name === 'getManyBase' && query.export !== undefined,
  };
}

function overridesPath(route: BaseRouteName | undefined, { routes }: ResourceOptions): boolean {
  if (route === 'updateManyBase' || route === 'replaceManyBase')
    return manyOptions(routes, route).allowParamsOverride === true;

  return (route === 'updateOneBase' || route === 'replaceOneBase') && routes[route]?.allowParamsOverride === true;
}

/** What a request is made of. */
export interface RequestInput {
  readonly route: RequestRoute;
  /** The query as Express or Fastify parsed it. */
  readonly query: unknown;
  /** Path parameters. */
  readonly params: Record<string, string>;
  readonly auth?: EvaluatedAuth | undefined;
  /** The framework's request, for filter functions. */
  readonly http: unknown;
}
