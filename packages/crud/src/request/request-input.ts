import type { EvaluatedAuth } from '../auth/evaluate.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { Shows } from '../plan/column-access.js';
import type { BaseRouteName } from '../routes/route-table.js';

/** What a request is made of. */
export interface RequestInput {
  /** The query as Express or Fastify parsed it. */
  readonly query: unknown;
  /** Path parameters. */
  readonly params: Record<string, string>;
  /** Undefined for handlers of the application's own. */
  readonly route: BaseRouteName | undefined;
  /** What a handler of the application's own does, as its `@Action()` says. */
  readonly action?: string | undefined;
  readonly definition: ResourceDefinition;
  /** Without one the options alone decide, and path values are typed by their options. */
  readonly catalog?: Catalog;
  readonly auth?: EvaluatedAuth;
  /** The framework's request, for filter functions. */
  readonly http: unknown;
  /** What the answers to a request with these options of class-transformer show; clients can compare nothing else. Default: everything. */
  readonly showsTo?: ((options: object | undefined) => Shows) | undefined;
}
