/** Whole lists over HTTP, in other formats than JSON, on each database and platform: what the list has, with its filters, sorts, joins and values of every type. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { Exclude } from 'class-transformer';
import fc from 'fast-check';
import { Column, Entity, JoinColumn, ManyToOne, OneToMany, PrimaryColumn, type Relation } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import type { HttpPlatform, TestDatabase } from '../../../../integration/test-support/index.js';
import { everyType } from '../read/every-type.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('export_authors')
class Author {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 40, nullable: true }) name!: string | null;
}

@Entity('export_books')
class Book {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 60, nullable: true }) title!: string | null;
  @Column({ type: 'decimal', precision: 12, scale: 2 }) price!: string;
  @Exclude() @Column({ type: 'varchar', length: 10 }) secret!: string;
  @Column({ type: 'int', nullable: true }) authorId!: number | null;
  @ManyToOne(() => Author) @JoinColumn({ name: 'authorId' }) author!: Relation<Author> | null;
  @OneToMany(() => Review, (review) => review.book) reviews!: Relation<Review>[];
}

@Entity('export_reviews')
class Review {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'int' }) stars!: number;
  @ManyToOne(() => Book, (book) => book.reviews) book!: Relation<Book>;
}

type Row = Record<string, unknown>;

/** More than are read at a time. */
const BOOKS = 450;

const recordsIn = (text: string) => JSON.parse(`[${text.split('\n').slice(0, -1).join()}]`) as Row[];

const exportsOn = (platform: HttpPlatform) => (db: TestDatabase) => {
  const formats = ['ndjson', 'csv'] as const;
  const query = { export: { formats }, join: { author: {}, reviews: {} }, maxLimit: 50, limit: 10 };
  const of = (path: string, more: object = {}) => looseResource(Book, path, { query: { ...query, ...more } });
  const resources = [
    of('books'),
    of('short', { export: { formats: ['ndjson'], maxRows: 400 } }),
    of('exact', { export: { formats: ['ndjson'], maxRows: BOOKS } }),
    of('plain', { export: undefined, limit: undefined, maxLimit: false }),
  ];
  const app = serving(db, [Author, Book, Review], resources, {
    platform,
    fill: async ({ manager }) => {
      for (const [at, name] of ['Ada', null].entries()) await manager.insert(Author, { id: at + 1, name });
      const books = Array.from({ length: BOOKS }, (_, index) => ({
        id: index + 1,
        title: ['plain', '', null, '=1+1', 'a "quoted", text', 'two\r\nlines', '\r=1'][index % 7]!,
        price: `${index - 5}.25`,
        secret: 'secret',
        authorId: [1, 2, null][index % 3]!,
      }));
      for (let start = 0; start < BOOKS; start += 400) await manager.insert(Book, books.slice(start, start + 400));
      for (const [at, id] of [1, 1, BOOKS].entries())
        await manager.insert(Review, { id: at + 1, stars: [5, 1, 3][at]!, book: { id } });
    },
  });
  const statements: string[] = [];
  const note = ({ sql }: { sql: string }) => void statements.push(sql);
  beforeAll(() => void subscribe('nestwright:query', note as never));
  afterAll(() => void unsubscribe('nestwright:query', note as never));
  const get = async (path: string, method = 'GET', headers: Record<string, string> = {}) => {
    const response = await fetch(app.url + encodeURI(path), { method, headers });
    return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) };
  };
  const recordsOf = async (path: string) => {
    const { status, text, headers } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    return recordsIn(text);
  };
  const listed = async (search: string): Promise<Row[]> => JSON.parse((await get(`/plain?${search}`)).text) as Row[];
  const refused = async (path: string): Promise<Row> => {
    const { status, text } = await get(path);
    return { status, ...(JSON.parse(text) as Row) };
  };

  test('lines of JSON have the records of the list, as many as the limit says', async () => {
    const joined = 'join=author||name&join=reviews||stars&sort=author.name,ASC';
    expect(await recordsOf(`/books?format=ndjson&${joined}`)).toEqual(await listed(joined));
    const all = await listed('sort=price,DESC');
    for (const [limit, parts] of Object.entries({ 1: 1, 99: 1, 100: 1, 101: 2, 440: 2, 500: 2 })) {
      const before = statements.length;
      const records = await recordsOf(`/books?format=ndjson&sort=price,DESC&limit=${limit}`);
      expect(records).toEqual(all.slice(0, Number(limit)));
      // SQLite is asked once for each part.
      if (db.kind === 'sqlite') expect([limit, statements.length - before]).toEqual([limit, parts]);
    }
  });

  test('comma-separated values have a header, tell null from an empty text, and defuse formulas of texts', async () => {
    const lines = ['id,title,price', '1,plain,-5.25', '2,"",-4.25', '3,,-3.25', "4,'=1+1,-2.25"];
    lines.push('5,"a ""quoted"", text",-1.25', '6,"two\r\nlines",0.25', `7,"'\r=1",1.25`, '');
    const { text } = await get('/books?format=csv&fields=title,price&limit=7');
    expect(text).toBe(lines.join('\r\n'));
    const empty = await get('/books?format=csv&filter=id||lt||0&fields=title&join=author&join=reviews');
    expect(empty.text).toBe('id,title,author.id,author.name,reviews\r\n');
  });

  test('a format in the query is an attachment, one by Accept is not; HEAD reads nothing', async () => {
    const type = 'text/csv; charset=utf-8; header=present';
    const asked = await get('/books?fields=id&limit=1', 'GET', { accept: 'text/csv' });
    expect(asked).toMatchObject({ status: 200, text: 'id\r\n1\r\n', headers: { 'content-type': type } });
    expect(asked.headers).not.toHaveProperty('content-disposition');
    const before = statements.length;
    const { status, headers } = await get('/books?format=csv', 'HEAD', { accept: 'application/json' });
    const file = { 'content-type': type, 'content-disposition': 'attachment; filename="books.csv"' };
    expect({ status, headers }).toMatchObject({ status: 200, headers: file });
    expect(headers['vary']).toMatch(/\bAccept\b/);
    expect(statements.slice(before)).toEqual([]);
    expect((await get('/books?format=xml', 'HEAD')).status).toBe(400);
  });

  test('a value that its column cannot hold is refused as in a list', async () => {
    const unhandled: unknown[] = [];
    const keep = (error: unknown) => void unhandled.push(error);
    process.on('unhandledRejection', keep);
    for (const format of formats) {
      const on = 'join=reviews||stars||on[0]=reviews.stars||eq||x';
      for (const search of ['filter=id||eq||x', 's={"price":{"$gt":"x"}}', on])
        expect(await refused(`/books?format=${format}&${search}`)).toMatchObject({ code: 'CRUD_INVALID_VALUE' });
    }
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });

  test('a longer list than may be exported is refused before its first byte', async () => {
    const message = 'The list is too long to be exported. At most 400 records expected';
    const tooLong = { status: 400, message, code: 'CRUD_LIMIT_EXCEEDED' };
    expect(await refused('/short?format=ndjson&join=reviews&sort=title,ASC')).toMatchObject(tooLong);
    for (const part of ['limit=400', 'filter=id||lte||400'])
      expect(await recordsOf(`/short?format=ndjson&${part}&fields=id`)).toHaveLength(400);
    expect(await recordsOf('/exact?format=ndjson&fields=id')).toHaveLength(BOOKS);
  });
};

