/** Conditions → the rows that a filter in memory would find: every operator on every kind of column, keys of documents, texts of numbers. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import { Column, type ColumnType, Entity, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { count, read } from '../../../sql/src/select/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { requestOf as requestBy } from '../support/requests.js';
import { connecting } from '../support/connecting.js';
import { Author, ENTITIES, library, planOf, requestOf } from './library.js';

/** Conditions on authors, and the ids of those that they find. */
const CASES: readonly (readonly [search: SCondition, ids: readonly number[]])[] = [
  // Texts are compared exactly, with case, blanks and zeros. No condition but that for null matches null.
  [{ name: { $eq: 'anna' } }, [2]],
  [{ name: { $eq: 'anna ' } }, [3]],
  [{ name: { $in: ['Anna', 'anna ', 'nobody'] } }, [1, 3]],
  [{ name: { $notinL: ['ANNA', 'x', 'y'] } }, [3, 4, 5, 7, 8]],
  [{ name: { $cont: 'NN' } }, []],
  // Nothing in a text is a pattern.
  [{ 'label.long': { $cont: '%' } }, [1]],
  [{ 'label.long': { $cont: 'r_s' } }, [2]],
  [{ 'label.long': { $starts: 'a*b?c[' } }, [4]],
  [{ 'label.long': { $starts: '!b' } }, [5]],
  [{ name: { $cont: '\\' } }, [5]],
  [{ score: { $starts: '10' } }, [2, 7]],
  // Decimals compare as numbers, long integers with all their digits.
  [{ balance: { $lt: '9' } }, [3]],
  [{ big: { $gt: '9007199254740992' } }, [1]],
  [{ big: { $in: ['9007199254740992', '-5'] } }, [2, 3]],
  [{ seenAt: { $gte: '2024-05-02T09:00:00+23:00' } }, [1, 2, 8]],
  [{ seenAt: { $in: ['2024-05-01T10:00:00.001Z', '2024-04-30T23:59:59.999Z'] } }, [2, 3]],
  [{ tags: { $contArr: ['b', 'a'] } }, [1]],
  [{ tags: { $intersectsArr: ['a', 'c d'] } }, [1, 4]],
  [{ $not: { tags: { $contArr: ['b'] } } }, [3, 4]],
  // A text of a document is no number.
  [{ 'settings.size': { $gt: 9 } }, [1, 7]],
  [{ 'settings.size': { $in: [2, 9.5] } }, [2, 7]],
  // To-one relations; one that is soft-deleted is none.
  [{ 'country.name': { $isnull: true } }, [4, 5, 7, 8]],
  [{ 'mentor.country.code': { $eq: 'de' } }, [2, 3]],
];

const backwards = (text: string) => [...text].reverse().join('');

@Entity()
class Reading {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'double precision' }) value!: number;
  @Column({ type: 'simple-json' }) doc!: { value: number };
  @Column({ type: 'varchar', length: 30, transformer: { from: backwards, to: backwards } }) spelt!: string;
}

const VALUES = [
  ...[1e-7, 1.5e-10, 0.000001, 0.00001, 0.0000012345, 9.5e-7, 0.5, 0, -0.25, 0.1, 1 / 3, 0.30000000000000004, 12, 100],
  ...[1e15, 1234567890123456.8, -123456789012345680, 2 ** 60, 45141538835387180, 9007199254740991, 1e20, 1e21, 1e23],
  ...[1.5e21, -1.5e300, 1.7976931348623157e308, -1e-7, 123e-20],
];

describeDatabases('conditions', (db) => {
  const own = library(db, { entities: [...ENTITIES, Reading] }, async ({ manager }) => {
    const readings = VALUES.map((value, id) => ({ id, value, doc: { value }, spelt: `${value}` }));
    await manager.insert(Reading, readings);
  });

  const find = <T extends object>(entity: new () => T, search: object) =>
    read<T>(planOf(own.source, entity, requestOf({ search: search as SCondition })), toDatabase(own.source));
  const valuesWhere = async (search: object) => (await find(Reading, search)).map(({ value }) => value);

  test.each(CASES)('%j', async (search, expected) => {
    expect((await find(Author, search)).map(({ id }) => id)).toEqual(expected);
    const plan = planOf(own.source, Author, requestOf({ search }));
    expect(await count(plan, toDatabase(own.source))).toBe(expected.length);
  });

  test.each(['value', 'doc.value'])('%s is found by its own text and no other', async (path) => {
    for (const value of VALUES) {
      const text = JSON.stringify(value);
      const found = await valuesWhere({ $and: [{ [path]: { $starts: text } }, { [path]: { $ends: text } }] });
      expect([text, found]).toEqual([text, [value]]);
    }
  });

  test('texts that a transformer stores compare as it stores them', async () => {
    expect(await valuesWhere({ spelt: '12' })).toEqual([12]);
    expect(await valuesWhere({ spelt: { $in: ['0.5', '5.0'] } })).toEqual([0.5]);
  });

  test('texts of a document compare with the text that JSON prints of its numbers', async () => {
    expect(await valuesWhere({ 'doc.value': '1e-7' })).toEqual([1e-7]);
    expect(await valuesWhere({ 'doc.value': { $in: ['1e+21', '0.5'] } })).toEqual([0.5, 1e21]);
    expect(await valuesWhere({ value: { $cont: 'e-' } })).toEqual([1e-7, 1.5e-10, 9.5e-7, -1e-7, 123e-20]);
  });

  if (db.kind === 'sqlite') {
    test('equal moments are found with and without milliseconds in their texts', async () => {
      await own.source.query(`UPDATE authors SET seenAt = '2024-05-01 10:00:00' WHERE id = 8`);
      const at = '2024-05-01T10:00:00Z';
      for (const [operator, ids] of Object.entries({ $eq: [1, 8], $ne: [2, 3], $gt: [2], $gte: [1, 2, 8], $lt: [3] })) {
        const found = await find(Author, { seenAt: { [operator]: at } });
        expect([operator, found.map(({ id }) => id)]).toEqual([operator, ids]);
      }
    });
  }
});

