/** A resource as `@Crud()` leaves it: options merged with the global ones, defaults filled in, deeply frozen; made once, read by every other room. */
import type { RequestQueryBuilderOptions } from '@nestwright/crud-request';
import type { Type } from '@nestjs/common';
import type { AuthOptions } from '../auth/auth-options.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type {
  CrudRoutesOptions,
  DtoOptions,
  OpenApiOptions,
  OperatorsOptions,
  QueryOptions,
  SerializeOptions,
} from './options.js';
import type { ValidationOptions } from './merge-validation.js';
import type { ParamsOptions } from '@nestwright/crud-request';

/** What a request of the resource carries as `options`; the same object for every request. */
export interface ResourceOptions {
  readonly query: Readonly<QueryOptions>;
  readonly routes: Readonly<CrudRoutesOptions>;
  /** Never empty where the resource has single-record routes: `id` is added unless `id` is disabled or another parameter is primary. */
  readonly params: Readonly<ParamsOptions>;
  readonly operators: Readonly<OperatorsOptions>;
}

export interface ResourceDefinition {
  /** Name of the controller class, for messages. */
  readonly controller: string;
  readonly model: Type<unknown>;
  /** Name of the record type, for messages and the OpenAPI description; the class's unless a `routesFactory` says otherwise. */
  readonly modelName: string;
  readonly options: ResourceOptions;
  readonly dto: Readonly<DtoOptions>;
  readonly serialize: Readonly<SerializeOptions>;
  /** Of the resource; a route may have options of its own over them. */
  readonly validation: ValidationOptions;
  readonly auth?: Readonly<AuthOptions>;
  readonly language: Readonly<RequestQueryBuilderOptions>;
  /** Names in OpenAPI documents. */
  readonly openapi?: Readonly<OpenApiOptions>;
  /** Routes that exist. */
  readonly routes: ReadonlySet<BaseRouteName>;
}
