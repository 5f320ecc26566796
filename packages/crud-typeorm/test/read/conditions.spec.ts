/** Conditions → the rows that a filter in memory finds: every operator on every kind of column, keys of documents, texts of numbers. */
import { expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { count, read } from '../../../sql/src/select/index.js';
import { asNumber, Author, ENTITIES } from './entities.js';
import { type AuthorRow, AUTHORS, library, planOf, requestOf } from './library.js';
import { toDatabase } from '../../src/typeorm/database.js';

type Matches = (row: AuthorRow) => boolean;

/** Whether a value is there and fulfils a condition: no condition but that for null matches null. */
const has = <T>(value: T | null, matches: (value: T) => boolean): boolean => value !== null && matches(value);
const key = (row: AuthorRow, name: string): unknown => (row.settings as Record<string, unknown> | null)?.[name] ?? null;
const lower = (name: string | null) => name?.toLowerCase() ?? null;
const CASES: readonly (readonly [title: string, search: SCondition, matches: Matches])[] = [
  ['text eq is exact', { name: { $eq: 'anna' } }, ({ name }) => name === 'anna'],
  ['text ne is exact, without nulls', { name: { $ne: 'anna' } }, ({ name }) => has(name, (text) => text !== 'anna')],
  ['text eq keeps trailing blanks', { name: { $eq: 'anna ' } }, ({ name }) => name === 'anna '],
  ['text eq keeps trailing zeros', { name: { $eq: 'anna.000' } }, () => false],
  ['text eq of the empty text', { name: { $eq: '' } }, ({ name }) => name === ''],
  ['text eqL folds case', { name: { $eqL: 'ANNA' } }, ({ name }) => lower(name) === 'anna'],
  ['text neL', { name: { $neL: 'ANNA' } }, ({ name }) => has(lower(name), (text) => text !== 'anna')],
  ['text in is exact', { name: { $in: ['Anna', 'anna ', 'nobody'] } }, ({ id }) => id === 1 || id === 3],
  ['text notin', { name: { $notin: ['Anna', ''] } }, ({ name }) => has(name, (text) => text !== 'Anna' && text !== '')],
  ['text inL', { name: { $inL: ['ANNA', 'x'] } }, ({ name }) => lower(name) === 'anna'],
  ['text notinL', { name: { $notinL: ['ANNA', 'x', 'y'] } }, ({ name }) => has(lower(name), (text) => text !== 'anna')],
  ['text starts', { name: { $starts: 'ann' } }, ({ name }) => has(name, (text) => text.startsWith('ann'))],
  ['text startsL', { name: { $startsL: 'ANN' } }, ({ name }) => has(lower(name), (text) => text.startsWith('ann'))],
  ['text ends', { name: { $ends: 'na ' } }, ({ name }) => has(name, (text) => text.endsWith('na '))],
  ['text cont of quotes', { name: { $cont: "O'N" } }, ({ id }) => id === 5],
  ['text cont of a backslash', { name: { $cont: '\\' } }, ({ id }) => id === 5],
  ['text cont beyond ASCII', { name: { $cont: '漢' } }, ({ id }) => id === 7],
  ['text cont is exact', { name: { $cont: 'NN' } }, () => false],
  ['text excl', { name: { $excl: 'nn' } }, ({ name }) => has(name, (text) => !text.includes('nn'))],
  ['text exclL', { name: { $exclL: 'NN' } }, ({ name }) => has(lower(name), (text) => !text.includes('nn'))],
  ['percent is literal', { 'label.long': { $cont: '%' } }, ({ id }) => id === 1],
  ['underscore is literal', { 'label.long': { $cont: 'r_s' } }, ({ id }) => id === 2],
  ['underscore is no wildcard', { 'label.long': { $cont: 'he_' } }, () => false],
  ['star, question mark and bracket are literal', { 'label.long': { $starts: 'a*b?c[' } }, ({ id }) => id === 4],
  ['star is no wildcard', { 'label.long': { $starts: '*' } }, () => false],
  ['the escape character is literal', { 'label.long': { $starts: '!b' } }, ({ id }) => id === 5],
  ['embedded column', { 'label.short': { $eq: 'AN' } }, ({ id }) => id === 2],
  ['isnull', { name: { $isnull: true } }, ({ name }) => name === null],
  ['notnull', { name: { $notnull: true } }, ({ name }) => name !== null],
  ['integer between', { id: { $between: [2, 4] } }, ({ id }) => id >= 2 && id <= 4],
  ['integer in', { id: { $in: [1, 3, 99] } }, ({ id }) => id === 1 || id === 3],
  ['integer cont is of its text', { id: { $cont: '1' } }, ({ id }) => String(id).includes('1')],
  ['float gt', { score: { $gt: 1.5 } }, ({ score }) => has(score, (value) => value > 1.5)],
  ['float eq', { score: { $eq: 10 } }, ({ score }) => score === 10],
  ['float starts is of its text', { score: { $starts: '10' } }, ({ score }) => `${score}`.startsWith('10')],
  ['float ends is of its text', { score: { $ends: '0' } }, ({ score }) => `${score}`.endsWith('0')],
  ['decimal eq', { balance: { $eq: '10.50' } }, ({ balance }) => balance === 10.5],
  ['decimal compares as a number', { balance: { $lt: '9' } }, ({ balance }) => has(balance, (value) => value < 9)],
  ['decimal in', { balance: { $in: ['10.0', '100'] } }, ({ balance }) => balance === 10 || balance === 100],
  ['decimal text', { balance: { $ends: '0' } }, ({ balance }) => has(balance, (value) => String(value).endsWith('0'))],
  ['bigint eq keeps all digits', { big: { $eq: '9007199254740993' } }, ({ id }) => id === 1],
  ['bigint gt keeps all digits', { big: { $gt: '9007199254740992' } }, ({ id }) => id === 1],
  ['bigint in', { big: { $in: ['9007199254740992', '-5'] } }, ({ id }) => id === 2 || id === 3],
  ['bigint starts', { big: { $starts: '90' } }, ({ big }) => has(big, (value) => value.startsWith('90'))],
  ['boolean eq', { active: { $eq: false } }, ({ active }) => !active],
  ['boolean ne', { active: { $ne: false } }, ({ active }) => active],
  ['boolean in', { active: { $in: [true] } }, ({ active }) => active],
  ['enum eq', { role: { $eq: 'critic' } }, ({ role }) => role === 'critic'],
  ['enum in', { role: { $in: ['critic'] } }, ({ role }) => role === 'critic'],
  ['enum cont', { role: { $cont: 'oe' } }, ({ role }) => role.includes('oe')],
  ['enum contL', { role: { $contL: 'OE' } }, ({ role }) => role.includes('oe')],
  ['date eq', { born: { $eq: '1990-03-01' } }, ({ born }) => born === '1990-03-01'],
  ['date between', { born: { $between: ['1990-01-01', '1990-02-28'] } }, ({ id }) => id === 1],
  ['date in', { born: { $in: ['1990-03-01', '2000-01-01'] } }, ({ id }) => id === 2 || id === 3],
  ['time gt', { wakes: { $gt: '06:30:00' } }, ({ id }) => id === 2],
  ['moment eq', { seenAt: { $eq: '2024-05-01T10:00:00Z' } }, ({ id }) => id === 1 || id === 7],
  ['moment ne', { seenAt: { $ne: '2024-05-01T10:00:00Z' } }, ({ id }) => id === 2 || id === 3],
  ['moment gt', { seenAt: { $gt: '2024-05-01T10:00:00Z' } }, ({ id }) => id === 2],
  ['moment gte with an offset', { seenAt: { $gte: '2024-05-01T12:00:00+02:00' } }, ({ id }) => [1, 2, 7].includes(id)],
  ['moment lt', { seenAt: { $lt: '2024-05-01' } }, ({ id }) => id === 3],
  [
    'moment in',
    { seenAt: { $in: ['2024-05-01T10:00:00.001Z', '2024-04-30T23:59:59.999Z'] } },
    ({ id }) => [2, 3].includes(id),
  ],
  ['moment notin', { seenAt: { $notin: ['2024-05-01T10:00:00Z'] } }, ({ id }) => id === 2 || id === 3],
  ['array has all', { tags: { $contArr: ['b', 'a'] } }, ({ id }) => id === 1],
  ['array has any', { tags: { $intersectsArr: ['a', 'c d'] } }, ({ id }) => id === 1 || id === 4],
  ['array items are whole', { tags: { $contArr: ['c'] } }, () => false],
  ['array is null', { tags: { $isnull: true } }, ({ tags }) => tags === null],
  ['not of an array, without nulls', { $not: { tags: { $contArr: ['b'] } } }, ({ id }) => id === 3 || id === 4],
  ['json text eq is exact', { 'settings.theme': { $eq: 'dark' } }, (row) => key(row, 'theme') === 'dark'],
  ['json text eqL', { 'settings.theme': { $eqL: 'DARK' } }, (row) => lower(key(row, 'theme') as string) === 'dark'],
  ['json text in', { 'settings.theme': { $in: ['dark', 'x'] } }, (row) => key(row, 'theme') === 'dark'],
  ['json number gt is of numbers', { 'settings.size': { $gt: 9 } }, ({ id }) => id === 1 || id === 7],
  ['json number eq', { 'settings.size': { $eq: 10 } }, (row) => key(row, 'size') === 10],
  ['json number in', { 'settings.size': { $in: [2, 9.5] } }, ({ id }) => id === 2 || id === 7],
  ['json boolean eq', { 'settings.on': { $eq: true } }, (row) => key(row, 'on') === true],
  ['json boolean ne', { 'settings.on': { $ne: true } }, (row) => key(row, 'on') === false],
  ['json null and missing are null', { 'settings.theme': { $isnull: true } }, (row) => key(row, 'theme') === null],
  ['json notnull', { 'settings.list': { $notnull: true } }, (row) => key(row, 'list') !== null],
  ['json deep', { 'settings.deep.key': { $eq: 'x' } }, ({ id }) => id === 1],
  ['json cont of a number', { 'settings.size': { $cont: '10' } }, ({ id }) => id === 1 || id === 5],
  ['json key with quotes and backslash', { 'settings.a"b\\': { $isnull: true } }, () => true],
  ['json key that looks like a path', { 'settings.$[0]': { $isnull: true } }, () => true],
  ['json places of an array are no keys', { 'settings.list.0': { $isnull: true } }, () => true],
  ['not', { $not: { name: { $eq: 'anna' } } }, ({ name }) => has(name, (text) => text !== 'anna')],
  ['or', { $or: [{ id: 1 }, { name: '10' }] }, ({ id }) => id === 1 || id === 8],
  ['nothing', { $or: [] }, () => false],
  ['an undefined value', { $not: { id: { $eq: undefined } } } as SCondition, () => false],
  ['to-one', { 'country.name': { $eq: 'Germany' } }, ({ country }) => country === 'de'],
  ['to-one that is soft-deleted', { 'country.name': { $isnull: true } }, ({ country }) => !country || country === 'xx'],
  ['to-one of to-one', { 'mentor.country.code': { $eq: 'de' } }, ({ mentor }) => mentor === 1],
  ['to-one inverse', { 'desk.wood': { $eq: 'oak' } }, ({ id }) => id === 1],
];

/** A document with an odd key. */
@Entity()
class Sheet {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'simple-json', nullable: true }) note!: unknown;
}

