/** Types as strict applications of nestjsx/crud and @dataui/crud use them: generic requests, members that they call and override, every kind of entity, names and parts that the compiler does not know. Compiled by `npm run typecheck` and types.spec.ts, never run. */
import { Controller, type Type } from '@nestjs/common';
import { type CreateManyDto, Crud, type CrudController, type CrudRequest, CrudService } from '@nestwright/crud';
import type { JoinOptions, ModelOptions, QueryFilterFunction, QueryOptions } from '@nestwright/crud';
import type { QueryFilter } from '@nestwright/crud-request';
import { User } from '../../../crud-request/test/typed/entities.js';

// Requests, with what @CrudAuth picks and with the application's own parameters.
type Session = { companyId: number };

type Extra = { tenant?: string };

export function generic(request: CrudRequest<Session, Extra>): [number | undefined, string | undefined] {
  // @ts-expect-error no such property of the session
  void request.auth?.company;
  // @ts-expect-error no such parameter
  void request.parsed.extra?.tenancy;
  return [request.auth?.companyId, request.parsed.extra?.tenant];
}

// Applications of upstream's write `any` here.
export function loose(request: CrudRequest, any: CrudRequest<any, any>): CrudRequest<Session, Extra> {
  void [request.auth.whatever, request.parsed.extra.whatever, any];
  return request;
}

/** What upstream declares as there is there without a question. */
export function read({ parsed }: CrudRequest): void {
  const persisted: number = parsed.authPersist['companyId'];
  const groups: string[] | undefined = parsed.classTransformOptions.groups;
  const rest: number = parsed.page + parsed.limit + parsed.offset + parsed.cache + parsed.includeDeleted;
  const filters: QueryFilter[] = [...parsed.paramsFilter, ...parsed.filter, ...parsed.or];
  parsed.search = { $and: [parsed.search, { companyId: persisted }] };
  parsed.authPersist = { companyId: persisted };
  parsed.classTransformOptions = { groups: ['admin'], excludeExtraneousValues: true };
  void [groups, rest, filters];
}

// Options by names that the compiler does not know, and by parts made elsewhere.
declare const field: string;
declare const fields: string[];
declare const readonlyFields: readonly string[];
declare const join: JoinOptions;
declare const computing: QueryFilterFunction;
declare const query: QueryOptions;
const model: ModelOptions = { type: User };
const known = { type: User };
Crud({
  model: known,
  query: { allow: fields, exclude: readonlyFields, persist: [...fields, 'id'], conditions: fields },
});
Crud({ model: known, query: { exclude: [field, 'email'], sort: [{ field, order: 'ASC' }], filter: { [field]: 1 } } });
Crud({ model: known, query: { join: { [field]: {} } }, params: { [field]: { field, type: 'uuid' } } });
Crud({ model: known, query: { ...query, join, filter: computing, exclude: ['email'] } });

// Entities of every kind.
abstract class Base {
  id!: number;
  name?: string;
}

declare const aClass: Type<User>;
// An entity's type is `any` where its module has none.
declare const ofNoType: any;
declare const schema: { readonly '@instanceof': symbol; options: { name: string; columns: object } };

Crud({ model: { type: Base }, query: { exclude: ['name'] } });
Crud({ model: { type: aClass }, query: { exclude: ['email'] } });
// @ts-expect-error no such field
Crud({ model: { type: aClass }, query: { exclude: ['nope'] } });
Crud({ model: { type: schema }, query: { exclude: ['whatever'], filter: { whatever: 1 } } });
Crud({ model: { type: ofNoType }, query: { exclude: ['any'], join: { any: {} } }, params: { id: { field: 'any' } } });
// An entity's type is `any` where its module has none.
Crud<any>({ model, query: { exclude: ['any'], filter: [{ field: 'any', operator: '$eq' }] } });
Crud<User>({ model: { type: schema }, query: { exclude: ['email'] } });
// @ts-expect-error no such field of the entity named
Crud<User>({ model: { type: schema }, query: { exclude: ['nope'] } });

/** Services over what bodies are. */
class CreateUserDto {
  email!: string;
}

export abstract class DtoService extends CrudService<User, CreateUserDto> {
  abstract override createOne(request: CrudRequest<Session>, dto: CreateUserDto): Promise<User>;
  override createMany(_request: CrudRequest, dto: CreateManyDto<CreateUserDto>): Promise<User[]> {
    return Promise.all(dto.bulk.map((user) => this.createOne(_request, user)));
  }
}

// Base controllers of applications: a factory that knows its entity by a type parameter.
export function controllerOf<T>(type: Type<T>, path: string): Type<CrudController<T>> {
  @Crud({
    model: { type },
    params: { slug: { field: 'slug', type: 'string', primary: true } },
    query: { exclude: ['deletedAt'], sort: [{ field: 'id', order: 'ASC' }], join: { company: { exclude: ['name'] } } },
  })
  @Controller(path)
  class BaseController implements CrudController<T> {
    constructor(public service: CrudService<T>) {}
  }
  return BaseController;
}
