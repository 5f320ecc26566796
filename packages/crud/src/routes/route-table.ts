/** The table of the eight routes: everything that varies by route reads its row here. */
import { RequestMethod } from '@nestjs/common';

/** What a route does, as guards ask with `getAction`; values are stable. */
export enum CrudActions {
  ReadAll = 'Read-All',
  ReadOne = 'Read-One',
  CreateOne = 'Create-One',
  CreateMany = 'Create-Many',
  UpdateOne = 'Update-One',
  ReplaceOne = 'Replace-One',
  DeleteOne = 'Delete-One',
  DeleteAll = 'Delete-All',
  RecoverOne = 'Recover-One',
}

/** Name of a generated handler. */
export type BaseRouteName =
  | 'getManyBase'
  | 'getOneBase'
  | 'createOneBase'
  | 'createManyBase'
  | 'updateOneBase'
  | 'replaceOneBase'
  | 'deleteOneBase'
  | 'recoverOneBase';

/** One row of {@link ROUTES}. */
export interface RouteDescriptor {
  readonly method: RequestMethod;
  /** Whether the path ends in the primary parameters. */
  readonly single: boolean;
  /** Segment after them: `bulk`, `recover` or none. */
  readonly suffix: '' | '/bulk' | '/recover';
  readonly action: CrudActions;
  /** Group and shape of the body; `undefined` where the route takes none. */
  readonly body?: 'create' | 'bulk' | 'update' | 'replace';
  /** Key of `serialize` whose class shapes the response. */
  readonly serialize: 'getMany' | 'get' | 'create' | 'createMany' | 'update' | 'replace' | 'delete' | 'recover';
  readonly status: 200 | 201;
  /** Statuses of the errors that the route may answer with. */
  readonly errors: readonly (400 | 404 | 409)[];
  readonly summary: (model: string) => string;
}

/** The eight routes. */
export const ROUTES = {
  getManyBase: {
    method: RequestMethod.GET,
    single: false,
    suffix: '',
    action: CrudActions.ReadAll,
    serialize: 'getMany',
    status: 200,
    errors: [400],
    summary: (model) => `Retrieve multiple ${model} items`,
  },
  getOneBase: {
    method: RequestMethod.GET,
    single: true,
    suffix: '',
    action: CrudActions.ReadOne,
    serialize: 'get',
    status: 200,
    errors: [400, 404],
    summary: (model) => `Retrieve a single ${model}`,
  },
  createOneBase: {
    method: RequestMethod.POST,
    single: false,
    suffix: '',
    action: CrudActions.CreateOne,
    body: 'create',
    serialize: 'create',
    status: 201,
    errors: [400, 409],
    summary: (model) => `Create a single ${model}`,
  },
  createManyBase: {
    method: RequestMethod.POST,
    single: false,
    suffix: '/bulk',
    action: CrudActions.CreateMany,
    body: 'bulk',
    serialize: 'createMany',
    status: 201,
    errors: [400, 409],
    summary: (model) => `Create multiple ${model} items`,
  },
  updateOneBase: {
    method: RequestMethod.PATCH,
    single: true,
    suffix: '',
    action: CrudActions.UpdateOne,
    body: 'update',
    serialize: 'update',
    status: 200,
    errors: [400, 404, 409],
    summary: (model) => `Update a single ${model}`,
  },
  replaceOneBase: {
    method: RequestMethod.PUT,
    single: true,
    suffix: '',
    action: CrudActions.ReplaceOne,
    body: 'replace',
    serialize: 'replace',
    status: 200,
    errors: [400, 404, 409],
    summary: (model) => `Replace a single ${model}`,
  },
  deleteOneBase: {
    method: RequestMethod.DELETE,
    single: true,
    suffix: '',
    action: CrudActions.DeleteOne,
    serialize: 'delete',
    status: 200,
    errors: [400, 404, 409],
    summary: (model) => `Delete a single ${model}`,
  },
  recoverOneBase: {
    method: RequestMethod.PATCH,
    single: true,
    suffix: '/recover',
    action: CrudActions.RecoverOne,
    serialize: 'recover',
    status: 200,
    errors: [400, 404],
    summary: (model) => `Recover one ${model}`,
  },
} as const satisfies Record<BaseRouteName, RouteDescriptor>;
