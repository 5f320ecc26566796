/** Whole lists over HTTP, in other formats than JSON, on each database and platform: what the list has, with its filters, sorts, joins and scope. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Exclude, Expose } from 'class-transformer';
import { parse } from 'csv-parse/sync';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';
import { Author, Book, BOOKS, Review } from './entities.js';

type Row = Record<string, unknown>;

const SEARCHES = [
  '',
  'filter=title||eq||plain&fields=title',
  'join=author||name&join=reviews||stars&sort=author.name,ASC',
  's={"author.name":"Ada"}&fields=price',
  'filter=id||lt||0',
];

describePlatforms('exports', (platform) =>
  describeDatabases(platform, (db) => {
    const query = {
      export: { formats: ['ndjson', 'csv'] as const },
      join: { author: {}, reviews: {} },
      maxLimit: 50,
      limit: 10,
    };
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
        await manager.insert(Author, [
          { id: 1, name: 'Ada' },
          { id: 2, name: null },
        ]);
        const books = Array.from({ length: BOOKS }, (_, index) => ({
          id: index + 1,
          title: ['plain', '', null, '=1+1', 'a "quoted", text', 'two\r\nlines', '-5'][index % 7]!,
          price: `${index - 5}.25`,
          secret: 'secret',
          authorId: [1, 2, null][index % 3]!,
        }));
        for (let start = 0; start < BOOKS; start += 400) await manager.insert(Book, books.slice(start, start + 400));
        await manager.insert(Review, [
          { id: 1, stars: 5, book: { id: 1 } },
          { id: 2, stars: 1, book: { id: 1 } },
          { id: 3, stars: 3, book: { id: BOOKS } },
        ]);
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
    const textOf = async (path: string, headers: Record<string, string> = {}, type = 'ndjson'): Promise<string> => {
      const { status, text, headers: sent } = await get(path, headers);
      expect({ path, status, text: status === 200 ? '' : text }).toEqual({ path, status: 200, text: '' });
      expect(sent['content-type']).toBe(
        type === 'csv' ? 'text/csv; charset=utf-8; header=present' : 'application/x-ndjson; charset=utf-8',
      );
      expect(sent['vary']).toMatch(/\bAccept\b/);
      return text;
    };
    const recordsIn = (text: string): Row[] => {
      expect(text === '' || text.endsWith('\n')).toBe(true);
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Row);
    };
    const tableIn = (text: string): Row[] => parse(text, { columns: true, cast }) as Row[];
    /** The whole list as JSON. */
    const listed = async (search: string): Promise<Row[]> => JSON.parse((await get(`/plain?${search}`)).text) as Row[];
    const refused = async (path: string, headers: Record<string, string> = {}): Promise<Row> => {
      const { status, text, headers: sent } = await get(path, headers);
      expect(sent['content-type']).toMatch(/^application\/json/);
      expect(sent['vary']).toMatch(/\bAccept\b/);
      const { message, code, field } = JSON.parse(text) as Row;
      return { status, message, code, field };
    };

    describe('lines of JSON', () => {
      test.each(SEARCHES)('have the records of the list: %s', async (search) => {
        expect(recordsIn(await textOf(`/books?format=ndjson&${search}`))).toEqual(await listed(search));
      });

      test('are no more than asked for, and no fewer', async () => {
        const all = await listed('sort=price,DESC');
        for (const limit of [1, 99, 100, 101, 440]) {
          expect(recordsIn(await textOf(`/books?format=ndjson&sort=price,DESC&limit=${limit}`))).toEqual(
            all.slice(0, limit),
          );
        }
      });
    });

    describe('comma-separated values', () => {
      test.each(SEARCHES)('have the values of the list: %s', async (search) => {
        const rows = tableIn(await textOf(`/raw?format=csv&${search}`, {}, 'csv'));
        expect(rows).toEqual((await listed(search)).map(flat));
      });

      test('have a header, though there is no record', async () => {
        expect(
          await textOf('/books?format=csv&filter=id||lt||0&fields=title&join=author&join=reviews', {}, 'csv'),
        ).toBe('id,title,author.id,author.name,reviews\r\n');
      });

      test('tell null from an empty text, and defuse formulas of texts, not numbers', async () => {
        const text = await textOf('/books?format=csv&fields=title,price&limit=7', {}, 'csv');
        expect(text).toBe(
          [
            'id,title,price',
            '1,plain,-5.25',
            '2,"",-4.25',
            '3,,-3.25',
            "4,'=1+1,-2.25",
            '5,"a ""quoted"", text",-1.25',
            '6,"two\r\nlines",0.25',
            "7,'-5,1.25",
            '',
          ].join('\r\n'),
        );
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
        expect(status).toBe(200);
        expect(String(headers['content-type']).split(';')[0]).toBe(type);
        expect(headers['content-disposition']).toBeUndefined();
      });

      test('a format of the query goes before the header, and is a file to keep', async () => {
        const { headers } = await get('/books?format=csv&limit=1', { accept: 'application/json' });
        expect(headers['content-type']).toMatch(/^text\/csv/);
        expect(headers['content-disposition']).toBe('attachment; filename="books.csv"');
      });

      test('an own format alone is known', async () => {
        expect(await refused('/books?format=xml')).toEqual({
          status: 400,
          message: 'Invalid format. ndjson or csv expected',
          code: 'CRUD_INVALID_QUERY',
          field: 'format',
        });
        expect(await refused('/short?format=csv')).toMatchObject({ status: 400, code: 'CRUD_INVALID_QUERY' });
        expect(await refused('/books?format=csv&format=ndjson')).toMatchObject({ status: 400 });
        const { headers } = await get('/short', { accept: 'text/csv' });
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect((await get('/books?format=')).headers['content-type']).toMatch(/^application\/json/);
      });

      test.each(['page=1', 'offset=0', 'offset=10', 'cursor='])('no part of a list is exported: %s', async (part) => {
        const field = part.split('=')[0];
        const expected = { status: 400, code: 'CRUD_INVALID_PAGINATION', field };
        expect(await refused(`/paged?format=csv&${part}`)).toMatchObject(expected);
        expect(await refused(`/paged?${part}`, { accept: 'text/csv' })).toMatchObject(expected);
      });

      test.each(['csv', 'ndjson'])(
        'a value that does not fit its column is refused like in a list: %s',
        async (format) => {
          const unhandled: unknown[] = [];
          const note = (error: unknown) => void unhandled.push(error);
          process.on('unhandledRejection', note);
          try {
            for (const search of [
              'filter=id||eq||x',
              's={"price":{"$gt":"x"}}',
              'join=reviews||stars||on[0]=reviews.stars||eq||x',
            ]) {
              expect(await refused(`/books?format=${format}&${encodeURI(search)}`)).toMatchObject({
                status: 400,
                code: 'CRUD_INVALID_VALUE',
              });
            }
          } finally {
            process.off('unhandledRejection', note);
          }
          expect(unhandled).toEqual([]);
        },
      );

      test('a longer list than may be exported is refused before its first byte', async () => {
        expect(await refused('/short?format=ndjson')).toEqual({
          status: 400,
          message: 'The list is too long to be exported. At most 400 records expected',
          code: 'CRUD_LIMIT_EXCEEDED',
        });
        expect(await refused('/short?format=ndjson&join=reviews&sort=title,ASC')).toMatchObject({ status: 400 });
        expect(recordsIn(await textOf('/short?format=ndjson&limit=400&fields=id'))).toHaveLength(400);
        expect(recordsIn(await textOf('/short?format=ndjson&filter=id||lte||400&fields=id'))).toHaveLength(400);
        expect(recordsIn(await textOf('/exact?format=ndjson&fields=id'))).toHaveLength(BOOKS);
      });

      test('without the option it means nothing', async () => {
        const { status, text, headers } = await get('/plain?format=csv', { accept: 'text/csv' });
        expect({ status, length: (JSON.parse(text) as unknown[]).length, vary: headers['vary'] }).toEqual({
          status: 200,
          length: BOOKS,
        });
      });

      test('HEAD has the headers and reads nothing', async () => {
        const before = statements.length;
        const { status, headers } = await get('/books?format=csv', {}, 'HEAD');
        expect({ status, type: headers['content-type'], disposition: headers['content-disposition'] }).toEqual({
          status: 200,
          type: 'text/csv; charset=utf-8; header=present',
          disposition: 'attachment; filename="books.csv"',
        });
        expect(statements.slice(before)).toEqual([]);
        expect((await get('/books?format=xml', {}, 'HEAD')).status).toBe(400);
      });
    });

    test('OpenAPI tells formats and media types', () => {
      const { paths } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
      const { parameters = [], responses } = paths['/books']!.get!;
      expect(parameters.find((parameter) => 'name' in parameter && parameter.name === 'format')).toMatchObject({
        in: 'query',
        required: false,
        schema: { type: 'string', enum: ['ndjson', 'csv'] },
      });
      const { content } = responses['200'] as { content: object };
      expect(Object.keys(content)).toEqual([
        'application/json',
        'application/x-ndjson; charset=utf-8',
        'text/csv; charset=utf-8; header=present',
      ]);
      const plain = paths['/plain']!.get!;
      expect(plain.parameters?.some((parameter) => 'name' in parameter && parameter.name === 'format')).toBe(false);
      expect(Object.keys((plain.responses['200'] as { content: object }).content)).toEqual(['application/json']);
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
    fill: ({ manager }) =>
      manager.insert(
        Note,
        TEXTS.map((text, index) => ({ id: index + 1, text })),
      ),
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
    const totals = looseResource(Total, 'totals', {
      query: { export: { formats: ['csv'] } },
      serialize: { get: TotalResponse },
    });
    const app = serving(db, [Total], [totals]);

    test('numbers below zero stay numbers, texts that look like formulas are defused', async () => {
      const stored = [
        { id: 1, text: '-5', amount: -1 },
        { id: 2, text: '@x', amount: 2 },
      ];
      await app.source.getRepository(Total).insert(stored);
      const text = await (await fetch(`${app.url}/totals?format=csv`)).text();
      expect(parse(text, { columns: true })).toEqual([
        { sum: '-1', title: "'-5", negated: '1', formula: "'=-1" },
        { sum: '2', title: "'@x", negated: '-2', formula: "'=2" },
      ]);
    });
  },
  ['sqlite'],
);

/** Empty without quotation marks is null. */
function cast(value: string, { quoting, header }: { quoting: boolean; header: boolean }): string | null {
  return value === '' && !quoting && !header ? null : value;
}

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
