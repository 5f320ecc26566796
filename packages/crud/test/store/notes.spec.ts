/** The smallest adapter, whose very text docs/adapters.md has: what it serves and refuses; the keys of the records that are written. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, jest, test } from '@jest/globals';
import { ConflictException, Controller } from '@nestjs/common';
import { Crud, CrudAuth, type CrudOptions, type CrudRequest } from '@nestwright/crud';
import { CATALOG, type Catalog, describeColumn, STORE } from '@nestwright/crud/adapter';
import type { QueryFilter, SCondition } from '@nestwright/crud-request';
import { RESULT } from '../../src/service/run-verb.js';
import type { WriteMode } from '../../src/plan/write-plan.js';
import { planBody } from '../../src/store/bodies.js';
import { requestOf } from '../plan/plans.js';
import { start, stopAll } from '../support/application.js';
import { Note, NotesService } from './notes.js';
import { givenNames, keyToCreate, planWithKey, readPathKey } from '../../src/store/written-keys.js';
import { catalog, column, memberships, users } from '../plan/catalogs.js';

function startNotes(options: Partial<CrudOptions<Note>> = {}, service: typeof NotesService = NotesService) {
  @CrudAuth({ filter: () => ({ text: { $ne: 'secret' } }) })
  @Crud({ model: { type: Note }, routes: { only: ['getManyBase', 'getOneBase', 'createOneBase'] }, ...options })
  @Controller('notes')
  class NotesController {
    constructor(readonly service: NotesService) {}
  }
  Reflect.defineMetadata('design:paramtypes', [service], NotesController);
  return start({ controllers: [NotesController], providers: [service] });
}

afterEach(stopAll);

test('docs/adapters.md has the text of the smallest adapter, which is at most 150 lines', () => {
  const text = readFileSync(new URL('./notes.ts', import.meta.url), 'utf8');
  const page = readFileSync(new URL('../../../../docs/adapters.md', import.meta.url), 'utf8');
  expect(page).toContain(`\`\`\`ts\n${text}\`\`\`\n`);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(150);
});

test('the smallest adapter serves what the catalog knows, and keeps nothing that is out of scope', async () => {
  const api = await startNotes();
  for (const text of ['milk', 'Bread', 'eggs']) await api.post('/notes', { text }).expect(201);
  const [eggs, bread] = [3, 2].map((id) => ({ id, text: id === 3 ? 'eggs' : 'Bread' }));
  await api.get('/notes?filter=text||contL||E&sort=text,DESC&fields=text').expect(200, [eggs, bread]);
  const data = [{ id: 3, text: 'eggs', done: false }];
  await api.get('/notes?limit=2&page=2').expect(200, { data, count: 1, total: 3, page: 2, pageCount: 2 });
  await api.get('/notes/2').expect(200, { id: 2, text: 'Bread', done: false });
  for (const [path, status] of Object.entries({ '?filter=secret||eq||1': 400, '/abc': 400, '/9': 404 }))
    await api.get(`/notes${path}`).expect(status);
  const refused = async (body: object) => (await api.post('/notes', body).expect(400)).body as unknown;
  expect(await refused({ text: 'a'.repeat(81) })).toMatchObject({ field: 'text' });
  expect(await refused({ text: 'secret' })).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
  expect((await api.get('/notes').expect(200)).body).toHaveLength(3);
});

const refused = (message: string) => ({ response: { message: [message] } });

const byHand = (search: SCondition) => ({ parsed: { search } }) as CrudRequest;

test('a request that was made by hand needs no options', async () => {
  const service = new NotesService();
  const read = jest.spyOn(service[STORE], 'read');
  const write = jest.spyOn(service[STORE], 'write');
  expect(await service.createOne(byHand({}), { text: 'tea' })).toMatchObject({ text: 'tea' });
  expect(await service.createMany(byHand({}), { bulk: [{ text: 'rum' }] })).toMatchObject([{ text: 'rum' }]);
  expect(read).not.toHaveBeenCalled();
  expect(await service.getMany(byHand({}))).toHaveLength(2);
  expect(await service.getOne(byHand({ id: 1 }))).toMatchObject({ text: 'tea' });
  const [request, bulk] = [byHand({ id: 1 }), { bulk: [{ id: 1, text: 'gin' }] }];
  for (const verb of ['update', 'replace', 'delete', 'recover'] as const) {
    const message = `No ${verb.replace('delete', 'remove')} here`;
    await expect(service[`${verb}One`](request, { text: 'gin' })).rejects.toMatchObject(refused(message));
    await expect(service[`${verb}Many`](request, bulk)).rejects.toMatchObject(refused(message));
  }
  const asked = new Set(write.mock.calls.map(([{ verb, answer }]) => `${verb} ${answer}`));
  expect([...asked].join()).toBe('insert full,insert shallow,update full,replace full,remove none,recover full');
});

test('a store that knows of no tags reads the record for them; what has no text is not done as one', async () => {
  const [service, tagged] = [new NotesService(), requestOf({ search: { id: 1 } }, { etag: true })];
  await service.createOne(byHand({}), { text: 'tea' });
  expect(await service.getOne(tagged)).toEqual({ id: 1, text: 'tea', done: false });
  expect(service[RESULT]('deleteOne', tagged)).toBeUndefined();
});

test.each([
  [5, 2, 2, { page: 2, pageCount: 3 }],
  [0, 2, 0, { page: 1, pageCount: 0 }],
  [5, 0, 3, { page: 1, pageCount: 1 }],
])('the page of %i in total, %i a page, from %i on', (total, limit, offset, expected) => {
  const data = [new Note()];
  expect(new NotesService().createPageInfo(data, total, limit, offset)).toEqual({ data, count: 1, total, ...expected });
});

test.each(['decidePagination', 'getTake', 'getSkip'] as const)('an own %s may change options', async (hook) => {
  const [service, request] = [new NotesService(), requestOf()];
  Object.freeze(request.options);
  await service.getMany(request);
  expect(Object.isFrozen(request.options)).toBe(true);
  jest.spyOn(service, hook);
  await service.getMany(request);
  expect(Object.isFrozen(request.options)).toBe(false);
});

test('PUT that merges is an update with the options of its own route', async () => {
  const service = new NotesService();
  const write = jest.spyOn(service[STORE], 'write');
  const request = requestOf({ search: { id: 1 }, paramsFilter: [{ field: 'text', operator: '$eq', value: 'a' }] });
  const replaceOneBase = { merge: true, returnShallow: true, allowParamsOverride: true };
  const options = { ...request.options, routes: { replaceOneBase } };
  const replaced = service.replaceOne({ ...request, options }, { text: 'b' });
  await expect(replaced).rejects.toMatchObject(refused('No update here'));
  const { verb, answer, items } = write.mock.calls[0]![0];
  expect([verb, answer, items[0]!.plan.values.map(({ value }) => value)]).toEqual(['update', 'shallow', ['b']]);
});

test.each([
  ['updateMany', false],
  ['replaceMany', false],
  ['deleteMany', false],
  ['recoverMany', true],
  ['deleteOne', false],
] as const)('%s asks the read hook of a service, for deleted records too: %p', async (verb, withDeleted) => {
  const service = new NotesService();
  const getOneOrFail = jest.fn((..._: unknown[]) => Promise.resolve(new Note()));
  Object.assign(service, { getOneOrFail });
  const written = service[verb](requestOf(), { bulk: [{ id: 1, text: 'a' }] });
  await expect(written).rejects.toMatchObject({ status: 400 });
  expect(getOneOrFail).toHaveBeenCalledWith(expect.anything(), false, withDeleted);
  getOneOrFail.mockResolvedValueOnce(undefined as never).mockRejectedValueOnce(new ConflictException());
  for (const status of [404, 409]) await expect(service.deleteOne(requestOf())).rejects.toMatchObject({ status });
});

const long = { text: 'a'.repeat(81) };

test.each<[asked: 'createOne' | 'createMany' | 'updateMany' | 'updateMatching', body: unknown, refusal: object]>([
  ['updateMany', { bulk: [{ id: 1 }, null] }, { field: 'bulk.1', message: ['bulk.1 must be an object'] }],
  ['updateMany', { bulk: [] }, { code: 'CRUD_EMPTY_BODY' }],
  ['createMany', { bulk: [] }, { code: 'CRUD_EMPTY_BODY' }],
  ['createMany', undefined, { code: 'CRUD_EMPTY_BODY' }],
  ['createMany', { bulk: [{ text: 'a' }, long] }, { message: [expect.stringContaining('bulk.1.text')] }],
  ['createOne', null, { code: 'CRUD_EMPTY_BODY' }],
  ['updateMatching', { set: null }, { code: 'CRUD_EMPTY_BODY' }],
])('%s of %j is refused', async (verb, body, refusal) => {
  const written = new NotesService()[verb](requestOf(), body as never) as Promise<unknown>;
  await expect(written).rejects.toMatchObject({ response: { statusCode: 400, ...refusal } });
});

test('values of the path are stored once, with the record', () => {
  const request = requestOf({ paramsFilter: [{ field: 'text', operator: '$eq', value: 'a' }] });
  const written = (mode: WriteMode, text: string) =>
    planBody(new NotesService(), request, { text, done: true }, mode).values.map(({ value }) => value);
  expect(written('insert', 'a')).toEqual(['a', true]);
  expect(written('update', 'a')).toEqual([true]);
  expect(written('replace', 'b')).toEqual(['b', true]);
});

test('many records cannot be given the version of one', async () => {
  class VersionedNotes extends NotesService {
    override get [CATALOG](): Catalog {
      return { ...super[CATALOG], version: describeColumn('version', 'integer', { source: 'version' }) };
    }
  }

  const written = (set: object) => new VersionedNotes().updateMatching(requestOf({ search: { id: 1 } }), { set });
  const response = { code: 'CRUD_INVALID_BODY', field: 'set.version' };
  await expect(written({ done: true, version: 3 })).rejects.toMatchObject({ status: 400, response });
  expect(await written({ done: true })).toEqual({ affected: 0 });
});

test.each<[message: string, Partial<CrudOptions<Note>>]>([
  ['aggregateBase is set', { routes: { aggregateBase: {} }, query: { aggregate: { groupBy: ['text'] } } }],
  ['query.export is set, but the store of the service has no "export"', { query: { export: { formats: ['csv'] } } }],
  ['createOneBase.onConflict is set', { routes: { createOneBase: { onConflict: ['text'] } } }],
])('the start refuses: %s', (message, options) => expect(startNotes(options)).rejects.toThrow(message));

test.each(['beforeChange', 'afterChange', 'afterCommit'] as const)('the start refuses the hook %s', (hook) => {
  class HookedNotes extends NotesService {}
  HookedNotes.prototype[hook] = () => undefined;
  return expect(startNotes({}, HookedNotes)).rejects.toThrow(/A hook of the service is set/);
});

const equal = (values: object, operator: QueryFilter['operator'] = '$eq'): QueryFilter[] =>
  Object.entries(values).map(([field, value]) => ({ field, operator, value: value as unknown }));

const whole = { companyId: 1, userId: 2 };

test.each<[paramsFilter: QueryFilter[] | undefined, persist: object | undefined, ofPath: unknown, toMake: unknown]>([
  [equal(whole, 'eq'), undefined, whole, whole],
  [equal(whole, '$ne'), undefined, undefined, undefined],
  [equal({ ...whole, userId: null }), undefined, undefined, undefined],
  [equal({ userId: 2 }), { companyId: 1, userId: 3 }, undefined, whole],
  [equal({ role: 'x' }), whole, undefined, undefined],
  [undefined, whole, undefined, undefined],
])('the key in %j, with %j', (paramsFilter, authPersist, ofPath, toMake) => {
  const request = requestOf({ paramsFilter, authPersist } as never);
  expect([readPathKey(request, memberships), keyToCreate(request, memberships)]).toEqual([ofPath, toMake]);
  expect(readPathKey(request, catalog('Log', [column('line', 'text')]))).toBeUndefined();
});

test('the key takes the place of the one that is planned', () => {
  const values = ['id', 'email'].map((path) => ({ column: users.columns.get(path)!, value: 5 }));
  const planned = planWithKey({ catalog: users, values } as never, { id: 7 }).values;
  expect(planned.map(({ column, value }) => [column.path, value])).toEqual(Object.entries({ email: 5, id: 7 }));
});

test('path and persist say which properties are set', () => {
  const request = requestOf({ paramsFilter: equal({ id: 1 }), authPersist: { role: 'x' } } as never);
  expect([request, requestOf()].map((one) => [...givenNames(one)])).toEqual([['id', 'role'], []]);
});
