import type { ParamsOptions, RequestQueryBuilderOptions } from '@nestwright/crud-request';
import type { Type } from '@nestjs/common';
import type { AuthOptions } from './auth-options.js';
import type { BaseRouteName } from '../routes/route-table.js';
import type { SettledRoutesOptions } from './route-options.js';
import type { DtoOptions, SerializeOptions } from './class-options.js';
import type { OpenApiOptions, OperatorsOptions } from './options.js';
import type { QueryOptions } from './query-options.js';
import type { ValidationOptions } from './merge-validation.js';

/** What a request of the resource carries as `options`; the same object for every request. */
export interface ResourceOptions {
  /** What clients may ask. */
  readonly query: Readonly<QueryOptions>;
  /** Options of the routes. */
  readonly routes: Readonly<SettledRoutesOptions>;
  /** Never empty if the resource has single-record routes: `id` is added unless `id` is disabled or another parameter is primary. */
  readonly params: Readonly<ParamsOptions>;
  /** Operators of the application's own. */
  readonly operators: Readonly<OperatorsOptions>;
  /** Which types and lengths of columns hold. Default: that of the global configuration. */
  readonly columns?: 'all' | 'declared';
}

/** A resource: the options of `@Crud()` and `@CrudAuth()` with the global ones and the defaults filled in, deeply frozen. */
export interface ResourceDefinition {
  /** Name of the controller class, for messages. */
  readonly controller: string;
  /** Class of the records. */
  readonly model: Type<unknown>;
  /** Name of the record type, for messages and the OpenAPI description; the class's unless a `routesFactory` says otherwise. */
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
  readonly auth?: Readonly<AuthOptions>;
  /** Delimiters and parameter names of the query language. */
  readonly language: Readonly<RequestQueryBuilderOptions>;
  /** Names in OpenAPI documents. */
  readonly openapi?: Readonly<OpenApiOptions>;
  /** Routes that exist. */
  readonly routes: ReadonlySet<BaseRouteName>;
}
