/** Members that applications write in their services, of types of their own: none meets one of the library's, except where nestjsx/crud has it too. Compiled by `npm run typecheck`, never run; own-names.spec.ts has every name. */
import { Injectable } from '@nestjs/common';
import { CrudService } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { Repository } from 'typeorm';
import type { User } from '../services-guide/user.entity.js';

class CreateUserDto {
  email!: string;
}

class UpdateUserDto {
  email?: string;
}

/** What `nest generate resource users` writes, on top of a service of the library's. */
@Injectable()
export class GeneratedService extends TypeOrmCrudService<User> {
  create = (_createUserDto: CreateUserDto) => 'This action adds a new user';
  findAll = () => 'This action returns all users';
  // @ts-expect-error nestjsx/crud's own: the repository's findOne
  findOne(id: number) {
    return `This action returns a #${id} user`;
  }
  update = (id: number, _updateUserDto: UpdateUserDto) => `This action updates a #${id} user`;
  remove = (id: number) => `This action removes a #${id} user`;
}

/** Names for what services are given and do. */
export class OwnService extends TypeOrmCrudService<User> {
  constructor(
    repo: Repository<User>,
    protected readonly repository: Repository<User>,
    protected readonly manager: string,
    protected readonly request: string,
    protected readonly options: string,
  ) {
    super(repo);
  }
  protected readonly catalog = 1;
  protected readonly store = new Map<number, User>();
  protected readonly definition = 1;
  protected readonly plan = 1;
  findOneOrFail = (id: number) => this.repo.findOneByOrFail({ id });
  findById = async (id: number) => this.findOneBy({ id });
  save = (user: User) => this.repo.save(user);
  checkStart = true;
  validate = 1;
  init = 1;
  onModuleInit = () => Promise.resolve();
}

/** The same where an application stores records in its own way. */
export abstract class OwnStoreService extends CrudService<User> {
  protected readonly catalog: number = 1;
  protected readonly store = new Map<number, User>();
  checkStart = true;
  create = (_dto: CreateUserDto) => 1;
  findAll = () => 1;
  findOne = (id: number) => id;
  update = (id: number, _dto: UpdateUserDto) => id;
  remove = (id: number) => id;
}

/** What nestjsx/crud's services let their subclasses read. */
export class ReadingService extends TypeOrmCrudService<User> {
  readable(): [string, string, string[], string[], Record<string, string>, boolean, User] {
    const { alias, dbName, entityColumns, entityPrimaryColumns, entityColumnsHash, entityHasDeleteColumn } = this;
    return [
      ...([alias, dbName, entityColumns, entityPrimaryColumns, entityColumnsHash, entityHasDeleteColumn] as const),
      new this.entityType(),
    ];
  }
}
