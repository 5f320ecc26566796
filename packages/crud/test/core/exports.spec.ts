/** The names that users of nestjsx/crud import, and those that adapters need. */
import { expect, test } from '@jest/globals';
import * as crud from '@nestwright/crud';
import * as adapter from '@nestwright/crud/adapter';
import type {
  AuthGlobalOptions,
  AuthOptions,
  BaseRoute,
  BaseRouteName,
  BaseRouteOptions,
  CreateManyDto,
  CreateManyRouteOptions,
  CreateOneRouteOptions,
  CrudController,
  CrudGlobalConfig,
  CrudOptions,
  CrudRequest,
  CrudRequestOptions,
  DeleteOneRouteOptions,
  DtoOptions,
  GetManyDefaultResponse,
  GetManyRouteOptions,
  GetOneRouteOptions,
  JoinOption,
  JoinOptions,
  MergedCrudOptions,
  ModelOptions,
  QueryFilterFunction,
  QueryFilterOption,
  QueryOptions,
  RecoverOneRouteOptions,
  ReplaceOneRouteOptions,
  RoutesOptions,
  SerializeOptions,
  UpdateOneRouteOptions,
} from '@nestwright/crud';

/** Compiles only while every type is there. */
export type Names = [
  AuthGlobalOptions,
  AuthOptions,
  BaseRoute,
  BaseRouteName,
  BaseRouteOptions,
  CreateManyDto,
  CreateManyRouteOptions,
  CreateOneRouteOptions,
  CrudController<object>,
  CrudGlobalConfig,
  CrudOptions,
  CrudRequest,
  CrudRequestOptions,
  DeleteOneRouteOptions,
  DtoOptions,
  GetManyDefaultResponse<object>,
  GetManyRouteOptions,
  GetOneRouteOptions,
  JoinOption,
  JoinOptions,
  MergedCrudOptions,
  ModelOptions,
  QueryFilterFunction,
  QueryFilterOption,
  QueryOptions,
  RecoverOneRouteOptions,
  ReplaceOneRouteOptions,
  RoutesOptions,
  SerializeOptions,
  UpdateOneRouteOptions,
];

test.each([
  'Crud',
  'CrudAuth',
  'Override',
  'ParsedRequest',
  'ParsedBody',
  'Feature',
  'Action',
  'getFeature',
  'getAction',
  'CrudActions',
  'CrudValidationGroups',
  'CrudService',
  'CrudRequestInterceptor',
  'CrudResponseInterceptor',
  'CrudConfigService',
  'CrudModule',
  'CrudRoutesFactory',
  'PARSED_CRUD_REQUEST_KEY',
])('%s is exported', (name) => {
  expect(crud).toHaveProperty(name);
});

test.each([
  'crudError',
  'ERRORS',
  'planRead',
  'planRecord',
  'planScope',
  'planWrite',
  'project',
  'readValue',
  'reportOutcome',
  'definitionOf',
])('%s is exported for adapters, not for applications', (name) => {
  expect(adapter).toHaveProperty(name);
  expect(crud).not.toHaveProperty(name);
});

test('values that applications store or compare are those of nestjsx/crud', () => {
  expect(crud.CrudActions).toEqual({
    ReadAll: 'Read-All',
    ReadOne: 'Read-One',
    CreateOne: 'Create-One',
    CreateMany: 'Create-Many',
    UpdateOne: 'Update-One',
    ReplaceOne: 'Replace-One',
    DeleteOne: 'Delete-One',
    DeleteAll: 'Delete-All',
    RecoverOne: 'Recover-One',
    CountAll: 'Count-All',
    AggregateAll: 'Aggregate-All',
    UpdateMany: 'Update-Many',
    ReplaceMany: 'Replace-Many',
    DeleteMany: 'Delete-Many',
    RecoverMany: 'Recover-Many',
  });
  expect(crud.CrudValidationGroups).toEqual({ CREATE: 'CRUD-CREATE', UPDATE: 'CRUD-UPDATE' });
});
