/** The public face of the package. */
import 'reflect-metadata';

export { Crud } from './decorators/crud.decorator.js';
export { CrudAuth } from './decorators/crud-auth.decorator.js';
export { Action, Feature, getAction, getFeature } from './decorators/feature-action.decorator.js';
export { Override } from './decorators/override.decorator.js';
export { ParsedBody, ParsedRequest } from './decorators/parsed-request.decorator.js';

export type { AuthOptions, RelationScope } from './auth/auth-options.js';
export type { EvaluatedAuth } from './auth/evaluate.js';
export type { AuthOptions as AuthGlobalOptions } from './auth/auth-options.js';

export { CrudConfigService } from './definition/crud-config.service.js';
export { definitionOf } from './definition/definitions.js';
export type { MergedCrudOptions } from './definition/merge-options.js';
export type * from './definition/options.js';
export type { CrudRoutesOptions as RoutesOptions } from './definition/options.js';
export type { GetManyRouteOptions as GetMayRouteOptions } from './definition/options.js';
export type {
  ClassType,
  CustomOperatorQuery,
  CustomOperators,
  ObjectLiteral,
  ParamOption,
  ParamsOptions,
} from '@nestwright/crud-request';
export type { ConditionOf, FieldName } from './definition/typed-names.js';
export type { ResourceDefinition, ResourceOptions } from './definition/resource-definition.js';
export { CrudModule, type CrudModuleAsyncOptions } from './module/crud.module.js';

export { CrudRequestInterceptor } from './interceptors/crud-request.interceptor.js';
export { CrudResponseInterceptor } from './interceptors/crud-response.interceptor.js';
export { CrudRouteInterceptor } from './interceptors/crud-route.interceptor.js';
export { TRUNCATED_HEADER } from './interceptors/responder.js';

export { type BaseRouteName, CrudActions } from './routes/route-table.js';
export { type BaseRoute, CrudRoutesFactory } from './routes/crud-routes.factory.js';
export type { CrudController } from './routes/crud-controller.js';
export type { StandardSchema, StandardSchemaIssue, StandardSchemaResult } from './definition/standard-schema.js';
export { CrudValidationGroups } from './validation/validation-groups.js';

export { noteVerbs } from './routes/verbs.js';
export { type CreateManyDto, CrudService, type GetManyDefaultResponse } from './service/crud.service.js';
export type { CrudRequest } from './request/crud-request.js';
export { mapInSlices } from './time-slices.js';
export { type Client, clientOf, refuseGone, refuseLeaving } from './response/client.js';
export { type Outcome, outcomeOf, reportOutcome } from './response/outcome.js';
export type * from './diagnostics/messages.js';
export { crudError, type CrudErrorCode, type CrudErrorDetails, ERRORS } from './errors/errors.js';

export {
  ACTION_NAME_METADATA,
  CATALOG,
  CHECK_START,
  CRUD_AUTH_OPTIONS_METADATA,
  CRUD_OPTIONS_METADATA,
  FEATURE_NAME_METADATA,
  FEATURE_NAME_METADATA as FEAUTURE_NAME_METADATA,
  OVERRIDE_METHOD_METADATA,
  PARSED_BODY_METADATA,
  PARSED_CRUD_REQUEST_KEY,
} from './constants.js';

// For adapters: the entity's catalog, and plans over it.
export type {
  Catalog,
  CatalogColumn,
  CatalogReference,
  CatalogRelation,
  ColumnForm,
  ColumnKind,
  ColumnSource,
  RecordClass,
  RelationKind,
} from './plan/catalog.js';
export type {
  PlannedComparison,
  PlannedCondition,
  PlannedCustom,
  PlannedSort,
  PlannedSource,
  ReadPlan,
  ResolvedColumn,
} from './plan/read-plan.js';
export type {
  PlannedCascade,
  PlannedCascadeItem,
  PlannedKey,
  PlannedLinks,
  PlannedUnlink,
  PlannedValue,
  WriteMode,
  WritePlan,
} from './plan/write-plan.js';
export { type PagingOverride, planInScope, planKnown, planRead, planRecord, planScope, scopeOf } from './plan/read.js';
export { optionsOf } from './plan/changed-options.js';
export { handOver } from './plan/handed-request.js';
export { planReach, type ReachQuestion } from './plan/reach.js';
export { isOwnEntity, type RelationScopes, relationScopes } from './plan/relation-scope.js';
export { DEFAULT_VALUE, planWrite, type WriteOptions } from './plan/write.js';
export type { RelatedScope } from './plan/write-context.js';
export { project } from './plan/project.js';
export { readValue } from './plan/values.js';

// For adapters that write JSON without making records.
export { type JsonList, jsonList } from './response/json-list.js';
export {
  JsonText,
  type JsonTextService,
  type ReadingVerb,
  reportFastPath,
  type ReportReason,
  type TextVerb,
  WRITE_JSON,
} from './response/json-text.js';
export { jsonProperty, type JsonRules, jsonRulesOf } from './serialization/index.js';

// For adapters: what they tell whoever listens.
export { isWatched, publish } from './diagnostics/channels.js';
