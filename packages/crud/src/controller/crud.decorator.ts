import type { Type } from '@nestjs/common';
import { applyNowAndOnLoad } from '../definition/global-config.js';
import type { CrudOptions } from '../definition/options.js';
import type { Computed, WhileGeneric } from '../definition/typed-names.js';
import { restoreSnapshot, takeSnapshot } from '../nest/metadata.js';
import { CrudRoutesFactory } from './crud-routes.factory.js';
import type { CrudRequest } from '../crud-request.js';
import type {
  AffectedResponse,
  AggregateResponseRow,
  BulkDto,
  CountResponse,
  CreateManyDto,
  CrudService,
  GetManyDefaultResponse,
  SetDto,
} from '../service/crud.service.js';

/**
 * Makes a controller a REST resource: list, read, create, bulk create, update, replace, delete and recover, with
 * validation, serialization and OpenAPI. The controller needs a public property `service`, a `CrudService`.
 *
 * @example
 * `@Crud({ model: { type: User }, query: { join: { company: {} } } }) @Controller('users') class UsersController { constructor(public service: UsersService) {} }`
 */
export function Crud<T = unknown, Name extends string = never>(
  options: CrudOptions<T, Computed<Name>> | WhileGeneric<T, CrudOptions>,
): ClassDecorator {
  return (target) => {
    const controller = target as unknown as Type<object>;
    const original = takeSnapshot(controller);
    const Factory = (options.routesFactory ?? CrudRoutesFactory) as typeof CrudRoutesFactory;

    applyNowAndOnLoad(controller, () => {
      restoreSnapshot(original);
      new Factory(controller, options as CrudOptions);
    });
  };
}

/**
 * What a `@Crud()` controller has: its service, and the generated handlers, which `@Crud()` puts there. TypeScript sees
 * them through a getter.
 *
 * @example
 * class UsersController implements CrudController<User> {
 *   constructor(public service: UsersService) {}
 *   get base(): CrudController<User> { return this; }
 * }
 */
export interface CrudController<T> {
  /** The service that the generated handlers call. */
  // Whatever its bodies are.
  service: CrudService<T, any>;
  /** `GET /`. */
  getManyBase?(req: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]>;
  /** `GET /:id`. */
  getOneBase?(req: CrudRequest): Promise<T>;
  /** `POST /`. */
  createOneBase?(req: CrudRequest, dto: T | Partial<T>): Promise<T>;
  /** `POST /bulk`. */
  createManyBase?(req: CrudRequest, dto: CreateManyDto<T>): Promise<T[]>;
  /** `PATCH /:id`. */
  updateOneBase?(req: CrudRequest, dto: T | Partial<T>): Promise<T>;
  /** `PUT /:id`. */
  replaceOneBase?(req: CrudRequest, dto: T | Partial<T>): Promise<T>;
  /** `DELETE /:id`. */
  deleteOneBase?(req: CrudRequest): Promise<void | T>;
  /** `PATCH /:id/recover`. */
  recoverOneBase?(req: CrudRequest): Promise<void | T>;
  /** `GET /count`, if `routes` names it. */
  countBase?(req: CrudRequest): Promise<CountResponse>;
  /** `GET /aggregate`, if `query.aggregate` or `routes` asks for it. */
  aggregateBase?(req: CrudRequest): Promise<GetManyDefaultResponse<AggregateResponseRow> | AggregateResponseRow[]>;
  /** `PATCH /bulk`. */
  updateManyBase?(req: CrudRequest, dto: BulkDto | SetDto): Promise<T[] | AffectedResponse>;
  /** `PUT /bulk`. */
  replaceManyBase?(req: CrudRequest, dto: BulkDto): Promise<T[]>;
  /** `DELETE /bulk` and `POST /bulk/delete`. */
  deleteManyBase?(req: CrudRequest, dto: BulkDto): Promise<void | T[] | AffectedResponse>;
  /** `PATCH /bulk/recover`. */
  recoverManyBase?(req: CrudRequest, dto: BulkDto): Promise<void | T[]>;
}