const KEYS = [
  ...['plain', 'with blank', 'it"s', '"quoted"', '"', 'back\\slash', '\\', '\\"', "apo'strophe", 'new\nline', 'tab\t'],
  ...'\u0001 ключ 🔑 é 0 a-1 [0] $ * ** %_ a:b a/b {} ? :p0 $1 last #-1 constructor json_step0'.split(' '),
];

@Entity()
class Reading {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'double precision' }) value!: number;
  @Column({ type: 'decimal', precision: 60, scale: 20, transformer: asNumber }) mapped!: number;
  @Column({ type: 'simple-json' }) doc!: { value: number };
}

const VALUES = [
  ...[1e-7, 1.5e-10, 0.000001, 0.00001, 0.0000012345, 9.5e-7, 0.5, 0, -0.25, 0.1, 1 / 3, 0.30000000000000004, 12, 100],
  ...[1e15, 1234567890123456.8, -123456789012345680, 2 ** 60, 45141538835387180, 9007199254740991, 1e20, 1e21, 1e23],
  ...[1.5e21, -1.5e300, 1.7976931348623157e308, -1e-7, 123e-20],
];

/** What a decimal column of 20 places keeps. */
const KEPT = VALUES.filter((value) => value === 0 || (Math.abs(value) > 1e-15 && Math.abs(value) < 1e22));

