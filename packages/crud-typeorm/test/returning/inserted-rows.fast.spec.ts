/** Random bodies → the text and values of one INSERT, and rows and answers as the plain way has them, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { planWrite } from '@nestwright/crud/adapter';
import fc from 'fast-check';
import { DataSource, type DataSourceOptions, type ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { toTable } from '../../src/typeorm/entity-tables.js';
import type { Table } from '../../../sql/src/database/database.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { withPlaceholders } from '../../../sql/src/select/index.js';
import { insertSql, insertText, bindEntity } from '../../../sql/src/statements/insert-text.js';
import { newEntity } from '../../../sql/src/statements/new-entity.js';
import { Mood } from './entities.js';
import { CommonFlat, LeftHalf, Lowered, PostgresFlat, RightHalf, Shelf, Started } from './inserted-rows.entities.js';
import { toDatabase } from '../../src/typeorm/database.js';

type Body = Record<string, unknown>;

const text = fc.string({ unit: 'grapheme', maxLength: 12 }).map((value) => value.replaceAll('\0', '').normalize('NFC'));
const moment = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString());
const nullable = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null, freq: 4 });
const json = nullable(fc.oneof(fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.integer()), fc.array(fc.boolean())));

/** An item of a simple array, whose stored text divides items by commas. */
const withoutCommas = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 })
  .map((text) => text.replaceAll(',', ';'));

const COMMON = {
  long: nullable(text),
  small: nullable(fc.integer({ min: -32_768, max: 32_767 })),
  whole: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
  big: nullable(fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }).map(String)),
  amount: nullable(fc.integer({ min: -1e9, max: 1e9 }).map((value) => String(value / 100))),
  double: nullable(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })),
  on: fc.boolean(),
  off: nullable(fc.boolean()),
  mood: fc.constantFrom(...Object.values(Mood)),
  tags: nullable(fc.array(withoutCommas, { minLength: 1 })),
  json,
  day: nullable(moment.map((value) => value.slice(0, 10))),
  moment: nullable(moment.map((value) => `${value.slice(0, 19)}Z`)),
  time: nullable(moment.map((value) => value.slice(11, 19))),
  price: nullable(fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100)),
  said: fc.constantFrom('something', 'unsay', ''),
  shelfId: nullable(fc.constantFrom(1, 2)),
  shelf: fc.constantFrom({ id: 1 }, { id: 2 }, 1),
} satisfies Record<string, fc.Arbitrary<unknown>>;

const POSTGRES = {
  document: json,
  precise: nullable(moment),
  native: nullable(fc.constantFrom(...Object.values(Mood))),
  list: nullable(fc.array(text)),
  uuid: nullable(fc.uuid()),
};

const REQUEST = {
  parsed: { fields: [], paramsFilter: [], search: {}, filter: [], or: [], join: [], sort: [], extra: {} },
  options: {},
} as unknown as CrudRequest;

