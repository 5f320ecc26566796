/** Whole lists over HTTP, in other formats than JSON, on each database and platform: what the list has, with its filters, sorts, joins and scope. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { configureCrudDatabase } from '@nestwright/crud-typeorm';
import { Exclude, Expose } from 'class-transformer';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { everyType } from '../read/every-type.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Author, Book, BOOKS, recordsIn, Review, type Row, tableIn } from './entities.js';

const CSV_FILE = {
  'content-type': 'text/csv; charset=utf-8; header=present',
  'content-disposition': 'attachment; filename="books.csv"',
};

const DOCUMENTS = ['aSimpleJson', 'aJson', 'aJsonb'];
const SEARCHES = [
  '',
  'filter=title||eq||plain&fields=title',
  'join=author||name&join=reviews||stars&sort=author.name,ASC',
  's={"author.name":"Ada"}&fields=price',
  'filter=id||lt||0',
];

describePlatforms('exports', (platform) =>
  describeDatabases(platform, (db) => {
    const formats = ['ndjson', 'csv'] as const;
    const query = { export: { formats }, join: { author: {}, reviews: {} }, maxLimit: 50, limit: 10 };
    const of = (path: string, more: object = {}) => looseResource(Book, path, { query: { ...query, ...more } });
    const resources = [
      of('books'),
      of('short', { export: { formats: ['ndjson'], maxRows: 400 } }),
      of('exact', { export: { formats: ['ndjson'], maxRows: BOOKS } }),
      of('raw', { export: { formats: ['csv'], csv: { formulas: true } } }),
      of('paged', { alwaysPaginate: true, cursor: true }),
      of('plain', { export: undefined, limit: undefined, maxLimit: false }),
    ];
    const app = serving(db, [Author, Book, Review], resources, {
      platform,
      fill: async ({ manager }) => {
        for (const [at, name] of ['Ada', null].entries()) await manager.insert(Author, { id: at + 1, name });
        const books = Array.from({ length: BOOKS }, (_, index) => ({
          id: index + 1,
          title: ['plain', '', null, '=1+1', 'a "quoted", text', 'two\r\nlines', '-5'][index % 7]!,
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
    const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await fetch(app.url + path, { method, headers });
      return { status: response.status, text: await response.text(), headers: Object.fromEntries(response.headers) };
    };
    const textOf = async (path: string, type = 'application/x-ndjson; charset=utf-8'): Promise<string> => {
      const { status, text, headers: sent } = await get(path);
      expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
      expect(sent).toMatchObject({ 'content-type': type, vary: expect.stringMatching(/\bAccept\b/) });
      return text;
    };
    const tableOf = (path: string) => textOf(path, 'text/csv; charset=utf-8; header=present');
    const recordsOf = async (path: string): Promise<Row[]> => {
      const text = await textOf(path);
      expect(text === '' || text.endsWith('\n')).toBe(true);
      return recordsIn(text);
    };
    /** The whole list as JSON. */
    const listed = async (search: string): Promise<Row[]> => JSON.parse((await get(`/plain?${search}`)).text) as Row[];
    const refused = async (path: string, headers: Record<string, string> = {}): Promise<Row> => {
      const { status, text, headers: sent } = await get(path, headers);
      const [type, vary] = [/^application\/json/, /\bAccept\b/].map((pattern) => expect.stringMatching(pattern));
      expect(sent).toMatchObject({ 'content-type': type, vary });
      const { message, code, field } = JSON.parse(text) as Row;
      return { status, message, code, field };
    };

    describe('lines of JSON', () => {
      test.each(SEARCHES)('have the records of the list: %s', async (search) => {
        expect(await recordsOf(`/books?format=ndjson&${search}`)).toEqual(await listed(search));
      });

      test('are no more than asked for, and no fewer', async () => {
        const all = await listed('sort=price,DESC');
        for (const limit of [1, 99, 100, 101, 440])
          expect(await recordsOf(`/books?format=ndjson&sort=price,DESC&limit=${limit}`)).toEqual(all.slice(0, limit));
      });

      test.each(['limit=100', 'filter=id||lte||5'])('of one part take one statement: %s', async (search) => {
        if (db.kind !== 'sqlite') return;
        const before = statements.length;
        await recordsOf(`/books?format=ndjson&${search}`);
        expect(statements.slice(before)).toHaveLength(1);
      });
    });

    describe('comma-separated values', () => {
      test.each(SEARCHES)('have the values of the list: %s', async (search) => {
        expect(tableIn(await tableOf(`/raw?format=csv&${search}`))).toEqual((await listed(search)).map(flat));
      });

      test('have a header, though there is no record', async () => {
        const text = await tableOf('/books?format=csv&filter=id||lt||0&fields=title&join=author&join=reviews');
        expect(text).toBe('id,title,author.id,author.name,reviews\r\n');
      });

      test('tell null from an empty text, and defuse formulas of texts, not numbers', async () => {
        const lines = ['id,title,price', '1,plain,-5.25', '2,"",-4.25', '3,,-3.25', "4,'=1+1,-2.25"];
        lines.push('5,"a ""quoted"", text",-1.25', '6,"two\r\nlines",0.25', "7,'-5,1.25", '');
        expect(await tableOf('/books?format=csv&fields=title,price&limit=7')).toBe(lines.join('\r\n'));
      });
    });

    describe('what is asked for', () => {
      test.each([
        ['application/x-ndjson', 'application/x-ndjson'],
        ['text/csv', 'text/csv'],
        ['text/*', 'text/csv'],
        ['text/csv;q=0.5, application/x-ndjson;q=0.6, application/json;q=0.4', 'application/x-ndjson'],
        ['application/*, application/json;q=0', 'application/x-ndjson'],
        ['application/json', 'application/json'],
        ['application/json, text/csv', 'application/json'],
        ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
        ['text/csv;q=0', 'application/json'],
        ['text/csv;q=high', 'application/json'],
        [',,;;/', 'application/json'],
      ])('by Accept: %s → %s', async (accept, type) => {
        const { status, headers } = await get('/books?fields=id', { accept });
        expect([status, String(headers['content-type']).split(';')[0]]).toEqual([200, type]);
        expect(headers).not.toHaveProperty('content-disposition');
      });

      test('a format of the query goes before the header, and is a file to keep', async () => {
        const { headers } = await get('/books?format=csv&limit=1', { accept: 'application/json' });
        expect(headers).toMatchObject(CSV_FILE);
      });

      test('an own format alone is known', async () => {
        const invalid = { status: 400, code: 'CRUD_INVALID_QUERY', field: 'format' };
        const message = 'Invalid format. ndjson or csv expected';
        expect(await refused('/books?format=xml')).toEqual({ ...invalid, message });
        expect(await refused('/short?format=csv')).toMatchObject(invalid);
        expect(await refused('/books?format=csv&format=ndjson')).toMatchObject({ status: 400 });
        for (const { headers } of [await get('/short', { accept: 'text/csv' }), await get('/books?format=')])
          expect(headers['content-type']).toMatch(/^application\/json/);
      });

      test.each(['page=1', 'offset=0', 'offset=10', 'cursor='])('no part of a list is exported: %s', async (part) => {
        const field = part.split('=')[0];
        const expected = { status: 400, code: 'CRUD_INVALID_PAGINATION', field };
        expect(await refused(`/paged?format=csv&${part}`)).toMatchObject(expected);
        expect(await refused(`/paged?${part}`, { accept: 'text/csv' })).toMatchObject(expected);
      });

      test.each(['csv', 'ndjson'])(
        'a value that its column cannot hold is refused as in a list: %s',
        async (format) => {
          const unhandled: unknown[] = [];
          const keep = (error: unknown) => void unhandled.push(error);
          process.on('unhandledRejection', keep);
          try {
            const on = 'join=reviews||stars||on[0]=reviews.stars||eq||x';
            for (const search of ['filter=id||eq||x', 's={"price":{"$gt":"x"}}', on]) {
              const answer = await refused(`/books?format=${format}&${encodeURI(search)}`);
              expect(answer).toMatchObject({ status: 400, code: 'CRUD_INVALID_VALUE' });
            }
          } finally {
            process.off('unhandledRejection', keep);
          }
          expect(unhandled).toEqual([]);
        },
      );

      test('a longer list than may be exported is refused before its first byte', async () => {
        const message = 'The list is too long to be exported. At most 400 records expected';
        expect(await refused('/short?format=ndjson')).toEqual({ status: 400, message, code: 'CRUD_LIMIT_EXCEEDED' });
        expect(await refused('/short?format=ndjson&join=reviews&sort=title,ASC')).toMatchObject({ status: 400 });
        for (const part of ['limit=400', 'filter=id||lte||400'])
          expect(await recordsOf(`/short?format=ndjson&${part}&fields=id`)).toHaveLength(400);
        expect(await recordsOf('/exact?format=ndjson&fields=id')).toHaveLength(BOOKS);
      });

      test('without the option it means nothing', async () => {
        const { status, text, headers } = await get('/plain?format=csv', { accept: 'text/csv' });
        expect([status, (JSON.parse(text) as unknown[]).length, headers['vary']]).toEqual([200, BOOKS, undefined]);
      });

      test('HEAD has the headers and reads nothing', async () => {
        const before = statements.length;
        const { status, headers } = await get('/books?format=csv', {}, 'HEAD');
        expect({ status, headers }).toMatchObject({ status: 200, headers: CSV_FILE });
        expect(statements.slice(before)).toEqual([]);
        expect((await get('/books?format=xml', {}, 'HEAD')).status).toBe(400);
      });
    });

    test('OpenAPI tells formats and media types', () => {
      const { paths } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
      const [exported, plain] = ['/books', '/plain'].map((path) => {
        const { parameters = [], responses } = paths[path]!.get!;
        const { content } = responses['200'] as { content: object };
        return [parameters.find((one) => 'name' in one && one.name === 'format'), Object.keys(content)];
      });
      const schema = { type: 'string', enum: ['ndjson', 'csv'] };
      const types = ['application/x-ndjson; charset=utf-8', 'text/csv; charset=utf-8; header=present'];
      expect(exported).toMatchObject([{ in: 'query', required: false, schema }, ['application/json', ...types]]);
      expect(plain).toEqual([undefined, ['application/json']]);
    });
  }),
);

