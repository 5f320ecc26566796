/** The shape of a `@Crud()` controller: types alone. */
import type { CrudRequest } from '../request/crud-request.js';
import type { CreateManyDto, CrudService, GetManyDefaultResponse } from '../service/crud.service.js';

/**
 * What a `@Crud()` controller has: its service, and the generated handlers, which `@Crud()` puts there. TypeScript sees them through a getter.
 *
 * @example
 * class UsersController implements CrudController<User> {
 *   constructor(public service: UsersService) {}
 *   get base(): CrudController<User> { return this; }
 * }
 */
export interface CrudController<T> {
  // Whatever its bodies are.
  service: CrudService<T, any>;
  getManyBase?(req: CrudRequest): Promise<GetManyDefaultResponse<T> | T[]>;
  getOneBase?(req: CrudRequest): Promise<T>;
  createOneBase?(req: CrudRequest, dto: T | Partial<T>): Promise<T>;
  createManyBase?(req: CrudRequest, dto: CreateManyDto<T>): Promise<T[]>;
  updateOneBase?(req: CrudRequest, dto: T | Partial<T>): Promise<T>;
  replaceOneBase?(req: CrudRequest, dto: T | Partial<T>): Promise<T>;
  deleteOneBase?(req: CrudRequest): Promise<void | T>;
  recoverOneBase?(req: CrudRequest): Promise<void | T>;
}