describeDatabases('rows of one INSERT', (db) => {
  const Flat: new () => ObjectLiteral = db.kind === 'postgres' ? PostgresFlat : CommonFlat;
  const bodies = fc.record({ ...COMMON, ...(db.kind === 'postgres' && POSTGRES) }, { requiredKeys: [] });
  const lists = fc.array(fc.tuple(bodies, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 6 }).map((runs) =>
    // Runs of equal sets of columns, as bulks have them.
    runs.flatMap(([body, times]) => Array.from({ length: times }, () => body)),
  );
  const sources = {} as { fast: DataSource; plain: DataSource };
  const serviceOf = <T extends ObjectLiteral>(kind: 'fast' | 'plain', entity: new () => T) =>
    new TypeOrmCrudService<T>(sources[kind].getRepository(entity));

  beforeAll(async () => {
    for (const kind of ['fast', 'plain'] as const) {
      const source = new DataSource({
        ...db.connection,
        ...(db.kind === 'mysql' && { timezone: 'Z', dateStrings: ['DATE'] }),
        entities: [Flat, Shelf, LeftHalf, RightHalf, Started, Lowered],
        // SQLite's databases live in memory, one for each connection.
        synchronize: kind === 'fast' || db.kind === 'sqlite',
      } as DataSourceOptions);

      configureCrudDatabase(source, { fastPaths: kind === 'fast' });
      sources[kind] = await source.initialize();

      if (kind === 'fast' || db.kind === 'sqlite') {
        const { escape } = source.driver;
        const names = ['left', 'right'].map((name) => `${escape.call(source.driver, name)} varchar(9)`);

        await source.query(`CREATE TABLE pairs (id int PRIMARY KEY, ${names.join(', ')})`);
        await source.query('INSERT INTO shelves (id) VALUES (1), (2)');
      }
    }
  });

  afterAll(async () => {
    await (sources.fast as DataSource | undefined)?.query('DROP TABLE pairs');
    await (sources.fast as DataSource | undefined)?.destroy();
    await (sources.plain as DataSource | undefined)?.destroy();
  });

  beforeEach(async () => {
    for (const source of Object.values(sources))
      for (const table of ['flats', 'pairs', 'started', 'lowered']) await source.query(`DELETE FROM ${table}`);
  });

  const plansOf = (table: Table, list: readonly Body[]) => list.map((body) => planWrite(table.catalog, body, 'insert'));

  test('stand in the text one after the other, with their values', () => {
    const table = toTable(sources.fast.getMetadata(Flat));

    fc.assert(
      fc.property(lists, (list) => {
        const rows = plansOf(table, list).map((plan) => bindEntity(table, newEntity(table, plan)));
        let specified = rows[0]!.template.head;
        let count = 0;

        for (const [index, { template, values }] of rows.entries()) {
          specified += `${index === 0 ? '' : ', '}${withPlaceholders(toDatabase(sources.fast), template.row, count)}`;
          count += values.length;
        }

        expect(insertSql(toDatabase(sources.fast), rows)).toStrictEqual({
          sql: specified,
          parameters: rows.flatMap(({ values }) => values),
        });
      }),
      { numRuns: 100 },
    );
  });

  test('are stored and answered as the plain way does', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (list) => {
        const answers = await Promise.all(
          (['fast', 'plain'] as const).map(async (kind) => {
            const made = await serviceOf(kind, Flat).createMany(REQUEST, { bulk: list });

            return made.map((record) => ({ ...record, id: 0, createdAt: 0, updatedAt: 0 }));
          }),
        );

        expect(answers[0]).toStrictEqual(answers[1]);
      }),
      { numRuns: 15 },
    );
  });

  test('any number of rows stand in the text one after the other', () => {
    const table = toTable(sources.fast.getMetadata(Flat));
    const { template } = bindEntity(table, Object.assign(new Flat(), { label: 'a', whole: 1 }));

    for (const rows of [7, 250, 3, 100, 101, 99]) {
      const places = Array.from({ length: rows }, (_, index) =>
        withPlaceholders(toDatabase(sources.fast), template.row, index * template.columns.length),
      );

      expect(
        insertText(
          toDatabase(sources.fast),
          Array.from({ length: rows }, () => template),
        ),
      ).toBe(template.head + places.join(', '));
    }
  });

  test('the database is asked for what is wrong with which record', async () => {
    const bulk = [{ label: 'a' }, { label: 'b', whole: 1 }, { label: 'a' }];

    await expect(serviceOf('fast', Flat).createMany(REQUEST, { bulk })).rejects.toMatchObject({
      response: { code: 'CRUD_UNIQUE_VIOLATION', field: 'bulk.2.label' },
    });
    await expect(
      serviceOf('fast', Flat).createMany(REQUEST, { bulk: [{ shelfId: 1 }, { shelfId: 7 }] }),
    ).rejects.toMatchObject({ response: { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'bulk.1.shelfId' } });
  });

  test('two classes of one table do not share texts', async () => {
    await serviceOf('fast', LeftHalf).createOne(REQUEST, { id: 1, left: 'l' });
    await serviceOf('fast', RightHalf).createOne(REQUEST, { id: 2, right: 'r' });

    expect(await sources.fast.query('SELECT * FROM pairs ORDER BY id')).toMatchObject([
      { id: 1, left: 'l', right: null },
      { id: 2, left: null, right: 'r' },
    ]);
  });

  test('classes that fill in or change values have their say', async () => {
    const started = serviceOf('fast', Started);

    await started.createOne(REQUEST, { id: 1 });
    Started.note = 'by the class';

    try {
      await started.createMany(REQUEST, { bulk: [{ id: 2 }, { id: 3, note: 'own' }] });
    } finally {
      Started.note = undefined;
    }

    expect(await sources.fast.query('SELECT id, note FROM started ORDER BY id')).toMatchObject([
      { id: 1, note: null },
      { id: 2, note: 'by the class' },
      { id: 3, note: 'own' },
    ]);

    await serviceOf('fast', Lowered).createOne(REQUEST, { id: 1, note: 'LOUD' });
    expect(await sources.fast.query('SELECT note FROM lowered')).toMatchObject([{ note: 'loud' }]);
  });
});
