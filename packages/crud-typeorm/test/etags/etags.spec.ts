/** Entity tags over HTTP: what a client has is not sent again, and a write to a record that others have changed is refused, of racing ones all but one. */
import { beforeEach, expect, test } from '@jest/globals';
import type { CrudOptions } from '@nestwright/crud';
import request, { type Response } from 'supertest';
import { Column, DeleteDateColumn, Entity, JoinColumn, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('etag_shelf')
class Shelf {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar' }) name!: string;
}

@Entity('etag_book')
class Book {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', nullable: true }) title!: string | null;
  @Column({ type: 'float', nullable: true }) weight!: number | null;
  @Column({ type: 'varchar', select: false, nullable: true }) note!: string | null;
  @Column({ type: 'varchar', default: 'ada' }) owner!: string;
  @Column({ type: 'int', nullable: true }) shelfId!: number | null;
  @ManyToOne(() => Shelf) @JoinColumn({ name: 'shelfId' }) shelf!: Relation<Shelf> | null;
  @DeleteDateColumn() deletedAt!: Date | null;
}

class HookedService extends TypeOrmCrudService<Book> {
  override async createBuilder(...asked: Parameters<TypeOrmCrudService<Book>['createBuilder']>) {
    return (await super.createBuilder(...asked)).andWhere(`Book.owner <> 'nobody'`);
  }
}

const query: NonNullable<CrudOptions<Book>['query']> = { etag: true, softDelete: true, join: { shelf: {} } };
const books = resource(Book, 'books', { query });

const alone = { params: { id: { disabled: true } }, routes: { only: ['getOneBase'] } } as const;

const RESOURCES = [
  books,
  resource(Book, 'scoped', { query, auth: { filter: () => ({ owner: 'ada' }) } }),
  resource(Book, 'none', { query, ...alone, auth: { filter: () => ({ owner: 'nobody' }) } }),
  resource(Book, 'hooked', { query, service: HookedService }),
];

type Headers = Readonly<Record<string, string>>;
const RACERS = 20;
const tagOf = ({ headers }: Response): string => headers['etag'] as string;
const rowOf = (answer: Response): string => /^"([\w-]{22})\.[\w-]{22}"$/.exec(tagOf(answer) ?? '')?.[1] ?? 'none';

describePlatforms('entity tags', (platform) =>
  describeDatabases(platform, (db) => {
    const served = serving(db, [Shelf, Book], RESOURCES, { platform });
    const stored = () => served.source.getRepository(Book);
    const shelves = () => served.source.getRepository(Shelf);

    beforeEach(async () => {
      await served.source.manager.clear(Book);
      await shelves().save({ id: 1, name: 'Poetry' });
      await stored().insert([
        { id: 1, title: 'Odes', weight: 1.5, note: 'mine', shelfId: 1 },
        { id: 2, title: 'Epics', owner: 'bob' },
      ]);
    });
    const asking =
      (method: 'get' | 'head' | 'delete') =>
      (path: string, headers: Headers = {}) =>
        request(served.url)[method](path).set(headers);
    const sending =
      (method: 'post' | 'patch' | 'put') =>
      (path: string, body: object, headers: Headers = {}) =>
        request(served.url)[method](path).set(headers).send(body);
    const [get, head, remove] = [asking('get'), asking('head'), asking('delete')];
    const [post, patch, put] = [sending('post'), sending('patch'), sending('put')];

    test('the row part is the same as text and as records, and whatever is selected and joined', async () => {
      const row = rowOf(await get('/books/1'));
      for (const path of ['/books/1?fields=title', '/books/1?join=shelf', '/scoped/1', '/hooked/1'])
        expect([path, rowOf(await get(path))]).toEqual([path, row]);
      expect(tagOf(await get('/books/1?fields=title'))).not.toBe(tagOf(await get('/books/1')));
      expect(['none', row]).not.toContain(rowOf(await get('/books/2')));
      for (const path of ['/books/9', '/scoped/2', '/none']) {
        const unknown = await get(path, { 'If-None-Match': '*' });
        expect([unknown.status, rowOf(unknown)]).toEqual([404, 'none']);
      }
    });

    test.each(['/books/1', '/books', '/books?page=1&limit=1', '/hooked/1'])('a known %s is a 304', async (path) => {
      const tag = tagOf(await get(path));
      expect(tag.startsWith('W/"')).toBe(!path.endsWith('/1'));
      for (const header of [`"x", ,${tag}`, '*']) {
        // A cache may ask for no cached answers: the platforms do not agree on it.
        const known = await get(path, { 'If-None-Match': header, 'Cache-Control': 'no-cache' });
        expect([header, known.status, known.text, tagOf(known)]).toEqual([header, 304, '', tag]);
        expect(known.headers).not.toHaveProperty('content-type');
      }
      const known = await head(path, { 'If-None-Match': tag });
      expect([known.status, tagOf(known), tagOf(await head(path))]).toEqual([304, tag, tag]);
    });

    test('any stored column changes the row part, a joined record the rest', async () => {
      const joined = await get('/books/1?join=shelf');
      await shelves().update(1, { name: 'Prose' });
      const after = await get('/books/1?join=shelf', { 'If-None-Match': tagOf(joined) });
      expect([after.status, after.body.shelf.name, rowOf(after)]).toEqual([200, 'Prose', rowOf(joined)]);
      const seen = new Set([rowOf(after)]);
      const notes = ['yours', null, 'null'].map((note) => ({ note }));
      const others = [{ title: '' }, { title: null }, { weight: 1.5000001 }, { deletedAt: new Date() }];
      for (const change of [...notes, ...others]) {
        await stored().update(1, change);
        seen.add(rowOf(await get('/books/1?includeDeleted=1')));
      }
      expect(seen.size).toBe(8);
    });

    test('each write answers with the tag that a GET then has, and which lets the next one pass', async () => {
      let tag = '';
      const match = (before = '') => ({ 'If-Match': before + tag });
      for (const [status, send] of [
        [201, () => post('/books', { id: 3, title: 'Hymns' })],
        [200, () => patch('/books/3', { title: 'Psalms' }, match())],
        // Nothing changes.
        [200, () => patch('/hooked/3', { title: 'Psalms' }, match('W/'))],
        [200, () => put('/books/3', { title: 'Songs' }, match('"x",'))],
      ] as const) {
        const answer = await send();
        tag = tagOf(await get('/books/3'));
        expect([answer.status, tagOf(answer)]).toEqual([status, tag]);
      }
      expect((await remove('/books/3', match())).status).toBe(200);
      tag = tagOf(await get('/books/3?fields=id&includeDeleted=1'));
      const recovered = await patch('/books/3/recover', {}, match());
      expect([recovered.status, tagOf(recovered)]).toEqual([200, tagOf(await get('/books/3'))]);
      expect((await put('/books/4', { title: 'Lays' })).headers['etag']).toBe(tagOf(await get('/books/4')));
    });

    test('another tag is a 412 and one of no record a 404, but a 412 of a PUT that would create it', async () => {
      const old = tagOf(await get('/books/1'));
      await stored().update(1, { note: 'changed' });
      const before = await stored().find({ order: { id: 'ASC' } });
      const FAILED = { code: 'CRUD_PRECONDITION_FAILED', field: 'If-Match', error: 'Precondition Failed' };
      const writesOf = (path: string, headers: Headers) => [
        ...[patch(path, { title: 'lost' }, headers), patch(path, {}, headers), remove(path, headers)],
        patch(`${path}/recover`, {}, headers),
      ];
      for (const header of [old, '', tagOf(await get('/books/2'))]) {
        const headers = { 'If-Match': header };
        const sends = [...writesOf('/books/1', headers), put('/books/1', {}, headers), remove('/scoped/1', headers)];
        for (const send of sends) expect(await send).toMatchObject({ status: 412, body: FAILED });
      }
      for (const headers of [{ 'If-Match': '"x"' }, { 'If-Match': '*' }]) {
        for (const send of [...writesOf('/books/9', headers), ...writesOf('/scoped/2', headers)])
          expect((await send).status).toBe(404);
        expect((await put('/scoped/2', { title: 'x' }, headers)).status).toBe(404);
        expect((await put('/books/9', { title: 'x' }, headers)).status).toBe(412);
      }
      expect((await put('/scoped/2', { title: 'x' }, { 'If-None-Match': '*' })).status).toBe(404);
      expect(await stored().find({ order: { id: 'ASC' } })).toEqual(before);
    });

    const race = async (send: (index: number) => PromiseLike<Response>) => {
      const answers = await Promise.all(Array.from({ length: RACERS }, async (_, index) => send(index)));
      return answers.map(({ status }) => status).sort();
    };
    const one = (status: number) => [status, ...Array.from({ length: RACERS - 1 }, () => 412)];
    const by = (index: number) => ({ title: `by ${index}` });

    test.each(['/hooked/1', '/scoped/1', '/books/1'])('of many changes of %s with one tag, one wins', async (path) => {
      const send = path === '/books/1' ? put : patch;
      const headers = { 'If-Match': tagOf(await get(path)) };
      expect(await race((index) => send(path, by(index), headers))).toEqual(one(200));
    });

    test('of many writes of every kind with one tag, one wins, and of many PUT that create only', async () => {
      const headers = { 'If-Match': tagOf(await get('/books/1')) };
      const sends = [patch, put, (path: string) => remove(path, headers)];
      const statuses = await race((index) => sends[index % 3]!('/books/1', by(index), headers));
      // Once it is deleted, it is not there.
      expect([...new Set(statuses.slice(1))].filter((status) => ![404, 412].includes(status))).toEqual([]);
      expect(statuses[0]).toBe(200);
      await remove('/books/1');
      const deleted = { 'If-Match': tagOf(await get('/books/1?includeDeleted=1')) };
      expect(await race(() => patch('/books/1/recover', {}, deleted))).toEqual(one(200));
      expect(await race((index) => put('/books/7', by(index), { 'If-None-Match': '*' }))).toEqual(one(201));
    });
  }),
);
