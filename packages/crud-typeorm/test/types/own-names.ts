/** Members that applications write in their services, of types of their own: none meets one of the library's, except where nestjsx/crud has it too. Compiled by `npm run typecheck`, never run. */
import { Injectable } from '@nestjs/common';
import { CrudService } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import type { DataSource, Repository } from 'typeorm';
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
  create(_createUserDto: CreateUserDto) {
    return 'This action adds a new user';
  }
  findAll() {
    return 'This action returns all users';
  }
  // @ts-expect-error nestjsx/crud's own: the repository's findOne
  findOne(id: number) {
    return `This action returns a #${id} user`;
  }
  update(id: number, _updateUserDto: UpdateUserDto) {
    return `This action updates a #${id} user`;
  }
  remove(id: number) {
    return `This action removes a #${id} user`;
  }
}

/** Names for what services are given. */
@Injectable()
export class GivenService extends TypeOrmCrudService<User> {
  constructor(
    repo: Repository<User>,
    private readonly catalog: string,
    private readonly repository: Repository<User>,
    private readonly manager: string,
    private readonly dataSource: DataSource,
    private readonly connection: string,
    private readonly request: string,
    private readonly config: string,
    private readonly logger: string,
    private readonly cache: string,
    private readonly events: string,
    private readonly mailer: string,
    private readonly queue: string,
    private readonly store: string,
    private readonly user: string,
    private readonly metadata: string,
    private readonly entity: string,
    private readonly model: string,
    private readonly options: string,
    private readonly definition: string,
    private readonly plan: string,
    private readonly service: string,
  ) {
    super(repo);
  }
  given() {
    return [
      this.catalog,
      this.repository,
      this.manager,
      this.dataSource,
      this.connection,
      this.request,
      this.config,
      this.logger,
      this.cache,
      this.events,
      this.mailer,
      this.queue,
      this.store,
      this.user,
      this.metadata,
      this.entity,
      this.model,
      this.options,
      this.definition,
      this.plan,
      this.service,
    ];
  }
}

/** Names for what services do. */
export class DoingService extends TypeOrmCrudService<User> {
  readonly findOneById = 1;
  findOneOrFail(id: number) {
    return this.repo.findOneByOrFail({ id });
  }
  findById = async (id: number) => this.findOneBy({ id });
  save = (user: User) => this.repo.save(user);
  get = 1;
  list = 1;
  search = 1;
  insert = 1;
  upsert = 1;
  delete = 1;
  destroy = 1;
  patch = 1;
  replace = 1;
  restore = 1;
  exists = 1;
  read = 1;
  write = 1;
  change = 1;
  answer = 1;
  runRead = 1;
  overrides = 1;
  planBody = 1;
  scopeBody = 1;
  writing = 1;
  storeAll = 1;
  readOne = 1;
  readMany = 1;
  writeOne = 1;
  writeMany = 1;
  isShown = 1;
  readTarget = 1;
  refuseUnknown = 1;
  checkStart = 1;
  validate = 1;
  transform = 1;
  hash = 1;
  notify = 1;
  init = 1;
  onModuleInit() {
    return Promise.resolve();
  }
}

/** The same where an application stores records in its own way. */
export abstract class OwnStoreService extends CrudService<User> {
  private readonly catalog: number = 1;
  private readonly store = new Map<number, User>();
  checkStart = true;
  create(_dto: CreateUserDto) {
    return [this.catalog, this.store];
  }
  findAll() {
    return 1;
  }
  findOne(id: number) {
    return id;
  }
  update(id: number, _dto: UpdateUserDto) {
    return id;
  }
  remove(id: number) {
    return id;
  }
}

/** What nestjsx/crud's services let their subclasses read. */
export class ReadingService extends TypeOrmCrudService<User> {
  readable(): [string, string, string[], string[], Record<string, string>, boolean, User] {
    return [
      this.alias,
      this.dbName,
      this.entityColumns,
      this.entityPrimaryColumns,
      this.entityColumnsHash,
      this.entityHasDeleteColumn,
      new this.entityType(),
    ];
  }
}