describeDatabases('texts of more than one line', (db) => {
  @Entity('export_notes')
  class Note {
    @PrimaryColumn({ type: 'int' }) id!: number;
    @Column({ type: 'varchar', length: 40 }) text!: string;
  }
  const TEXTS = ['x\n=1+1', 'x\r=1+1', 'x\r\n=1+1', '\n=1+1', '\r=1+1', 'x\n', 'x\r', '\n'];
  const resources = [true, false].map((formulas) =>
    looseResource(Note, `notes-${formulas}`, { query: { export: { formats: ['csv'], csv: { formulas } } } }),
  );
  const app = serving(db, [Note], resources, {
    fill: async ({ manager }) => {
      for (const [index, text] of TEXTS.entries()) await manager.insert(Note, { id: index + 1, text });
    },
  });

  test.each([
    [true, TEXTS],
    [false, TEXTS.map((text) => (text.startsWith('\r') ? `'${text}` : text))],
  ])('stay in their cells, whatever a reader takes for the end of a line; formulas: %s', async (formulas, expected) => {
    const text = await (await fetch(`${app.url}/notes-${formulas}?format=csv&sort=id,ASC`)).text();
    const rows = parse(text, { columns: true, record_delimiter: ['\r\n', '\n', '\r'] }) as Row[];
    expect(rows.map((row) => row['text'])).toEqual(expected);
  });
});