const JSON_TYPES: Record<DatabaseKind, ColumnType[]> = {
  sqlite: ['simple-json'],
  postgres: ['simple-json', 'json', 'jsonb'],
  mysql: ['simple-json', 'json'],
};

/** Records by their id. */
const DOCUMENTS = [
  {},
  { list: ['a', 'b', 5, true, { name: 'x' }, ['deep']] },
  { list: { 0: 'a', 1: 'b', 4: { name: 'x' } } },
  { 'list.0': 'a', 'list.4.name': 'x', 'list[0]': 'a' },
  { list: 'a', word: 'Dark' },
  ['a', { name: 'x' }],
  { list: null, word: 'dark' },
  'text',
];

const KEYS = [
  ...['plain', 'with blank', 'it"s', '"quoted"', '"', 'back\\slash', '\\', '\\"', "apo'strophe", 'new\nline', 'tab\t'],
  ...'\u0001 ключ 🔑 é 0 a-1 [0] $ * ** %_ a:b a/b {} ? :p0 $1 last #-1 constructor json_step0 -a'.split(' '),
];

describeDatabases('documents', (db) => {
  // MariaDB's paths know no key that begins with a minus sign, however it is quoted: docs/databases.md says so.
  const keys = KEYS.filter((key) => db.kind !== 'mysql' || key !== '-a');

  describe.each(JSON_TYPES[db.kind])('in a column of type %s', (type) => {
    @Entity(`sheets_${String(type).replace('-', '_')}`)
    class Sheet {
      @PrimaryColumn({ type: 'int' }) id!: number;
      @Column({ type, nullable: true }) doc!: unknown;
      @ManyToOne(() => Sheet, { nullable: true }) above!: Relation<Sheet> | null;
    }

    const source = connecting(db, [Sheet]);
    const find = async (search: object) => {
      const plan = planOf(source, Sheet, requestOf({ search: search as SCondition }));
      return (await read<Sheet>(plan, toDatabase(source))).map(({ id }) => id);
    };

    beforeAll(async () => {
      const notes = keys.flatMap((key, index) => [
        { [key]: `text ${index}` },
        { [key]: { [key]: { inner: index } } },
        { [key]: { [key]: index % 2 === 0 } },
        { [key]: null },
      ]);
      for (const [id, doc] of DOCUMENTS.entries())
        await source.manager.insert(Sheet, { id, doc, above: id > 1 ? { id: id - 1 } : null } as never);
      const records = notes.map((doc, index) => ({ id: 100 + index, doc }));
      await source.manager.insert(Sheet, records as never);
    });

    test.each<[SCondition, number[]]>([
      // A number is a key like any other; it is no place in a list.
      [{ 'doc.list.0': 'a' }, [2]],
      [{ 'above.doc.list.4.name': { $cont: 'x' } }, [3]],
      // Brackets are part of a key, and a dot always stands between two keys.
      [{ 'doc.list[0]': 'a' }, [3]],
      [{ 'doc."list.0"': { $notnull: true } }, []],
      // Lists and objects are there, and nothing compares with them.
      [{ 'doc.list': { $isnull: true }, id: { $lt: 10 } }, [0, 3, 5, 6, 7]],
      [{ 'doc.list': { $cont: 'a' } }, [4]],
      // Texts that differ in case alone are in an order.
      [{ $or: [{ 'doc.word': { $lt: 'dark' } }, { 'doc.word': { $gt: 'dark' } }] }, [4]],
    ])('%j', async (search, expected) => expect(await find(search)).toEqual(expected));

    test('are found by keys of any characters', async () => {
      for (const [index, key] of keys.entries()) {
        const [text, inner, flag] = [0, 1, 2].map((one) => 100 + 4 * index + one);
        const searches = [
          { [`doc.${key}`]: `text ${index}` },
          { [`doc.${key}.${key}.inner`]: { $gte: index, $lte: index } },
          { [`doc.${key}.${key}`]: index % 2 === 0 },
          { [`doc.${key}`]: { $notnull: true }, id: { $gte: 100 } },
        ];
        const found = await Promise.all(searches.map(find));
        expect([key, ...found]).toEqual([key, [text], [inner], [flag], [text, inner, flag]]);
      }
    });

    test('are nested as deep as conditions reach, which is 63 keys, or refused', async () => {
      // MariaDB finds nothing in deeper ones.
      const deepest = db.kind === 'mysql' ? 31 : 1000;
      const service = new TypeOrmCrudService(source.getRepository(Sheet));
      const nested = (levels: number) => JSON.parse(`${'{"k":'.repeat(levels)}"x"${'}'.repeat(levels)}`) as object;
      const create = (id: number, doc: object) => service.createOne(requestBy(), { id, doc });
      const path = (keys: number) => `doc.${Array(keys).fill('k').join('.')}`;
      const message = [`doc must be nested at most ${deepest} levels deep`];
      await expect(create(20, { list: [nested(deepest)] })).rejects.toMatchObject({
        response: { code: 'CRUD_VALUE_OUT_OF_RANGE', message },
      });
      await create(20, nested(deepest));
      expect(await find({ [path(Math.min(deepest, 63))]: { $notnull: true } })).toEqual([20]);
      await expect(find({ [path(64)]: { $notnull: true } })).rejects.toMatchObject({ status: 400 });
    });
  });
});
