/** Options of a resource → a running application over a real database with a few records; each call gets records of its own. What the rows of options have in common. */
import { expect } from '@jest/globals';
import type { Type } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { type BaseRouteName, CrudConfigService, type AuthOptions, type CrudGlobalConfig } from '@nestwright/crud';
import type { CrudOptions } from '@nestwright/crud';
import { Exclude, Transform } from 'class-transformer';
import { IsString } from 'class-validator';
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

export const stopAll = () => Promise.all(running.splice(0).map(({ app }) => app.close()));

export interface Stage {
  readonly api: Api;
  readonly source: DataSource;
  read(path: string): Promise<any>; // Any JSON.
  names(path?: string): Promise<string[]>;
  stored(id: number): Promise<User | null>;
}

interface StageOptions {
  readonly options?: Partial<CrudOptions>;
  readonly auth?: AuthOptions;
  readonly global?: CrudGlobalConfig;
  readonly entity?: Type<object>;
  readonly path?: string;
}

export async function stage({ options, auth, global, entity = User, path = 'users' }: StageOptions): Promise<Stage> {
  if (global) CrudConfigService.load(global);
  const resource = looseResource(entity, path, { ...options, ...(auth && { auth }) });
  const entities = [Company, User, Token];
  const connection = { type: 'sqljs' } as const;
  const served = await serve({ connection }, entities, [resource], { source: { cache: true } });
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
  const read: Stage['read'] = async (at) => (await api.get(at).expect(200)).body as unknown;
  return {
    api,
    source,
    read,
    names: async (at = '/users') => ((await read(at)) as { name: string }[]).map(({ name }) => name),
    stored: (id) => source.getRepository(User).findOne({ where: { id }, withDeleted: true }),
  };
}

export type Serve = (options?: Partial<CrudOptions>, more?: Omit<StageOptions, 'options'>) => Promise<Stage>;
export type Row = (serve: Serve) => Promise<unknown>;

/** What is answered: a status, the code of a refusal, the names of a list's records, or a body. */
type Expected = number | string | readonly string[] | object;

/** A row of requests (`/path`, or `post /path {…}`): each application's options, what it answers, and its further settings. */
export const asks =
  (...applications: [Partial<CrudOptions>, Record<string, Expected>, Parameters<Serve>[1]?][]): Row =>
  async (serve) => {
    for (const [options, answers, more] of applications) {
      const { api } = await serve(options, more);
      for (const [path, expected] of Object.entries(answers)) {
        const [, method = 'get', at, sent] = /^(?:([a-z]+) )?(\/[^ ]*)(?: (.+))?$/.exec(path)!;
        const { status, body } = await api[method as 'post'](at!, sent ? (JSON.parse(sent) as object) : undefined);
        const isNames = Array.isArray(expected) && expected.every((name) => typeof name === 'string');
        const answer = isNames && status === 200 ? (body as { name: string }[]).map(({ name }) => name) : body;
        if (typeof expected === 'number') expect([path, status]).toEqual([path, expected]);
        else if (typeof expected === 'string') expect([path, body.code]).toEqual([path, expected]);
        else expect([path, answer]).toEqual([path, expected]);
      }
    }
  };

export const having = (part: Record<string, unknown>): object => expect.objectContaining(part);

type Send = (stage: Stage, more?: object, path?: string) => ReturnType<Stage['api']['get']>;
const ADA = { name: 'Ada', email: 'ada@x.org' };
const EVA = { name: 'Eva', email: 'eva@x.org' };

/** One request of each route, on a resource with soft delete whose DELETE and recover answer with the record; bodies may have more. */
export const REQUESTS: Record<BaseRouteName, Send> = {
  getManyBase: ({ api }) => api.get('/users'),
  getOneBase: ({ api }) => api.get('/users/1'),
  createOneBase: ({ api }, more) => api.post('/users', { ...EVA, ...more }),
  createManyBase: ({ api }, more) => api.post('/users/bulk', { bulk: [{ ...EVA, ...more }] }),
  updateOneBase: ({ api }, more, path = '/users') => api.patch(`${path}/1`, { age: 31, ...more }),
  replaceOneBase: ({ api }, more, path = '/users') => api.put(`${path}/1`, { ...ADA, ...more }),
  deleteOneBase: ({ api }) => api.delete('/users/1'),
  recoverOneBase: ({ api }) => api.patch('/users/1/recover'),
  countBase: ({ api }) => api.get('/users/count'),
  aggregateBase: ({ api }) => api.get('/users/aggregate?aggregate=count||*'),
  updateManyBase: ({ api }, more, path = '/users') =>
    api.patch(`${path}/bulk`, { bulk: [{ id: 1, age: 31, ...more }] }),
  replaceManyBase: ({ api }, more, path = '/users') => api.put(`${path}/bulk`, { bulk: [{ id: 1, ...ADA, ...more }] }),
  deleteManyBase: ({ api }) => api.post('/users/bulk/delete', { bulk: [{ id: 1 }] }),
  recoverManyBase: ({ api }) => api.patch('/users/bulk/recover', { bulk: [{ id: 1 }] }),
};

export const ROUTE_NAMES = Object.keys(REQUESTS) as BaseRouteName[];
export const ANSWERING: Partial<CrudOptions> = {
  query: { softDelete: true, aggregate: { functions: { '*': ['count'] } } },
  routes: {
    deleteOneBase: { returnDeleted: true },
    countBase: true,
    aggregateBase: true,
    updateManyBase: true,
    replaceManyBase: true,
    deleteManyBase: true,
    recoverManyBase: true,
  },
};

/** A row of names of operations and schemas that the document of each application has. */
export const documents =
  (...applications: [Partial<CrudOptions>, Parameters<Serve>[1], ...names: string[]][]): Row =>
  async (serve) => {
    for (const [options, more, ...names] of applications) {
      const { api } = await serve(options, more);
      const { paths, components } = SwaggerModule.createDocument(api.app, new DocumentBuilder().build());
      const operations = Object.values(paths).flatMap((item) => Object.values(item) as { operationId: string }[]);
      const found = [...operations.map(({ operationId }) => operationId), ...Object.keys(components!.schemas!)];
      expect(found).toEqual(expect.arrayContaining(names));
    }
  };

export class NoEmail {
  @Exclude() email!: string;
}

export class UpperCaseEmail {
  @Transform(({ value }: { value?: string }) => value?.toUpperCase()) email!: string;
}

export class Named {
  @IsString() name!: string;
}

export const join = (option: object, to = 'company'): Partial<CrudOptions> => ({ query: { join: { [to]: option } } });

export const inCompany = (more: Partial<CrudOptions> = {}): Required<Parameters<Serve>> => [
  { params: { company: { field: 'companyId', type: 'number' } }, ...more },
  { path: 'companies/:company/users' },
];
