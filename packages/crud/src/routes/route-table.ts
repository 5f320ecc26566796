/** The table of routes: everything that varies by route reads its row here. */
import { RequestMethod } from '@nestjs/common';
import type { ParameterName } from '@nestwright/crud-request';

/** What a route does, as guards ask with `getAction`; values are stable. */
export enum CrudActions {
  /** `GET /`. */
  ReadAll = 'Read-All',
  /** `GET /:id`. */
  ReadOne = 'Read-One',
  /** `POST /`. */
  CreateOne = 'Create-One',
  /** `POST /bulk`. */
  CreateMany = 'Create-Many',
  /** `PATCH /:id`. */
  UpdateOne = 'Update-One',
  /** `PUT /:id`. */
  ReplaceOne = 'Replace-One',
  /** `DELETE /:id`. */
  DeleteOne = 'Delete-One',
  /** No generated route: for handlers of the application's own. */
  DeleteAll = 'Delete-All',
  /** `PATCH /:id/recover`. */
  RecoverOne = 'Recover-One',
  /** `GET /count`. */
  CountAll = 'Count-All',
  /** `GET /aggregate`. */
  AggregateAll = 'Aggregate-All',
  /** `PATCH /bulk`. */
  UpdateMany = 'Update-Many',
  /** `PUT /bulk`. */
  ReplaceMany = 'Replace-Many',
  /** `DELETE /bulk` and `POST /bulk/delete`. */
  DeleteMany = 'Delete-Many',
  /** `PATCH /bulk/recover`. */
  RecoverMany = 'Recover-Many',
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
  | 'recoverOneBase'
  | 'countBase'
  | 'aggregateBase'
  | 'updateManyBase'
  | 'replaceManyBase'
  | 'deleteManyBase'
  | 'recoverManyBase';

/** One row of {@link ROUTES}. */
export interface RouteDescriptor {
  readonly method: RequestMethod;
  /** Whether the path ends in the primary parameters. */
  readonly single: boolean;
  /** What the path ends in after them: `/bulk`, `/recover` or nothing. */
  readonly suffix: '' | `/${string}`;
  /** A second path and method of the route. Default: none. */
  readonly also?: { readonly method: RequestMethod; readonly suffix: `/${string}` };
  /** Whether the route is there only if `routes` names it: by its options, by `true`, or in `only`. */
  readonly optional?: true;
  /** Option in `query` that the route needs, and that asks for it by itself. */
  readonly askedBy?: 'aggregate';
  readonly action: CrudActions;
  /** The query parameters that it reads, besides those that options add. Default: those that shape its answer. */
  readonly parameters: readonly ParameterName[];
  /** Name of the service's method that the handler calls. */
  readonly verb:
    | ('getMany' | 'getOne' | 'createOne' | 'createMany' | 'updateOne' | 'replaceOne' | 'deleteOne' | 'recoverOne')
    | ('countMany' | 'aggregateMany' | 'updateMany' | 'replaceMany' | 'deleteMany' | 'recoverMany');
  /** Name of the method that is called if a condition names the records. Default: the route takes keys alone. */
  readonly verbByCondition?: 'updateMatching' | 'deleteMatching';
  /** What becomes of the records of the body, whether it is a bulk, and whether only keys are read; none: no body. */
  readonly body?: {
    readonly mode: 'insert' | 'update' | 'replace';
    readonly isBulk?: true;
    readonly keysAlone?: true;
  };
  /** Whether what the verb returns may leave as JSON text that was written without making records. */
  readonly text: boolean;
  /** Key of `serialize` whose class shapes the response; `none` if no record is in it. */
  readonly serialize:
    'getMany' | 'get' | 'create' | 'createMany' | 'update' | 'replace' | 'delete' | 'recover' | 'none';
  /** Whether the route is about all records that a request would list. */
  readonly ofList?: true;
  /**
   * What the entity tag identifies: the state of the record and its representation, or the representation alone;
   * undefined: no tag.
   */
  readonly tag?: 'record' | 'representation';
  readonly status: 200 | 201;
  /** Statuses of the errors that the route may answer with. */
  readonly errors: readonly (400 | 404 | 409)[];
  readonly summary: (model: string) => string;
}

// Writes are never narrowed by a client's condition, and single records are neither sorted nor paged.
const SHAPE: readonly ParameterName[] = ['fields', 'join', 'cache', 'extra'];
const CONDITION: readonly ParameterName[] = ['search', 'filter', 'or'];
const ORDER: readonly ParameterName[] = ['sort', 'limit', 'offset', 'page'];

const USUAL = { single: false, suffix: '', parameters: SHAPE, text: false, status: 200 } as const;

/** A row that says what is unusual about a route. */
function row(own: Omit<RouteDescriptor, keyof typeof USUAL> & Partial<RouteDescriptor>): RouteDescriptor {
  return { ...USUAL, ...own };
}

/** The routes: eight that are there by themselves, and optional ones. */
export const ROUTES: Readonly<Record<BaseRouteName, RouteDescriptor>> = {
  getManyBase: row({
    method: RequestMethod.GET,
    action: CrudActions.ReadAll,
    parameters: [...SHAPE, ...CONDITION, ...ORDER],
    verb: 'getMany',
    text: true,
    serialize: 'getMany',
    tag: 'representation',
    ofList: true,
    errors: [400],
    summary: (model) => `Retrieve multiple ${model} items`,
  }),
  getOneBase: row({
    method: RequestMethod.GET,
    single: true,
    action: CrudActions.ReadOne,
    parameters: [...SHAPE, ...CONDITION],
    verb: 'getOne',
    text: true,
    serialize: 'get',
    tag: 'record',
    errors: [400, 404],
    summary: (model) => `Retrieve a single ${model}`,
  }),
  createOneBase: row({
    method: RequestMethod.POST,
    action: CrudActions.CreateOne,
    verb: 'createOne',
    body: { mode: 'insert' },
    text: true,
    serialize: 'create',
    tag: 'record',
    status: 201,
    errors: [400, 409],
    summary: (model) => `Create a single ${model}`,
  }),
  createManyBase: row({
    method: RequestMethod.POST,
    suffix: '/bulk',
    action: CrudActions.CreateMany,
    verb: 'createMany',
    body: { mode: 'insert', isBulk: true },
    text: true,
    serialize: 'createMany',
    status: 201,
    errors: [400, 409],
    summary: (model) => `Create multiple ${model} items`,
  }),
  updateOneBase: row({
    method: RequestMethod.PATCH,
    single: true,
    action: CrudActions.UpdateOne,
    verb: 'updateOne',
    body: { mode: 'update' },
    text: true,
    serialize: 'update',
    tag: 'record',
    errors: [400, 404, 409],
    summary: (model) => `Update a single ${model}`,
  }),
  replaceOneBase: row({
    method: RequestMethod.PUT,
    single: true,
    action: CrudActions.ReplaceOne,
    verb: 'replaceOne',
    body: { mode: 'replace' },
    serialize: 'replace',
    tag: 'record',
    errors: [400, 404, 409],
    summary: (model) => `Replace a single ${model}`,
  }),
  deleteOneBase: row({
    method: RequestMethod.DELETE,
    single: true,
    action: CrudActions.DeleteOne,
    verb: 'deleteOne',
    serialize: 'delete',
    errors: [400, 404, 409],
    summary: (model) => `Delete a single ${model}`,
  }),
  recoverOneBase: row({
    method: RequestMethod.PATCH,
    single: true,
    suffix: '/recover',
    action: CrudActions.RecoverOne,
    verb: 'recoverOne',
    serialize: 'recover',
    tag: 'record',
    errors: [400, 404],
    summary: (model) => `Recover one ${model}`,
  }),
  countBase: row({
    method: RequestMethod.GET,
    suffix: '/count',
    optional: true,
    action: CrudActions.CountAll,
    // What decides on the records of a list: a joined relation may be `required`.
    parameters: [...CONDITION, 'join', 'extra'],
    verb: 'countMany',
    serialize: 'none',
    ofList: true,
    errors: [400],
    summary: (model) => `Count ${model} items`,
  }),
  aggregateBase: row({
    method: RequestMethod.GET,
    suffix: '/aggregate',
    optional: true,
    askedBy: 'aggregate',
    action: CrudActions.AggregateAll,
    // The rows of an answer are sorted and paged as records are.
    parameters: [...CONDITION, ...ORDER, 'join', 'extra', 'groupBy', 'aggregate', 'having'],
    verb: 'aggregateMany',
    serialize: 'none',
    ofList: true,
    errors: [400],
    summary: (model) => `Aggregate ${model} items`,
  }),
  updateManyBase: row({
    method: RequestMethod.PATCH,
    suffix: '/bulk',
    optional: true,
    action: CrudActions.UpdateMany,
    verb: 'updateMany',
    verbByCondition: 'updateMatching',
    body: { mode: 'update', isBulk: true },
    serialize: 'update',
    errors: [400, 404, 409],
    summary: (model) => `Update multiple ${model} items`,
  }),
  replaceManyBase: row({
    method: RequestMethod.PUT,
    suffix: '/bulk',
    optional: true,
    action: CrudActions.ReplaceMany,
    verb: 'replaceMany',
    body: { mode: 'replace', isBulk: true },
    serialize: 'replace',
    errors: [400, 404, 409],
    summary: (model) => `Replace multiple ${model} items`,
  }),
  deleteManyBase: row({
    method: RequestMethod.DELETE,
    suffix: '/bulk',
    also: { method: RequestMethod.POST, suffix: '/bulk/delete' },
    optional: true,
    action: CrudActions.DeleteMany,
    verb: 'deleteMany',
    verbByCondition: 'deleteMatching',
    body: { mode: 'update', isBulk: true, keysAlone: true },
    serialize: 'delete',
    errors: [400, 404, 409],
    summary: (model) => `Delete multiple ${model} items`,
  }),
  recoverManyBase: row({
    method: RequestMethod.PATCH,
    suffix: '/bulk/recover',
    optional: true,
    action: CrudActions.RecoverMany,
    verb: 'recoverMany',
    body: { mode: 'update', isBulk: true, keysAlone: true },
    serialize: 'recover',
    errors: [400, 404, 409],
    summary: (model) => `Recover multiple ${model} items`,
  }),
};

/** Names of all routes, optional ones included. */
export function routeNames(): BaseRouteName[] {
  return Object.keys(ROUTES) as BaseRouteName[];
}
