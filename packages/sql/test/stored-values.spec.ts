/** Values of conditions → what is bound for them; and parts of catalogs → the tables and columns that store them; and texts and numbers as JSON, as long as nobody has changed how built-in values print. */
import { expect, test } from '@jest/globals';
import type { Catalog } from '@nestwright/crud/adapter';
import { getColumn, linkColumn, linkTable, POSTGRES, SQLITE } from '@nestwright/sql';
import { getCatalog, getCatalogColumn } from '../src/database/links.js';
import { numberJson, printsNatively, textJson } from '../src/json/text.js';
import { earliestText, storedValue } from '../src/select/values.js';
import { RESET } from '../src/statements/changes.js';
import { differencePredicate } from '../src/statements/difference.js';
import { keyText } from '../src/statements/values.js';
import { textBytes } from '../src/weight.js';
import { makeDatabase } from './bare-database.js';
import { describeTable, TEXT } from './bare-tables.js';
import { of } from './dialect-columns.js';

const database = makeDatabase(SQLITE);
const array = { kind: 'array', type: 'text' } as const;
const encode = (value: unknown) => {
  if (value === 'bad') throw new Error('bad');
  return value === 'list' ? [] : [typeof value, value].join(' ');
};
const notes = describeTable(database, 'Note', 'notes', {
  tags: array,
  roles: { ...array, catalog: { elementKind: 'enum' } },
  price: { kind: 'decimal', type: 'decimal', encode },
  number: { kind: 'decimal', type: 'decimal', encode, catalog: { transformed: true } },
  label: { kind: 'text', type: 'varchar', encode, catalog: { transformed: true } },
});
const store = (name: string, value: unknown) => storedValue(database, notes.catalog.columns.get(name)!, value);

test.each([
  ['tags', 5, 5],
  ['roles', 5, '5'],
  ['price', '1.50', 'string 1.50'],
  ['price', 'list', []],
  ['number', '1.50', 'number 1.5'],
  ['number', 'x', 'string x'],
  ['number', 2n, 'bigint 2'],
  ['label', '1.50', 'string 1.50'],
])('of %s, %j is bound as %j', (name, value, bound) => expect(store(name, value)).toStrictEqual(bound));

test.each([
  ['price', 'bad', true],
  ['label', 'bad', true],
  ['label', 'list', false],
])('of %s, %j is refused', (field, value, isThrown) => {
  const response = expect.objectContaining({ statusCode: 400, code: 'CRUD_INVALID_VALUE', field });
  const cause = isThrown ? new Error('bad') : undefined;
  expect(() => store(field, value)).toThrow(expect.objectContaining({ response, cause }));
});

test('equal keys have one text, and others another', () => {
  const at = (milliseconds: number) => [new Date(milliseconds)];
  const keys = [at(1), at(2), [1], [10], [Uint8Array.of(1)], [1, 0]];
  expect(new Set(keys.map(keyText)).size).toBe(keys.length);
  expect(keyText([5n])).toBe(keyText(['5']));
});

test('a moment that is stored as text may lack its milliseconds if they are zero', () => {
  const moments = ['10:00:00.000', '10:00:00.001', '10:00.000:00', 5, null];
  expect(moments.map(earliestText)).toEqual(['10:00:00', ...moments.slice(1)]);
});

test('the declared catalog of a table is taken beside that of another', () => {
  const [one, other] = ['a', 'b'].map((name) => describeTable(database, 'Note', name, { a: array }));
  const declared: Catalog = { ...one!.catalog, model: 'declared' };
  Object.assign(one!.catalog, { declared });
  linkTable(declared, one!);
  const models = [undefined, other!.catalog, declared].map((beside) => getCatalog(one!, beside).model);
  expect(models).toEqual(['Note', 'Note', 'declared']);
  expect(getCatalog(other!, declared)).toBe(other!.catalog);

  const column = getColumn(one!.catalog.columns.get('a')!);
  const declaredColumn = of('text');
  expect(getCatalogColumn(column, declared)).toBe(column.catalogColumn);
  Object.assign(column.catalogColumn, { declared: declaredColumn });
  expect([undefined, declared].map((beside) => getCatalogColumn(column, beside).kind)).toEqual(['array', 'text']);
  expect(() => getColumn(declaredColumn)).toThrow('This catalog was not made by the adapter of the store');
  linkColumn(declaredColumn, column);
  expect(getColumn(declaredColumn)).toBe(column);
});

test('a change whose every column can be compared writes nothing where nothing differs', () => {
  const described = { name: TEXT, note: TEXT, at: { kind: 'binary', type: 'geometry' } } as const;
  const places = describeTable(makeDatabase(POSTGRES), 'Place', 'places', described);
  const compares = (names: string[], value: unknown = 'x') => {
    const changed = places.columns.filter(({ propertyName }) => names.includes(propertyName));
    return differencePredicate(new Map(changed.map((one) => [one, value])))?.values;
  };
  expect([compares(['name', 'note']), compares(['name'], RESET)]).toEqual([['x', 'x'], []]);
  expect([[], ['at'], ['name', 'at']].map((names) => compares(names))).toEqual([undefined, undefined, undefined]);
});

test('texts and numbers are printed as JSON.stringify prints them', () => {
  const characters = ['', 'a', '"', '\\', '/', '\0', '\n', '\u001f', ' ', '\u007f', 'é', '\u2028', '\ud7ff', '\ue000'];
  const surrogates = ['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d\ude00'];
  const texts = [...characters, ...surrogates].flatMap((one) => [one, `a${one}b`, one + 'a'.repeat(50)]);
  expect(texts.map(textJson)).toEqual(texts.map((text) => JSON.stringify(text)));
  const numbers = [0, -0, -1e21, NaN, -Infinity];
  expect(numbers.map(numberJson)).toEqual(numbers.map((number) => JSON.stringify(number)));
});

test.each([
  [Date, 'toISOString'],
  ...[Date, String, Number, Boolean, Array, Object].map((type) => [type, 'toJSON'] as const),
] as const)('%p with another %s is noticed, as long as it has it', ({ prototype: holder }, name) => {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  const natively = [printsNatively()];
  Object.defineProperty(holder, name, { value: () => 'x', configurable: true });
  natively.push(printsNatively());
  if (before) Object.defineProperty(holder, name, before);
  else Reflect.deleteProperty(holder, name);
  natively.push(printsNatively());
  expect(natively).toEqual([true, false, true]);
});

test('a text takes two bytes for each character as soon as one of them needs them', () => {
  expect(['', 'abc', 'abé'].map(textBytes)).toEqual([24, 27, 30]);
});