describeDatabases('conditions', (db) => {
  const own = library(db, { entities: [...ENTITIES, Sheet, Reading] }, async ({ manager }) => {
    const notes = KEYS.flatMap((key, index) => [
      { [key]: `text ${index}` },
      { [key]: { [key]: { inner: index } } },
      { [key]: { [key]: index % 2 === 0 } },
      { [key]: null },
    ]);
    const sheets = [...notes, ['array', { plain: 'x' }], 'text', null].map((note, id) => ({ id, note }));
    await manager.insert(Sheet, sheets as never);
    const mapped = (value: number) => (KEPT.includes(value) ? value : 0);
    const readings = VALUES.map((value, id) => ({ id, value, mapped: mapped(value), doc: { value } }));
    await manager.insert(Reading, readings);
  });

  const find = <T extends object>(entity: new () => T, search: object) =>
    read<T>(planOf(own.source, entity, requestOf({ search: search as SCondition })), toDatabase(own.source));
  const notesWhere = async (search: object) => (await find(Sheet, search)).map(({ id }) => id);
  const valuesWhere = async (search: object) => (await find(Reading, search)).map(({ value }) => value);

  test.each(CASES)('%s', async (_, search, matches) => {
    const expected = AUTHORS.filter(matches).map(({ id }) => id);
    const plan = () => planOf(own.source, Author, requestOf({ search }));
    expect((await find(Author, search)).map(({ id }) => id)).toEqual(expected);
    expect(await count(plan(), toDatabase(own.source))).toBe(expected.length);
  });

  test('every record has the values that were stored, without what is not selected', async () => {
    const found = await find(Author, {});
    expect(found).toEqual(AUTHORS.map(({ country: _country, mentor: _mentor, ...row }) => row));
    expect(found[0]).toBeInstanceOf(Author);
  });

  test.each(KEYS.map((key, index) => [JSON.stringify(key), key, index] as const))('%s', async (_, key, index) => {
    const [text, inner, flag] = [4 * index, 4 * index + 1, 4 * index + 2];
    expect(await notesWhere({ [`note.${key}`]: { $eq: `text ${index}` } })).toEqual([text]);
    expect(await notesWhere({ [`note.${key}.${key}.inner`]: { $gte: index, $lte: index } })).toEqual([inner]);
    expect(await notesWhere({ [`note.${key}.${key}`]: { $eq: index % 2 === 0 } })).toEqual([flag]);
    expect(await notesWhere({ [`note.${key}`]: { $notnull: true } })).toEqual([text, inner, flag]);
    expect(await notesWhere({ [`note.${key}.${key}`]: { $notnull: true } })).toEqual([inner, flag]);
  });

  // MariaDB's paths know no such key, however it is quoted: docs/databases.md says so.
  if (db.kind !== 'mysql') {
    test('a key that begins with a minus sign', async () => {
      await own.source.getRepository(Sheet).insert({ id: 9101, note: { '-a': 'minus' } } as never);
      expect(await notesWhere({ 'note.-a': { $eq: 'minus' } })).toEqual([9101]);
    });
  }

  test.each([
    ['value', VALUES],
    ['doc.value', VALUES],
    ['mapped', KEPT],
  ])('%s is found by its own text and no other', async (path, values) => {
    for (const value of values) {
      const text = JSON.stringify(value);
      const search = { $and: [{ [path]: { $starts: text } }, { [path]: { $ends: text } }] };
      const found = await valuesWhere(search);
      // Where a decimal cannot keep a value, the record has 0.
      expect([text, found.filter((one) => path !== 'mapped' || KEPT.includes(one))]).toEqual([text, [value]]);
    }
  });

  test('texts of a document compare with the text that JSON prints of its numbers', async () => {
    expect(await valuesWhere({ 'doc.value': '1e-7' })).toEqual([1e-7]);
    expect(await valuesWhere({ 'doc.value': { $in: ['1e+21', '0.5'] } })).toEqual([0.5, 1e21]);
    expect(await valuesWhere({ 'doc.value': { $cont: 'e+2' } })).toEqual([1e21, 1e23, 1.5e21]);
    const small = [1e-7, 1.5e-10, 9.5e-7, -1e-7, 123e-20];
    expect(await valuesWhere({ value: { $cont: 'e-' } })).toEqual(small);
  });

  if (db.kind === 'sqlite') {
    test('equal moments are found with and without milliseconds in their texts', async () => {
      await own.source.query(`UPDATE authors SET seenAt = '2024-05-01 10:00:00' WHERE id = 7`);
      const at = '2024-05-01T10:00:00Z';
      const idsAt = async (operator: string, value: unknown = at) =>
        (await find(Author, { seenAt: { [operator]: value } })).map(({ id }) => id);
      for (const [operator, value] of [
        ['$eq', at],
        ['$in', [at]],
        ['$between', [at, at]],
      ] as const)
        expect([operator, await idsAt(operator, value)]).toEqual([operator, [1, 7]]);

      expect([await idsAt('$ne'), await idsAt('$notin', [at])]).toEqual([
        [2, 3],
        [2, 3],
      ]);
      expect([await idsAt('$gt'), await idsAt('$gte')]).toEqual([[2], [1, 2, 7]]);
      expect([await idsAt('$lt'), await idsAt('$lte')]).toEqual([[3], [1, 3, 7]]);
    });
  }
});
