/** Entity tags over HTTP: what a client has is not sent again, and a write to a record that others have changed is refused, of racing ones all but one. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import request, { type Response } from 'supertest';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { serving } from '../support/serving.js';
import { Book, RESOURCES, Shelf } from './application.js';

type Headers = Readonly<Record<string, string>>;
const TAG = /^"[\w-]{22}\.[\w-]{22}"$/;
const WEAK = /^W\/"[\w-]{22}"$/;
const RACERS = 20;
const tagOf = ({ headers }: Response): string => headers['etag'] as string;
const rowOf = (answer: Response): string => tagOf(answer).slice(1).split('.')[0]!;

describePlatforms('entity tags', (platform) =>
  describeDatabases(platform, (db) => {
    const served = serving(db, [Shelf, Book], RESOURCES, { platform });
    const books = () => served.source.getRepository(Book);
    const shelves = () => served.source.getRepository(Shelf);

    beforeEach(async () => {
      await served.source.manager.clear(Book);
      await shelves().save({ id: 1, name: 'Poetry' });
      await books().insert([
        { id: 1, title: 'Odes', weight: 1.5, note: 'mine', shelfId: 1 },
        { id: 2, title: 'Epics', owner: 'bob' },
      ]);
    });
    const rows = () => books().find({ order: { id: 'ASC' }, withDeleted: true });
    type Method = 'get' | 'head' | 'post' | 'patch' | 'put' | 'delete';
    const ask = (method: Method, path: string, body?: object, headers: Headers = {}) =>
      request(served.url)[method](path).set(headers).send(body);
    const get = (path: string, headers?: Headers) => ask('get', path, undefined, headers);
    const patch = (path: string, body: object, headers?: Headers) => ask('patch', path, body, headers);
    const put = (path: string, body: object, headers?: Headers) => ask('put', path, body, headers);
    const remove = (path: string, headers?: Headers) => ask('delete', path, undefined, headers);

    describe('reads', () => {
      test('one record has a tag of its row and its body, and a list one of its body', async () => {
        expect(tagOf(await get('/books/1'))).toMatch(TAG);
        expect(tagOf(await get('/books/1'))).toBe(tagOf(await get('/books/1')));
        expect(tagOf(await get('/books'))).toMatch(WEAK);
        expect(tagOf(await get('/books?page=1&limit=1'))).toMatch(WEAK);
      });

      test('the row part is the same as text and as records, by any key, and whatever is selected and joined', async () => {
        const row = rowOf(await get('/books/1'));
        const paths = ['/books/1?fields=title', '/books/1?join=shelf', '/scoped/1', '/hooked/1', '/overridden/1'];
        for (const path of [...paths, '/titles/Odes']) expect([path, rowOf(await get(path))]).toEqual([path, row]);
        expect(tagOf(await get('/books/1?fields=title'))).not.toBe(tagOf(await get('/books/1')));
        expect(rowOf(await get('/books/2'))).not.toBe(row);
      });

      test('what the client has is answered by 304 without a body, on GET and HEAD', async () => {
        const lists = ['/books', '/books?page=1&limit=1'];
        for (const path of ['/books/1', ...lists, '/overridden/1', '/hooked/1', '/books/1?join=shelf']) {
          const tag = tagOf(await get(path));
          const strong = tag.replace('W/', '');
          for (const header of [tag, strong, `W/${strong}`, `"x", ,${tag} , "y"`, '*']) {
            const { status, text, headers } = await get(path, { 'If-None-Match': header });
            const { etag, 'content-type': type } = headers;
            expect([path, header, status, text, etag, type]).toEqual([path, header, 304, '', tag, undefined]);
          }
          const head = await ask('head', path, undefined, { 'If-None-Match': tag });
          expect([head.status, head.headers['etag']]).toEqual([304, tag]);
          expect(tagOf(await ask('head', path))).toBe(tag);
        }
      });

      // A cache may ask for no cached answers: the platforms do not agree on it.
      test('a header of the tag matches on either platform; another, or one against the grammar, does not', async () => {
        const tag = tagOf(await get('/books/1'));
        for (const [headers, status] of [
          [{ 'If-None-Match': tag, 'Cache-Control': 'no-cache' }, 304],
          [{ 'If-None-Match': '"x"' }, 200],
          [{ 'If-None-Match': `*, ${tag}` }, 200],
        ] as const) {
          const answer = await get('/books/1', headers);
          expect([headers, answer.status, tagOf(answer)]).toEqual([headers, status, tag]);
        }
      });

      test('a joined record that changed defeats a 304, and leaves the row part', async () => {
        const before = await get('/books/1?join=shelf');
        await shelves().update(1, { name: 'Prose' });
        const after = await get('/books/1?join=shelf', { 'If-None-Match': tagOf(before) });
        expect([after.status, after.body.shelf.name]).toEqual([200, 'Prose']);
        expect(rowOf(after)).toBe(rowOf(before));
      });

      test('any stored column changes the row part, hidden ones and the last digit of a float too', async () => {
        const seen = new Set([rowOf(await get('/books/1'))]);
        const changes = [{ note: 'yours' }, { note: null }, { title: '' }, { title: null }, { weight: 1.5000001 }];
        for (const change of changes) {
          await books().update(1, change);
          seen.add(rowOf(await get('/books/1')));
        }
        expect(seen.size).toBe(6);
      });

      test('an unknown record and one out of scope have no tag of a row', async () => {
        for (const path of ['/books/9', '/scoped/2']) {
          const answer = await get(path, { 'If-None-Match': '*' });
          expect(answer.status).toBe(404);
          expect(answer.headers['etag'] ?? '').not.toMatch(TAG);
        }
      });

      test('interceptors of the application are given the record also where the answer is a 304', async () => {
        const watched = await get('/watched/1');
        expect([watched.body.length, tagOf(watched)]).toEqual([4, tagOf(await get('/books/1'))]);
        const known = await get('/watched/1', { 'If-None-Match': tagOf(watched) });
        expect([known.status, known.text, tagOf(known)]).toEqual([304, '', tagOf(watched)]);
      });

      test('what an interceptor of the library shapes in its own way has a tag, too', async () => {
        const loud = await get('/loud/1');
        expect([loud.body.title, rowOf(loud)]).toEqual(['ODES', rowOf(await get('/books/1'))]);
        expect((await get('/loud/1', { 'If-None-Match': tagOf(loud) })).status).toBe(304);
      });

      test('without the option the platform does as before', async () => {
        const tag = (await get('/plain/1')).headers['etag'] as string | undefined;
        expect(tag ?? '').toMatch(platform === 'express' ? /^W\/"[0-9a-f]+-/ : /^$/);
        expect((await patch('/plain/1', { title: 'x' }, { 'If-Match': '"no"' })).status).toBe(200);
        expect((await put('/plain/1', { title: 'x' }, { 'If-None-Match': '*' })).status).toBe(200);
      });
    });

    describe('writes', () => {
      const FAILED = { code: 'CRUD_PRECONDITION_FAILED', field: 'If-Match', error: 'Precondition Failed' };

      test('POST, PATCH, PUT and recover answer with the tag that a GET then has', async () => {
        const seen = new Set<string>();
        for (const [id, status, send] of [
          // Nothing changes.
          [1, 200, () => patch('/books/1', { title: 'Odes' })],
          [3, 201, () => ask('post', '/books', { id: 3, title: 'Hymns' })],
          [3, 200, () => patch('/books/3', { title: 'Psalms' })],
          [3, 200, () => put('/books/3', { title: 'Songs' })],
          [4, 201, () => put('/books/4', { title: 'Lays' })],
          [4, 200, () => remove('/books/4').then(() => patch('/books/4/recover', {}))],
        ] as const) {
          const answer = await send();
          expect([answer.status, tagOf(answer)]).toEqual([status, tagOf(await get(`/books/${id}`))]);
          seen.add(rowOf(answer));
        }
        expect(seen.size).toBe(5);
      });

      test('the tag of what is stored lets a write pass, whatever was selected, weak or in a list', async () => {
        const tag = async (path = '/books/1') => tagOf(await get(path));
        for (const [path, header] of [
          ['/books/1', () => tag()],
          ['/books/1', async () => `W/${await tag()}`],
          ['/books/1', async () => `"x",${await tag('/books/1?fields=id')}`],
          ['/books/1', async () => '*'],
          ['/hooked/1', () => tag('/hooked/1')],
        ] as const) {
          const headers = { 'If-Match': await header() };
          const { status } = await patch(path, { title: headers['If-Match'] }, headers);
          expect([headers, status]).toEqual([headers, 200]);
        }
        expect((await put('/books/1', { title: 'f' }, { 'If-Match': await tag() })).status).toBe(200);
        expect((await remove('/books/1', { 'If-Match': await tag() })).status).toBe(200);
        const deleted = await tag('/books/1?includeDeleted=1');
        expect((await patch('/books/1/recover', {}, { 'If-Match': deleted })).status).toBe(200);
      });

      test('another tag, or none that follows the grammar, is a 412, and nothing is written', async () => {
        const old = tagOf(await get('/books/1'));
        await books().update(1, { note: 'changed' });
        const before = await rows();
        const [current, other] = [tagOf(await get('/books/1')), tagOf(await get('/books/2'))];
        for (const header of [old, `W/${old}`, '"x"', 'x', '', `${current} x`, other]) {
          const headers = { 'If-Match': header };
          for (const answer of [
            await patch('/books/1', { title: 'lost' }, headers),
            await patch('/books/1', {}, headers),
            await put('/books/1', { title: 'lost' }, headers),
            await remove('/books/1', headers),
            await patch('/books/1/recover', {}, headers),
            await remove('/scoped/1', headers),
          ])
            expect([header, answer.status, answer.body]).toMatchObject([header, 412, FAILED]);
        }
        expect(await rows()).toEqual(before);
      });

      test('a record that is absent or out of scope is a 404, but a PUT that would create one is a 412', async () => {
        for (const header of ['"x"', '*']) {
          const headers = { 'If-Match': header };
          for (const answer of [
            await patch('/books/9', { title: 'x' }, headers),
            await remove('/books/9', headers),
            await patch('/books/9/recover', {}, headers),
            await patch('/scoped/2', { title: 'x' }, headers),
            await put('/scoped/2', { title: 'x' }, headers),
            await remove('/scoped/2', headers),
          ])
            expect(answer.status).toBe(404);
          expect((await put('/books/9', { title: 'x' }, headers)).status).toBe(412);
        }
        expect((await rows()).map(({ title }) => title)).toEqual(['Odes', 'Epics']);
      });

      test('If-None-Match: * on PUT creates only', async () => {
        const headers = { 'If-None-Match': '*' };
        expect((await put('/books/9', { title: 'x' }, headers)).status).toBe(201);
        expect(await put('/books/9', { title: 'y' }, headers)).toMatchObject({
          status: 412,
          body: { code: 'CRUD_PRECONDITION_FAILED', field: 'If-None-Match' },
        });
        expect((await put('/scoped/2', { title: 'y' }, headers)).status).toBe(404);
        expect((await get('/books/9')).body.title).toBe('x');
      });

      test('deletion and recovery change the tag', async () => {
        const live = await get('/books/1');
        await remove('/books/1');
        const deleted = await get('/books/1?includeDeleted=1');
        expect(rowOf(deleted)).not.toBe(rowOf(live));
        expect(rowOf(await get('/titles/Odes?includeDeleted=1'))).toBe(rowOf(deleted));
        expect((await patch('/books/1/recover', {}, { 'If-Match': tagOf(live) })).status).toBe(412);
        await patch('/books/1/recover', {});
        expect((await remove('/books/1', { 'If-Match': tagOf(deleted) })).status).toBe(412);
      });

      test('a route that requires a match answers 428 before anything is read', async () => {
        const refused = { status: 428, body: { code: 'CRUD_PRECONDITION_REQUIRED', error: 'Precondition Required' } };
        for (const id of [1, 9, 'nothing']) {
          for (const answer of [
            await patch(`/required/${id}`, { title: 'x' }),
            await put(`/required/${id}`, { title: 'x' }, { 'If-None-Match': '"x"' }),
            await remove(`/required/${id}`),
            await patch(`/required/${id}/recover`, {}),
          ])
            expect(answer).toMatchObject(refused);
        }
        const tag = tagOf(await get('/required/1'));
        expect((await patch('/required/1', { title: 'x' }, { 'If-Match': tag })).status).toBe(200);
        expect((await put('/required/9', { title: 'x' }, { 'If-None-Match': '*' })).status).toBe(201);
        expect((await patch('/required/9', { title: 'x' }, { 'If-None-Match': '*' })).status).toBe(428);
      });
    });

    describe('races', () => {
      const race = async (send: (index: number) => PromiseLike<Response>) => {
        const answers = await Promise.all(Array.from({ length: RACERS }, async (_, index) => send(index)));
        return answers.map(({ status }) => status).sort();
      };
      const one = (status: number) => [status, ...Array.from({ length: RACERS - 1 }, () => 412)];
      const by = (index: number) => ({ title: `by ${index}` });

      test.each([
        ['PATCH', 200, '/books/1', patch],
        ['PATCH where a builder reads', 200, '/hooked/1', patch],
        ['PATCH in a scope', 200, '/scoped/1', patch],
        ['PUT', 200, '/books/1', put],
      ])('of many %s with one tag, one wins', async (_, status, path, send) => {
        const headers = { 'If-Match': tagOf(await get(path)) };
        expect(await race((index) => send(path, by(index), headers))).toEqual(one(status));
      });

      test('of many writes of every kind with one tag, one wins', async () => {
        const headers = { 'If-Match': tagOf(await get('/books/1')) };
        const sends = [patch, put, (path: string) => remove(path, headers)];
        const statuses = await race((index) => sends[index % 3]!('/books/1', by(index), headers));
        expect(statuses.filter((status) => status === 200)).toHaveLength(1);
        // Once it is deleted, it is not there.
        expect(statuses.filter((status) => ![200, 404, 412].includes(status))).toEqual([]);
      });

      test('of many recoveries with one tag, one wins, and of many PUT that create only', async () => {
        await remove('/books/1');
        const headers = { 'If-Match': tagOf(await get('/books/1?includeDeleted=1')) };
        expect(await race(() => patch('/books/1/recover', {}, headers))).toEqual(one(200));
        expect(await race((index) => put('/books/7', by(index), { 'If-None-Match': '*' }))).toEqual(one(201));
      });
    });
  }),
);
