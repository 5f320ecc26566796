/** Types as strict applications of nestjsx/crud and @dataui/crud use them: generic requests, members that they call and override, every kind of entity. Compiled by `npm run typecheck` and types.spec.ts, never run. */
import type { Type } from '@nestjs/common';
import { type ClassType, type CreateManyDto, Crud, CrudAuth } from '@nestwright/crud';
import { type CrudOptions, type CrudRequest, CrudRoutesFactory, CrudService } from '@nestwright/crud';
import { type CustomOperatorQuery, type CustomOperators, type GetManyDefaultResponse } from '@nestwright/crud';
import { type JoinOptions, type ModelOptions, type ObjectLiteral, type ParamOption } from '@nestwright/crud';
import { type ParamsOptions } from '@nestwright/crud';
import type { QueryFilter } from '@nestwright/crud-request';
import { User } from '../../../crud-request/test/typed/entities.js';

// Requests, with what @CrudAuth picks and with the application's own parameters.
interface Session {
  companyId: number;
}

interface Extra {
  tenant?: string;
}

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
  const skipped: number = (parsed.page - 1) * parsed.limit + parsed.offset;
  const rest: number = parsed.cache + parsed.includeDeleted;
  const filters: QueryFilter[] = [...parsed.paramsFilter, ...parsed.filter, ...parsed.or];
  parsed.search = { $and: [parsed.search, { companyId: persisted }] };
  parsed.authPersist = { companyId: persisted };
  parsed.classTransformOptions = { groups: ['admin'], excludeExtraneousValues: true };
  void [groups, skipped, rest, filters];
}

class Account {
  constructor(readonly companyId: number) {}
}

// A class has no index signature.
CrudAuth({ property: 'user', persist: (account: Account) => account });

// Options by their parts.
const query: CustomOperatorQuery = (column, param) => `${column} = ${param}`;
const custom: CustomOperators = { sounds: { query, isArray: false } };
const id: ParamOption = { field: 'id', type: 'number', primary: true };
const params: ParamsOptions = { id };
const join: JoinOptions = { company: { eager: true } };
const model: ModelOptions = { type: User };
export const options: CrudOptions = { model, params, query: { join }, operators: { custom } };

// Entities of every kind.
abstract class Base {
  id!: number;
  name?: string;
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- The option takes it.
declare const fromElsewhere: Function;
declare const aClass: Type<User>;
declare const schema: { readonly '@instanceof': symbol; options: { name: string; columns: object } };

Crud({ model: { type: Base }, query: { exclude: ['name'] } });
Crud({ model: { type: aClass }, query: { exclude: ['email'] } });
// @ts-expect-error no such field
Crud({ model: { type: aClass }, query: { exclude: ['nope'] } });
Crud({ model: { type: fromElsewhere }, query: { exclude: ['whatever'], join: { whatever: {} } } });
Crud({ model: { type: schema }, query: { exclude: ['whatever'], filter: { whatever: 1 } } });
Crud<User>({ model: { type: schema }, query: { exclude: ['email'] } });
// @ts-expect-error no such field of the entity named
Crud<User>({ model: { type: schema }, query: { exclude: ['nope'] } });
// @ts-expect-error another entity
Crud<User>({ model: { type: Base } });
// @ts-expect-error a name
Crud({ model: { type: 'User' } });

/** Services over what bodies are. */
class CreateUserDto {
  email!: string;
}

export abstract class DtoService extends CrudService<User, CreateUserDto> {
  abstract override createOne(request: CrudRequest<Session>, dto: CreateUserDto): Promise<User>;
  override createMany(_request: CrudRequest, dto: CreateManyDto<CreateUserDto>): Promise<User[]> {
    return Promise.all(dto.bulk.map((user) => this.createOne(_request, user)));
  }
  override async getMany(request: CrudRequest<Session, Extra>): Promise<GetManyDefaultResponse<User> | User[]> {
    return this.createPageInfo([], 0, request.parsed.limit, request.parsed.offset);
  }
}

/** The steps of a routes factory; what may be overridden of the factory is in core/routes-factory.spec.ts, of services in crud-typeorm. */
export class Routes extends CrudRoutesFactory {
  protected override create(): string[] {
    super.create();
    for (const step of ['setBaseRouteMeta', 'setDecorators', 'setInterceptors'] as const) this[step]('getOneBase');
    for (const route of ['getOneBase', 'createOneBase', 'createManyBase', 'updateOneBase'] as const) this[route](route);
    for (const route of ['replaceOneBase', 'deleteOneBase', 'recoverOneBase'] as const) this[route](route);
    return [this.modelName, ...super.getPrimaryParams()];
  }
}

export function created<T>(type: ClassType<T>, values: ObjectLiteral): T {
  return Object.assign(new type() as T & object, values);
}