// SQLite's only connection serves others between two parts, which are read by key.
describeDatabases('exports in parts', exportsOn('express'), ['sqlite']);
describePlatforms('exports', (platform) => describeDatabases(platform, exportsOn(platform), ['postgres', 'mysql']));

describeDatabases('exported values', (db) => {
  const { target, values, inner } = everyType(db.kind);
  const query = { export: { formats: ['ndjson'] as const }, join: { parent: {}, children: {}, friends: {} } };
  const every = looseResource(target as never, 'every', { query });
  const app = serving(db, [target], [every], {
    fill: async ({ manager }) => {
      const samples = fc.sample(fc.tuple(values, inner), { numRuns: 60, seed: 7 });
      for (const [index, [record, embedded]] of samples.entries()) {
        const parent = index % 3 === 2 && { parent: { id: index } };
        await manager.insert(target, { ...record, id: index + 1, inner: embedded, ...parent });
      }
    },
  });
  const read = async (search: string) => (await fetch(`${app.url}/every?sort=id,ASC&${search}`)).text();

  test.each([
    [true, ''],
    [true, 'join=parent||id,aText,aDecimal&join=children&join=friends'],
    [false, 'join=parent||id,aText,aDecimal&join=children'],
  ])('are those of the list, fast paths: %s, %s', async (fastPaths, search) => {
    configureCrudDatabase(app.source, { fastPaths });
    const list = await read(search);
    const lines = (await read(`${search}&format=ndjson`)).split('\n').slice(0, -1);
    expect(`[${lines.join(',')}]`).toBe(list);
  });
});
