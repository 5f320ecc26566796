/** Members of services that applications of nestjsx/crud call and override, each used as they use it (hooks.spec.ts has others). Compiled by `npm run typecheck`, never run. */
import type { CrudController, CrudRequest } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { DeepPartial, FindManyOptions, ObjectLiteral, Repository } from 'typeorm';
import type { User } from '../guides/user.entity.js';

class UpdateUserDto {
  email?: string;
  company?: { id: number };
}

export class UsersService extends TypeOrmCrudService<User> {
  constructor(protected override repo: Repository<User>) {
    super(repo);
  }
  async counted(req: CrudRequest<User>, options: FindManyOptions<User>): Promise<number> {
    const counting: Repository<User>['count'] = this.count;
    return (await this.count(req)) + (await counting(options));
  }
  // @ts-expect-error no option of TypeORM's, and no request
  miscounted = () => this.count({ search: {} });
}

/** A base class of an application's own, of whatever entity. */
export abstract class BaseService<T extends ObjectLiteral> extends TypeOrmCrudService<T> {
  override async createOne(req: CrudRequest, dto: DeepPartial<T>): Promise<T> {
    return super.createOne(req, { ...dto, ...req.parsed.authPersist });
  }
  override updateOne(req: CrudRequest, dto: T): Promise<T> {
    return super.updateOne(req, dto);
  }
  all(dtos: DeepPartial<T>[], req: CrudRequest): Promise<T[]> {
    return this.createMany(req, { bulk: dtos });
  }
}

/** Bodies of the application's own classes, and values that nest. */
export class DtoService extends BaseService<User> {
  override updateOne(req: CrudRequest, dto: UpdateUserDto): Promise<User> {
    return super.replaceOne(req, dto);
  }
  nested(req: CrudRequest): Promise<User> {
    return this.createOne(req, { email: 'a@b.c', company: { name: 'x', users: [{ email: 'd' }] } });
  }
  // @ts-expect-error a number is no email
  mistaken = (req: CrudRequest) => this.createOne(req, { email: 1 });
}

export const controller: CrudController<User> = {} as { service: DtoService };
