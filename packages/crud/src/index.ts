/** The public face of the package. */
import 'reflect-metadata';

export { Crud } from './controller/crud.decorator.js';
export { Action, CrudAuth, Feature, getAction, getFeature, Override, ParsedBody, ParsedRequest } from './decorators.js';

export type { AuthOptions, RelatedOptions, RelationScope } from './definition/auth-options.js';
export type { AuthOptions as AuthGlobalOptions } from './definition/auth-options.js';

export type { MergedCrudOptions } from './definition/merge-options.js';
export type * from './definition/options.js';
export type * from './definition/query-options.js';
export type * from './definition/route-options.js';
export type { CrudRoutesOptions as RoutesOptions } from './definition/route-options.js';
export type {
  ClassType,
  CustomOperatorQuery,
  CustomOperators,
  ObjectLiteral,
  ParamOption,
  ParamsOptions,
} from '@nestwright/crud-request';
export type { ConditionOf, FieldName } from './definition/typed-names.js';
export { CrudConfigService, CrudModule, type CrudModuleAsyncOptions } from './definition/global-config.js';

export { CrudRequestInterceptor } from './exchange/interceptors.js';
export { CrudResponseInterceptor } from './exchange/interceptors.js';
export { CrudRouteInterceptor } from './exchange/interceptors.js';
export { TRUNCATED_HEADER } from './exchange/make-answer.js';

export { type BaseRouteName, CrudActions } from './routes/route-table.js';
export type { BaseRoute } from './controller/handlers.js';
export { CrudRoutesFactory } from './controller/crud-routes.factory.js';
export type { CrudController } from './controller/crud.decorator.js';
export type { StandardSchema, StandardSchemaIssue, StandardSchemaResult } from './definition/standard-schema.js';
export { CrudValidationGroups } from './validation/body-rules.js';

export {
  type AffectedResponse,
  type AggregateResponseRow,
  type BulkDto,
  type CountResponse,
  type CreateManyDto,
  CrudService,
  type GetManyCursorResponse,
  type GetManyDefaultResponse,
  type SetDto,
} from './service/crud.service.js';
export type {
  Change,
  ChangeKind,
  CreateChange,
  DeleteChange,
  HookContext,
  RecoverChange,
  ReplaceChange,
  UpdateChange,
} from './service/change.js';
export type { CrudRequest, Preconditions } from './crud-request.js';
export type {
  CrudCacheMessage,
  CrudChannels,
  CrudFastPathMessage,
  CrudFaultMessage,
  CrudMessage,
  CrudQueryMessage,
  CrudRequestMessage,
  CrudRetryMessage,
} from './diagnostics.js';
export type { CrudErrorCode } from './errors.js';

export {
  ACTION_NAME_METADATA,
  CRUD_AUTH_OPTIONS_METADATA,
  CRUD_OPTIONS_METADATA,
  FEATURE_NAME_METADATA,
  FEAUTURE_NAME_METADATA,
  OVERRIDE_METHOD_METADATA,
  PARSED_BODY_METADATA,
  PARSED_CRUD_REQUEST_KEY,
} from './constants.js';
