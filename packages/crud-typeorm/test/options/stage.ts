/** Options of a resource → a running application over a real database with a few records; each call gets records of its own. */
import type { Type } from '@nestjs/common';
import { CrudConfigService, type AuthOptions, type CrudGlobalConfig, type CrudOptions } from '@nestwright/crud';
import { Column, type DataSource, DeleteDateColumn, Entity, JoinColumn, ManyToOne, OneToMany } from 'typeorm';
import { PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import type { Api } from '../../../crud/test/support/application.js';
import { type Application, looseResource, serve } from '../support/resources.js';

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
const running: Application[] = [];

export async function stopAll(): Promise<void> {
  await Promise.all(running.splice(0).map(({ app }) => app.close()));
}

export interface Stage {
  readonly api: Api;
  readonly source: DataSource;
  readonly controller: Type<object>;
  read(path: string, headers?: Record<string, string>): Promise<any>; // Any JSON.
  names(path?: string, headers?: Record<string, string>): Promise<string[]>;
  stored(id: number): Promise<User | null>;
}

export interface StageOptions {
  readonly options?: Partial<CrudOptions>;
  readonly auth?: AuthOptions;
  readonly global?: CrudGlobalConfig;
  readonly entity?: Type<object>;
  readonly path?: string;
}

export async function stage({ options, auth, global, entity = User, path = 'users' }: StageOptions): Promise<Stage> {
  if (global) CrudConfigService.load(global);
  const { controller, provider } = looseResource(entity, path, { ...options, ...(auth && { auth }) });
  const entities = [Company, User, Token];
  const connection = { type: 'sqljs' } as const;
  const served = await serve({ connection }, entities, [{ controller, provider }], { source: { cache: true } });
  running.push(served);
  const { api, source } = served;
  await source.getRepository(Company).insert([{ name: 'Acme' }, { name: 'Beta' }]);
  await source.getRepository(User).insert([
    { name: 'Ada', email: 'ada@x.org', role: 'owner', age: 30, companyId: 1 },
    { name: 'Bea', email: 'bea@x.org', age: 20, companyId: 1 },
    { name: 'Cid', email: 'cid@x.org', age: 40, companyId: 2 },
    { name: 'Dot', email: null, age: 10, companyId: null },
  ]);
  await source.getRepository(Token).insert({ id: TOKEN, label: 'one' });
  const read: Stage['read'] = async (at, headers = {}) => (await api.get(at, headers).expect(200)).body as unknown;
  return {
    api,
    source,
    controller: controller as Type<object>,
    read,
    names: async (at = '/users', headers) => ((await read(at, headers)) as { name: string }[]).map(({ name }) => name),
    stored: (id) => source.getRepository(User).findOne({ where: { id }, withDeleted: true }),
  };
}
