/** What the rows of options have in common. */
import { expect } from '@jest/globals';
import { type BaseRouteName, type CrudOptions } from '@nestwright/crud';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Exclude, Transform } from 'class-transformer';
import { IsString } from 'class-validator';
import { type Stage, type StageOptions } from './stage.js';

export type Serve = (options?: Partial<CrudOptions>, more?: Omit<StageOptions, 'options'>) => Promise<Stage>;
export type Row = (serve: Serve) => Promise<unknown>;

/** What a GET answers: a status, the code of a refusal, the names of a list's records, or a body. */
type Expected = number | string | readonly string[] | object;

/** A row of GETs: each application's options, what its paths answer, and its further settings. */
export const asks =
  (...applications: [Partial<CrudOptions>, Record<string, Expected>, Parameters<Serve>[1]?][]): Row =>
  async (serve) => {
    for (const [options, answers, more] of applications) {
      const { api } = await serve(options, more);
      for (const [path, expected] of Object.entries(answers)) {
        const { status, body } = await api.get(path);
        const isNames = Array.isArray(expected) && expected.every((name) => typeof name === 'string');
        const answer = isNames && status === 200 ? (body as { name: string }[]).map(({ name }) => name) : body;
        if (typeof expected === 'number') expect([path, status]).toEqual([path, expected]);
        else if (typeof expected === 'string') expect([path, body.code]).toEqual([path, expected]);
        else expect([path, answer]).toEqual([path, expected]);
      }
    }
  };

export const having = (part: Record<string, unknown>): object => expect.objectContaining(part);

/** One request of each route, on a resource with soft delete whose DELETE and recover answer with the record. */
export const REQUESTS: Record<BaseRouteName, (stage: Stage) => ReturnType<Stage['api']['get']>> = {
  getManyBase: ({ api }) => api.get('/users'),
  getOneBase: ({ api }) => api.get('/users/1'),
  createOneBase: ({ api }) => api.post('/users', { name: 'Eva', email: 'eva@x.org' }),
  createManyBase: ({ api }) => api.post('/users/bulk', { bulk: [{ name: 'Eva', email: 'eva@x.org' }] }),
  updateOneBase: ({ api }) => api.patch('/users/1', { age: 31 }),
  replaceOneBase: ({ api }) => api.put('/users/1', { name: 'Ada', email: 'ada@x.org' }),
  deleteOneBase: ({ api }) => api.delete('/users/1'),
  recoverOneBase: ({ api }) => api.patch('/users/1/recover'),
  countBase: ({ api }) => api.get('/users/count'),
  aggregateBase: ({ api }) => api.get('/users/aggregate?aggregate=count||*'),
  updateManyBase: ({ api }) => api.patch('/users/bulk', { bulk: [{ id: 1, age: 31 }] }),
  replaceManyBase: ({ api }) => api.put('/users/bulk', { bulk: [{ id: 1, name: 'Ada', email: 'ada@x.org' }] }),
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

export function documented({ api: { app } }: Stage): { readonly ids: string[]; readonly schemas: string[] } {
  const { paths, components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
  const operations = Object.values(paths).flatMap((item) => Object.values(item) as { operationId: string }[]);
  return { ids: operations.map(({ operationId }) => operationId), schemas: Object.keys(components?.schemas ?? {}) };
}

export class NoEmail {
  @Exclude() email!: string;
}

export class UpperCaseEmail {
  @Transform(({ value }: { value?: string }) => value?.toUpperCase()) email!: string;
}

export class Named {
  @IsString() name!: string;
}

export const join = (option: object, relation = 'company'): Partial<CrudOptions> => ({
  query: { join: { [relation]: option } },
});

export const inCompany = (more: Partial<CrudOptions> = {}): Required<Parameters<Serve>> => [
  { params: { company: { field: 'companyId', type: 'number' } }, ...more },
  { path: 'companies/:company/users' },
];
