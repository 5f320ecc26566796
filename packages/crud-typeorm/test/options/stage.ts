/** Options of a resource → a running application over a real database with a few records; each call gets records of its own. */
import { Controller, type Type } from '@nestjs/common';
import {
  Crud,
  CrudAuth,
  CrudConfigService,
  type AuthOptions,
  type CrudGlobalConfig,
  type CrudOptions,
} from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import {
  Column,
  DataSource,
  type DataSourceOptions,
  DeleteDateColumn,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { type Api, type Platform, start } from '../../../crud/test/support/application.js';

@Entity('companies')
export class Company {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) name!: string;
  @Column({ type: 'varchar', length: 40, default: 'secret' }) code!: string;
  @OneToMany(() => User, (user) => user.company) users!: Relation<User>[];
}

@Entity('users')
export class User {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) name!: string;
  @Column({ type: 'varchar', length: 40, nullable: true }) email!: string | null;
  @Column({ type: 'varchar', length: 40, default: 'guest' }) role!: string;
  @Column({ type: 'int', nullable: true }) age!: number | null;
  @Column({ type: 'int', nullable: true }) companyId!: number | null;
  @ManyToOne(() => Company, (company) => company.users, { nullable: true, cascade: ['insert'] })
  @JoinColumn({ name: 'companyId' })
  company!: Relation<Company> | null;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
}

@Entity('tokens')
export class Token {
  @PrimaryColumn({ type: 'varchar', length: 36 }) id!: string;
  @Column({ type: 'varchar', length: 40 }) label!: string;
}

export const TOKEN = 'b0a7e9c8-0d6f-4a0e-8b0a-5f5f5f5f5f5f';

const sources: DataSource[] = [];

export async function closeSources(): Promise<void> {
  await Promise.all(sources.splice(0).map((source) => source.destroy()));
}

export interface Stage {
  readonly api: Api;
  readonly source: DataSource;
  readonly controller: Type<object>;
  /** What a path answers with. */
  read(path: string, headers?: Record<string, string>): Promise<any>; // Any JSON.
  /** Names of the records that a list answers with. */
  names(path?: string, headers?: Record<string, string>): Promise<string[]>;
  /** What is stored of a user. */
  stored(id: number): Promise<User | null>;
}

export interface StageOptions {
  readonly platform?: Platform;
  readonly options?: Partial<CrudOptions>;
  readonly auth?: AuthOptions;
  readonly global?: CrudGlobalConfig;
  readonly entity?: Type<object>;
  readonly path?: string;
}

export async function stage({
  platform = 'express',
  options,
  auth,
  global,
  entity = User,
  path = 'users',
}: StageOptions): Promise<Stage> {
  const source = new DataSource({
    type: 'sqljs',
    entities: [Company, User, Token],
    synchronize: true,
    cache: true,
  } as DataSourceOptions);
  await source.initialize();
  sources.push(source);
  await source.getRepository(Company).insert([{ name: 'Acme' }, { name: 'Beta' }]);
  await source.getRepository(User).insert([
    { name: 'Ada', email: 'ada@x.org', role: 'owner', age: 30, companyId: 1 },
    { name: 'Bea', email: 'bea@x.org', age: 20, companyId: 1 },
    { name: 'Cid', email: 'cid@x.org', age: 40, companyId: 2 },
    { name: 'Dot', email: null, age: 10, companyId: null },
  ]);
  await source.getRepository(Token).insert({ id: TOKEN, label: 'one' });

  if (global) CrudConfigService.load(global);
  class Users extends TypeOrmCrudService<object> {}
  class UsersController {
    constructor(public service: Users) {}
  }
  Reflect.defineMetadata('design:paramtypes', [Users], UsersController);
  Controller(path)(UsersController);
  Crud({ model: { type: entity }, ...options })(UsersController);
  if (auth) CrudAuth(auth)(UsersController);

  const api = await start({
    platform,
    controllers: [UsersController],
    providers: [{ provide: Users, useFactory: () => new Users(source.getRepository(entity)) }],
  });
  const read: Stage['read'] = async (at, headers = {}) => (await api.get(at, headers).expect(200)).body as unknown;

  return {
    api,
    source,
    controller: UsersController,
    read,
    names: async (at = '/users', headers) => ((await read(at, headers)) as { name: string }[]).map(({ name }) => name),
    stored: (id) => source.getRepository(User).findOne({ where: { id }, withDeleted: true }),
  };
}
