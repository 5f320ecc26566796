/** Defaults of all resources: when they may be loaded, what they reach, and that nothing can be changed afterwards; entity tags without a secret. */
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Controller, Get, Logger, Module, type Type, UseGuards, UseInterceptors } from '@nestjs/common';
import type { CrudGlobalConfig, CrudRequest } from '@nestwright/crud';
import { CrudConfigService, CrudModule, CrudRequestInterceptor, Override, ParsedRequest } from '@nestwright/crud';
import { CATALOG, catalogFor, definitionOf } from '@nestwright/crud/adapter';
import { RequestQueryBuilder } from '@nestwright/crud-request';
import { GLOBAL_STATE_KEY } from '../../src/constants.js';
import { catalog } from '../plan/catalogs.js';
import { type Api, start, stopAll } from '../support/application.js';
import { memoryOf } from '../support/memory.service.js';
import { handler, resource } from './resource.js';

class Notes extends memoryOf([1, 2, 3, 4, 5].map((id) => ({ id }))) {}

const removing = handler('deleteOne', (notes: Notes, req) => notes.deleteOne(req), Override());
const declare = (options: object = {}, path = 'notes'): Type<object> => resource(Notes, options, path, removing);
const run = (...controllers: Type<object>[]) => start({ controllers, providers: [Notes] });
const silence = () => jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
const lengthOf = async (api: Api): Promise<number> => (await api.get('/notes').expect(200)).body.length;

beforeEach(() => void delete (globalThis as { [GLOBAL_STATE_KEY]?: unknown })[GLOBAL_STATE_KEY]);
afterEach(async () => {
  jest.restoreAllMocks();
  await stopAll();
});

test('a configuration loaded before or after a controller is declared holds for it', async () => {
  CrudConfigService.load({ query: { limit: 2 } });
  const controller = declare();
  const routes = { exclude: ['getOneBase' as const], deleteOneBase: { returnDeleted: true } };
  CrudConfigService.load({ query: { alwaysPaginate: true }, routes });
  const api = await run(controller);
  expect((await api.get('/notes').expect(200)).body).toMatchObject({ count: 2, total: 5, pageCount: 3 });
  await api.get('/notes/1').expect(404);
  await api.delete('/notes/1').expect(200, { id: 1 });
});

const [ALL, DECLARED] = [{ columns: 'all' }, { columns: 'declared' }] as const;

test.each<[own: { columns?: 'all' | 'declared' }, global: CrudGlobalConfig['validation'], isDeclared: boolean]>([
  [{}, undefined, false],
  [DECLARED, undefined, true],
  [{}, DECLARED, true],
  [ALL, DECLARED, false],
  [{}, false, false],
])('columns by %j, under the validation %j, are as declared: %p', (options, validation, isDeclared) => {
  const assumed = { ...catalog('Note', []), declared: catalog('Declared', []) };
  CrudConfigService.load({ validation });
  expect(catalogFor({ [CATALOG]: assumed }, { options })).toBe(isDeclared ? assumed.declared : assumed);
  expect(catalogFor({ [CATALOG]: assumed.declared }, { options })).toBe(assumed.declared);
});

test('the options of every route are there, also where nobody gave any; own ones win, key by key', () => {
  const [shallow, change] = [{ returnShallow: false }, { allowParamsOverride: false, returnShallow: false }];
  const changes = { createOneBase: shallow, updateOneBase: change, replaceOneBase: change };
  const others = { getManyBase: {}, getOneBase: {}, createManyBase: {}, recoverOneBase: {} };
  const routes = { ...others, ...changes, deleteOneBase: { returnDeleted: false } };
  expect(definitionOf(declare())!.options.routes).toEqual(routes);
  CrudConfigService.load({ query: { limit: 2, maxLimit: 10 }, routes: { updateOneBase: { returnShallow: true } } });
  const own = { query: { limit: 5, maxLimit: undefined }, routes: { updateOneBase: { allowParamsOverride: true } } };
  const { query, routes: both } = definitionOf(declare(own))!.options;
  expect([query.limit, query.maxLimit]).toEqual([5, 10]);
  expect(both.updateOneBase).toEqual({ returnShallow: true, allowParamsOverride: true });
});

test('what is loaded after the start reaches only what has not started, and says so', async () => {
  const [started, waiting] = [declare(), declare()];
  const [warn, api] = [silence(), await run(started)];
  CrudConfigService.load({ query: { alwaysPaginate: false } });
  expect(warn).not.toHaveBeenCalled();
  CrudConfigService.load({ query: { limit: 1 } });
  expect(warn).toHaveBeenCalledWith(expect.stringContaining('after an application has started'));
  expect(await lengthOf(api)).toBe(5);
  expect(definitionOf(waiting)?.options.query.limit).toBe(1);
});

test('queries that the process builds are spelt as those that it reads', () => {
  const [{ delim }, queryParser] = [RequestQueryBuilder.getOptions(), { delim: '~' }];
  CrudConfigService.load({ queryParser });
  expect(RequestQueryBuilder.getOptions()).toMatchObject(queryParser);
  CrudConfigService.load({ queryParser: { delim } });
});