describeDatabases(
  'what a class computes',
  (db) => {
    @Entity('export_totals')
    class Total {
      @PrimaryColumn({ type: 'int' }) id!: number;
      @Column({ type: 'varchar', length: 40 }) text!: string;
      @Column({ type: 'int' }) amount!: number;
    }
    @Exclude()
    class TotalResponse {
      @Expose({ name: 'sum' }) amount!: number;
      @Expose({ name: 'title' }) text!: string;
      @Expose() get negated() {
        return -this.amount;
      }
      @Expose() get formula() {
        return `=${this.amount}`;
      }
    }
    const query = { export: { formats: ['csv'] as const } };
    const app = serving(db, [Total], [looseResource(Total, 'totals', { query, serialize: { get: TotalResponse } })]);

    test('numbers below zero stay numbers, texts that look like formulas are defused', async () => {
      await app.source.manager.insert(Total, { id: 1, text: '-5', amount: -1 });
      await app.source.manager.insert(Total, { id: 2, text: '@x', amount: 2 });
      const text = await (await fetch(`${app.url}/totals?format=csv`)).text();
      expect(parse(text, { columns: true })).toEqual([
        { sum: '-1', title: "'-5", negated: '1', formula: "'=-1" },
        { sum: '2', title: "'@x", negated: '-2', formula: "'=2" },
      ]);
    });
  },
  ['sqlite'],
);

