/** Random bodies → the text and values of one INSERT, and rows and answers as the plain way has them, on each database. */
import { expect, test } from '@jest/globals';
import { planWrite } from '@nestwright/crud/adapter';
import fc from 'fast-check';
import type { ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { toTable } from '../../src/typeorm/entity-tables.js';
import { withPlaceholders } from '../../../sql/src/select/index.js';
import { insertSql, insertText, bindEntity } from '../../../sql/src/statements/insert-text.js';
import { newEntity } from '../../../sql/src/statements/new-entity.js';
import { CommonFlat, LeftHalf, Lowered, PostgresFlat, RightHalf, Shelf, Started } from './inserted-rows.entities.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { requestOf } from '../support/requests.js';
import { fastAndPlain, WAYS } from './fast-and-plain.js';
import { COMMON, nullable, POSTGRES } from './values.js';

const VALUES = {
  ...COMMON,
  off: nullable(fc.boolean()),
  said: fc.constantFrom('something', 'unsay', ''),
  shelfId: nullable(fc.constantFrom(1, 2)),
  shelf: fc.constantFrom({ id: 1 }, { id: 2 }, 1),
};

const REQUEST = requestOf();

describeDatabases('rows of one INSERT', (db) => {
  const Flat: new () => ObjectLiteral = db.kind === 'postgres' ? PostgresFlat : CommonFlat;
  const bodies = fc.record({ ...VALUES, ...(db.kind === 'postgres' && POSTGRES) }, { requiredKeys: [] });
  const lists = fc.array(fc.tuple(bodies, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 6 }).map((runs) =>
    // Runs of equal sets of columns, as bulks have them.
    runs.flatMap(([body, times]) => Array.from({ length: times }, () => body)),
  );
  const { sources, serviceOf } = fastAndPlain(db, {
    entities: [Flat, Shelf, LeftHalf, RightHalf, Started, Lowered],
    tables: ['flats', 'pairs', 'started', 'lowered'],
    fill: async (source) => {
      const names = ['left', 'right'].map((name) => `${source.driver.escape(name)} varchar(9)`);

      await source.query(`CREATE TABLE pairs (id int PRIMARY KEY, ${names.join(', ')})`);
      await source.query('INSERT INTO shelves (id) VALUES (1), (2)');
    },
  });

  test('stand in the text one after the other, with their values', () => {
    const table = toTable(sources.fast.getMetadata(Flat));
    const database = toDatabase(sources.fast);

    fc.assert(
      fc.property(lists, (list) => {
        const plans = list.map((body) => planWrite(table.catalog, body, 'insert'));
        const rows = plans.map((plan) => bindEntity(table, newEntity(table, plan)));
        let sql = rows[0]!.template.head;
        let count = 0;

        for (const [index, { template, values }] of rows.entries()) {
          sql += `${index === 0 ? '' : ', '}${withPlaceholders(database, template.row, count)}`;
          count += values.length;
        }

        expect(insertSql(database, rows)).toStrictEqual({ sql, parameters: rows.flatMap(({ values }) => values) });
      }),
      { numRuns: 100 },
    );
  });

  test('are stored and answered as the plain way does', async () => {
    await fc.assert(
      fc.asyncProperty(lists, async (bulk) => {
        const answers = await Promise.all(
          WAYS.map(async (way) => {
            const made = await serviceOf(way, Flat).createMany(REQUEST, { bulk });

            return made.map((record) => ({ ...record, id: 0, createdAt: 0, updatedAt: 0 }));
          }),
        );

        expect(answers[0]).toStrictEqual(answers[1]);
      }),
      { numRuns: 15 },
    );
  });

  test('any number of rows stand in the text one after the other', () => {
    const database = toDatabase(sources.fast);
    const table = toTable(sources.fast.getMetadata(Flat));
    const { template } = bindEntity(table, Object.assign(new Flat(), { label: 'a', whole: 1 }));

    for (const length of [7, 250, 3, 100, 101, 99]) {
      const rows = Array.from({ length }, () => template);
      const places = rows.map(({ row, columns }, index) => withPlaceholders(database, row, index * columns.length));

      expect(insertText(database, rows)).toBe(template.head + places.join(', '));
    }
  });

  test.each([
    ['CRUD_UNIQUE_VIOLATION', 'bulk.2.label', [{ label: 'a' }, { label: 'b', whole: 1 }, { label: 'a' }]],
    ['CRUD_FOREIGN_KEY_VIOLATION', 'bulk.1.shelfId', [{ shelfId: 1 }, { shelfId: 7 }]],
  ])('the database is asked for what is wrong with which record: %s', async (code, field, bulk) => {
    await expect(serviceOf('fast', Flat).createMany(REQUEST, { bulk })).rejects.toMatchObject({
      response: { code, field },
    });
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
