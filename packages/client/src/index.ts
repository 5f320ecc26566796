/** A client of nestwright's resources, for browsers and everything else that has `fetch`. */
export { crudClient } from './client.js';
export type { Affected, Calls, ClientOptions, CrudClient, RouteName } from './client.types.js';
export { type ClientErrorCode, type Conflict, CrudError, type CrudErrorCode, type CrudErrorDetails } from './errors.js';
export { countPages, errorsByField, isSame, nameResources, readAs, tellErrors } from './named-resources.js';
export type {
  CrudMeta,
  KeyedResource,
  NamedResource,
  NamedResourcesOptions,
  ResourceQuery,
  ResourceSettings,
} from './named-resources.js';
export type { Asked, AskedNothing, ClientQuery } from './query.js';
export type { Body, Described, Joins, NewBody, Printed, RecordOf } from './records.js';
export type {
  AnyQuery,
  Ask,
  CallOptions,
  CursorPage,
  Id,
  Page,
  PageFor,
  RecordFor,
  Resource,
  Target,
  UsualResource,
} from './resource.types.js';
export type {
  InfiniteQueryObject,
  MutationObject,
  Mutations,
  Queries,
  QueryContext,
  QueryKey,
  QueryObject,
} from './tanstack.types.js';