describeDatabases('exported values', (db) => {
  const { target, values, inner } = everyType(db.kind);
  const formats = { formats: ['ndjson', 'csv'] as const, csv: { formulas: true } };
  const query = { export: formats, join: { parent: {}, children: {}, friends: {} } };
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
  const read = async (search: string): Promise<string> => {
    // Comparing takes longer than the server keeps an idle connection.
    const response = await fetch(`${app.url}/every?sort=id,ASC&${search}`, { headers: { connection: 'close' } });
    const text = await response.text();
    expect([response.status, response.ok ? '' : text]).toEqual([200, '']);
    return text;
  };

  test.each([
    [true, ''],
    [true, 'join=parent||id,aText,aDecimal&join=children&join=friends'],
    [false, ''],
    [false, 'join=parent||id,aText,aDecimal&join=children'],
  ])('are those of the list, fast paths: %s, %s', async (fastPaths, search) => {
    configureCrudDatabase(app.source, { fastPaths });
    const list = await read(search);
    const lines = (await read(`${search}&format=ndjson`)).split('\n').slice(0, -1);
    expect(`[${lines.join(',')}]`).toBe(list);
    const table = tableIn(await read(`${search}&format=csv`));
    const records = JSON.parse(list) as Row[];
    expect(table).toHaveLength(records.length);
    for (const [index, record] of records.entries()) expectCells(table[index]!, cellsOf(record, ''));
  });
});

/** A record as a table shows it. */
function flat({ author, reviews, ...rest }: Row): Row {
  const { id = null, name = null } = (author ?? {}) as Row;
  const row = {
    ...rest,
    ...(author !== undefined && { 'author.id': id, 'author.name': name }),
    ...(reviews !== undefined && { reviews: JSON.stringify(reviews) }),
  };
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, typeof value === 'number' ? String(value) : value]),
  );
}

/** The values of a record by the columns that they belong to. */
function cellsOf(record: Row, prefix: string): [string, unknown][] {
  return Object.entries(record).flatMap(([property, value]): [string, unknown][] =>
    (property === 'inner' || property === 'parent') && value !== null
      ? cellsOf(value as Row, `${prefix}${property}.`)
      : [[prefix + property, value]],
  );
}

function expectCells(row: Row, cells: readonly [string, unknown][]): void {
  for (const [column, value] of cells) {
    const cell = row[column] ?? null;
    const isText = cell === null || (typeof value === 'string' && !DOCUMENTS.includes(column));
    // A related record that is missing has no column of its own.
    if (column === 'parent') expect([row['parent.id'], row['parent.aText']]).toEqual([null, null]);
    else expect([column, isText ? cell : (JSON.parse(cell as string) as unknown)]).toEqual([column, value]);
  }
}