test('guards of an override are not doubled when definitions are made anew', async () => {
  const canActivate = jest.fn(() => true);
  const controller = declare({ routes: { deleteOneBase: { decorators: [UseGuards({ canActivate })] } } });
  CrudConfigService.load({ query: { limit: 1 } });
  CrudConfigService.load({ query: { limit: 2 } });
  await (await run(controller)).delete('/notes/1').expect(200);
  expect(canActivate).toHaveBeenCalledTimes(1);
});

test('CrudModule.forRoot() and forRootAsync(), which waits, hold wherever they stand in the imports', async () => {
  class Notebook {}

  const notes = () => ({ module: Notebook, controllers: [declare()], providers: [Notes] });

  @Module({ providers: [{ provide: 'SIZE', useFactory: () => delay(20, 4) }], exports: ['SIZE'] })
  class SizeModule {}

  expect(await lengthOf(await start({ imports: [notes(), CrudModule.forRoot({ query: { limit: 3 } })] }))).toBe(3);
  await stopAll();
  const useFactory = (limit: number): CrudGlobalConfig => ({ query: { limit }, routes: { only: ['getManyBase'] } });
  const waiting = CrudModule.forRootAsync({ imports: [SizeModule], inject: ['SIZE'], useFactory });
  const api = await start({ imports: [notes(), waiting] });
  expect(await lengthOf(api)).toBe(4);
  await api.get('/notes/1').expect(404);
});

test('guards that come after Nest has read the controllers are refused, other options are not', async () => {
  const late: CrudGlobalConfig = { routes: { getManyBase: { decorators: [UseGuards()] } } };
  const refused = 'comes too late for routes.getManyBase.decorators: Nest has read the controllers already';
  const configure = (): void => {
    expect(() => CrudConfigService.load(late)).toThrow(refused);
    CrudConfigService.load({ query: { limit: 2 } });
  };

  expect(await lengthOf(await start({ controllers: [declare()], providers: [Notes], configure }))).toBe(2);
  await stopAll();
  expect(() => CrudConfigService.load(late)).not.toThrow();
});

test('definitions and configuration are frozen all through, and copies', () => {
  const options = { query: { exclude: ['a'], join: { company: { allow: ['x'] } } } };
  const definition = definitionOf(declare(options));
  options.query.exclude.push('b');
  expect(definition?.options.query.exclude).toEqual(['a']);
  const everything: unknown[] = [definition, CrudConfigService.config];
  for (const item of everything) {
    expect([item, Object.isFrozen(item) || typeof item === 'function' || item instanceof Set]).toEqual([item, true]);
    if (typeof item === 'object' && item !== null) everything.push(...Object.values(item));
  }
  expect(everything.length).toBeGreaterThan(30);
});

test('a plain controller may use the query language, under the global options, which are checked', async () => {
  @Controller('plain')
  class PlainController {
    @Get()
    @UseInterceptors(CrudRequestInterceptor)
    list(@ParsedRequest() { parsed: { filter, search, limit }, options }: CrudRequest) {
      return { filter, search, limit, options };
    }
    @Get('without')
    without(@ParsedRequest() request: CrudRequest | undefined) {
      return { given: request !== undefined };
    }
  }

  const api = await run(PlainController);
  await api.get('/plain/without').expect(200, { given: false });
  await api.get('/plain?join=nowhere').expect(400);
  const query = { unknown: 'ignore', maxLimit: false, limit: 5 } as const;
  CrudConfigService.load({ query });
  const filter = [{ field: 'age', operator: 'gt', value: 3 }];
  const search = { $and: [{ age: { $gt: 3 } }] };
  const options = { query: { unknown: 'ignore', maxLimit: false }, routes: {}, params: {}, operators: {} };
  const { body } = await api.get('/plain?join=nowhere&filter=age||gt||3&limit=7').expect(200);
  expect(body).toEqual({ filter, search, limit: 7, options });
  CrudConfigService.load({ qeury: {}, query: { limitt: 1 } } as CrudGlobalConfig);
  await expect(run(PlainController)).rejects.toThrow(
    /global configuration: query.limitt is 1[^]*global configuration: qeury is {}, but there is no such option/,
  );
});

test.each([
  ['production', true, undefined, ['CrudModule.forRoot({ etagSecret }) sets one for all processes.']],
  ['production', false, undefined, []],
  ['test', true, undefined, []],
  ['production', true, 'of all processes', []],
])(
  'in %s, with entity tags: %p, and the secret %p, warnings are %j',
  async (environment, etag, etagSecret, warnings) => {
    const warn = silence();
    jest.replaceProperty(process.env, 'NODE_ENV', environment);
    CrudConfigService.load({ etagSecret });
    await run(declare({ query: { etag } }), declare({}, 'drafts'));
    expect(warn.mock.calls).toEqual(warnings.map((text) => [expect.stringContaining(text)]));
  },
);
