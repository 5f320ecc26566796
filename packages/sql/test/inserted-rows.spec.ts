/** Rows that are inserted where statements return none: their keys are those that the counter of SQLite has given them; which unique values are equal, and whose violation an error tells. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Entity, POSTGRES, type Table, withoutTransaction } from '@nestwright/sql';
import { insertRows } from '../src/persist/insert-rows.js';
import { readUniqueViolation, requireDistinct } from '../src/persist/unique-values.js';
import { bindEntity, insertSql } from '../src/statements/insert-text.js';
import { chunks } from '../src/statements/new-entity.js';
import { updateRows } from '../src/statements/update.js';
import { makeDatabase, openBareDatabase } from './bare-database.js';
import { describeTable, KEY, TEXT } from './bare-tables.js';

let database: Awaited<ReturnType<typeof openBareDatabase>>;
let [notes, rates, others]: Table[] = [];
const insert = (table: Table, entities: Entity[]) => {
  const rows = entities.map((entity, at) => ({ entity, path: `bulk.${at}` }));
  return withoutTransaction(database, (connection) => insertRows(connection, table, rows));
};

beforeAll(async () => {
  database = await openBareDatabase(false);
  await database.send('CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)');
  await database.send('CREATE TABLE rates (id INTEGER PRIMARY KEY, percent DECIMAL UNIQUE)');
  notes = describeTable(database, 'Note', 'notes', { id: KEY, title: TEXT });
  const percent = { kind: 'decimal', type: 'decimal', unique: true } as const;
  [rates, others] = ['rates', 'others'].map((name) => describeTable(database, name, name, { id: KEY, percent }));
});

beforeEach(async () => {
  await database.send('DELETE FROM notes');
  await database.send("INSERT INTO notes VALUES (6, 'six')");
});
afterAll(() => database.end());
const stored = async () => (await database.send("SELECT id, title FROM notes WHERE title <> 'six' ORDER BY id")).rows;

test.each<[string, ids: (number | undefined)[], keys: number[]]>([
  ['of one row', [undefined], [7]],
  ['of several rows, in their order', [undefined, undefined, undefined], [7, 8, 9]],
  ['between those that rows bring', [20, undefined, undefined, 30, 31], [20, 21, 22, 30, 31]],
])('the keys %s are known, and stored', async (_, ids, keys) => {
  const entities: Entity[] = ids.map((id, at) => ({ id, title: `t${at}` }));
  await insert(notes!, entities);
  expect(entities.map(({ id }) => id)).toEqual(keys);
  expect(await stored()).toEqual(keys.map((id, at) => ({ id, title: `t${at}` })));
});

test('each insert writes the SQL of its own values as it stands', async () => {
  for (const title of [() => "lower('A')", () => "lower('B')", "lower('C')"]) await insert(notes!, [{ title }]);
  expect((await stored()).map(({ title }) => title)).toEqual(['a', 'b', "lower('C')"]);
});

test('a key that only the database knows is told as the mistake that it is', async () => {
  await database.send("CREATE TABLE codes (code TEXT PRIMARY KEY DEFAULT 'x', title TEXT)");
  const code = { ...TEXT, key: 'given', defaultSql: "'x'" } as const;
  const codes = describeTable(database, 'Code', 'codes', { code, title: TEXT });
  const work = insert(codes, [{ code: 'a' }, {}]);
  await expect(work).rejects.toThrow('Code: the database does not return the key that its default generated');
  // Not where the library makes it.
  const made: Entity = {};
  Object.assign(codes.columns[0]!, { generation: 'uuid' });
  await insert(codes, [made]);
  expect(made['code']).toMatch(/^[\da-f-]{36}$/);
});

test('an INSERT has the parameters of what its rows store, up to a limit, and names the key if they store nothing', () => {
  const numbered = Object.assign(makeDatabase(POSTGRES), { placeholder: (index: number) => `$${index + 1}` });
  const textOf = (isInsert: boolean) => {
    const table = describeTable(numbered, 'Note', 'notes', { id: KEY, title: TEXT });
    Object.assign(table.columns[1]!, { isInsert });
    const rows = ['a', 'b'].map((title) => bindEntity(table, { title }));
    return insertSql(numbered, rows).sql;
  };
  expect(textOf(true)).toBe('INSERT INTO "notes"("title") VALUES ($1), ($2)');
  expect(textOf(false)).toBe('INSERT INTO "notes"("id") VALUES (DEFAULT), (DEFAULT)');
  const columns = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`c${at}`, TEXT]));
  const parts = [...chunks(Array(820).fill(0), describeTable(numbered, 'Wide', 'wide', columns))];
  expect(parts.map(({ length }) => length)).toEqual([819, 1]);
});

test('an UPDATE changes at most 334 records, and none of another class', async () => {
  const [changes, before] = [new Map([[notes!.columns[1]!, 'x']]), database.sent.length];
  const records = Array.from({ length: 335 }, (_, id) => ({ key: { id }, path: '', changes }));
  const update = (table: Table) => withoutTransaction(database, (open) => updateRows(open, table, records, true));
  await update(notes!);
  expect(database.sent.slice(before).map((sql) => /WHERE "id" (IN|=)/.exec(sql)?.[1])).toEqual(['IN', '=']);
  const ofBirds = { ...notes!, discriminatorColumn: notes!.columns[1], parent: notes!, discriminatorValue: 'bird' };
  expect([await update(ofBirds), await update(notes!)]).toEqual([0, 1]);
});

const percentOf = (table: Table) => table.columns.filter(({ propertyName }) => propertyName === 'percent');

test.each<[one: unknown, other: unknown, isEqual: boolean]>([
  ['12.5', '12.50', true],
  [0, '-0.0', true],
  ['2.5', '-2.5', false],
  ['2.5', '2.05', false],
  ['1e2', '1e20', false],
  [null, null, false],
])('%j and %j of two new records are one value: %s', (one, other, isEqual) => {
  const entities = new Map<string, Entity>([one, other].map((percent, at) => [`bulk.${at}`, { percent }]));
  const check = expect(() => requireDistinct(entities, percentOf(rates!)));
  const response = { statusCode: 400, message: ['bulk.1 names the same record as bulk.0'] };
  if (isEqual) check.toThrow(expect.objectContaining({ response: expect.objectContaining(response) }));
  else check.not.toThrow();
});

test('a violation is that of the table whose record is refused', async () => {
  const work = insert(rates!, [{ percent: '1' }, { percent: '1' }]);
  const error: unknown = await work.catch((reason: unknown) => reason);
  const found = readUniqueViolation(error, rates!, percentOf(rates!));
  expect([found?.isConfirmed, [...found!.entities.keys()]]).toEqual([true, ['bulk.0', 'bulk.1']]);
  expect(readUniqueViolation(error, rates!, rates!.primaryColumns)?.isConfirmed).toBe(false);
  expect(readUniqueViolation(error, others!, percentOf(others!))).toBeUndefined();
  expect(readUniqueViolation(new Error('another'), rates!, percentOf(rates!))).toBeUndefined();
});
