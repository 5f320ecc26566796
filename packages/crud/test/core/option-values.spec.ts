/** Values of options → whether they are of the kind that the option takes, how messages show them, and what is made of them; what the reference calls an option's default is what the table of options says. */
import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import type { ParamsOptions } from '@nestwright/crud-request';
import { persistedNames } from '../../src/definition/auth-options.js';
import { hasDefaultKey, mergeOptions } from '../../src/definition/merge-options.js';
import * as kinds from '../../src/definition/option-kinds.js';
import { isPlainObject, isRecord, isSameValue, listEnclosingPaths } from '../../src/definition/plain-objects.js';
import { mergedValidation, readOwnPath, valueAtPath } from '../../src/definition/plain-objects.js';
import { show } from '../../src/definition/wording.js';
import { OPTION_ROWS } from '../support/option-paths.js';

class Named {}
const schema = { '~standard': { version: 1, vendor: 'x', validate: (value: unknown) => ({ value }) } };
const callable = Object.assign(() => undefined, schema);

test.each<[kind: keyof typeof kinds, good: unknown[], bad: unknown[]]>([
  ['BOOLEAN', [true, false], [0, 'true', null]],
  ['TEXTS', [[], ['a', 'b']], ['a', [''], ['a', 5], { length: 0 }]],
  ['IDENTIFIER', ['a', '_B1', 'Z_9'], ['', '1a', 'a b', ' a', 'a-', 'é', 5]],
  ['ENUMERATION', [{}, ['a']], [null, 'a']],
  ['FUNCTION_OR_FALSE', [show, false], [true, {}, undefined]],
  ['CLASS_OR_FALSE', [Named, false], [true, {}, null]],
  ['BODY', [Named, schema, callable], [{}, null, 'a', { '~standard': null }, { '~standard': { validate: 1 } }]],
  ['POSITIVE', [1, 1000], [0, -1, 1.5, '1', Infinity]],
  ['POSITIVE_OR_FALSE', [1, false], [0, true, null]],
  ['DURATION', [0, 500, false], [-1, 0.5, true, '0']],
  ['FILTER', [[], {}, show], ['a', null, 5]],
  ['PIPE_OPTIONS_OR_FALSE', [{}, false], [true, [], 'a']],
  ['VALIDATION_OR_FALSE', [{}, { columns: 'all' }, { columns: 'declared' }, false], [{ columns: 'none' }, [], true]],
  ['FORMATS', [['csv'], ['ndjson', 'csv']], [[], ['json'], ['csv', 'xml'], 'csv']],
  ['ROUTE_NAMES', [[], ['getManyBase', 'countBase']], [['getMany'], 'getManyBase']],
  ['FUNCTIONS', [['count', 'countDistinct', 'sum', 'avg', 'min', 'max'], []], [['median'], 'sum']],
])('%s is told from others', (name, good, bad) => {
  const { holds } = kinds[name] as kinds.Kind;
  expect([good.filter((value) => !holds(value)), bad.filter((value) => holds(value))]).toStrictEqual([[], []]);
});

const loop: { self?: object } = {};
loop.self = loop;

test.each<[unknown, string]>([
  [Named, 'Named'],
  [show, 'a function'],
  [undefined, 'undefined'],
  ['a', '"a"'],
  [{ a: [1, null] }, '{"a":[1,null]}'],
  [loop, 'object'],
])('%p is shown as %s', (value, text) => expect(show(value)).toBe(text));

type User = { id: number; get(name: string): User; team: User; [Symbol.iterator](): Iterator<User> };

test.each<[what: string, (user: User) => unknown, string[]]>([
  ['of the user, and of what its methods return', (user) => ({ a: user.id, b: user.get('x').team.id }), ['a', 'b']],
  ['not, if it is asynchronous', async (user) => ({ a: user.id }), []],
  ['not, if it fails later', () => Promise.reject(new Error('later')), []],
  ['not, if it takes the user for a list', ([user]) => ({ a: user }), []],
])('what persist sets is known by the names %s', (_, persist, names) =>
  expect(persistedNames(persist as never)).toEqual(names),
);

describe('parameters', () => {
  const key = { field: 'id', type: 'number', primary: true } as const;
  const paramsOf = (own: ParamsOptions | undefined, global?: ParamsOptions) =>
    mergeOptions({ model: { type: Named }, params: own }, { params: global }, undefined).params;

  test.each<[own: ParamsOptions | undefined, global: ParamsOptions | undefined, merged: ParamsOptions]>([
    [undefined, undefined, { id: key }],
    [{}, { uid: { primary: true } }, { uid: { field: 'uid', primary: true } }],
    [{ id: { type: 'uuid' } }, undefined, { id: { field: 'id', type: 'uuid', primary: true } }],
    [{ id: { disabled: true } }, undefined, { id: { field: 'id', disabled: true } }],
  ])('%j over %j are %j', (own, global, merged) => {
    expect(paramsOf(own, global)).toEqual(merged);
    expect(hasDefaultKey(paramsOf(own, global))).toBe(merged['id'] === key);
  });
});

test.each<[level: object | false | undefined, over: object | false | undefined, merged: object | false]>([
  [{ a: 1 }, { b: 2 }, { a: 1, b: 2 }],
  [{ a: 1 }, false, false],
  [false, { b: 2 }, { b: 2 }],
])('validation %j under %j is %j', (level, over, merged) => expect(mergedValidation(level, over)).toEqual(merged));

const day = (milliseconds: number) => new Date(milliseconds);

test.each<[one: unknown, same: unknown[], others: unknown[]]>([
  [day(1), [day(1)], [day(2), 1, { getTime: () => 1 }]],
  [[1, [2]], [[1, [2]]], [[1], [1, [2], 3], [1, [3]], { 0: 1, 1: [2], length: 2 }]],
  [{ a: { b: 1 } }, [{ a: { b: 1 } }], [{ a: { b: 2 } }, { c: { b: 1 } }, { a: { b: 1 }, c: 2 }, {}, null, [1]]],
  [{ a: undefined }, [{ a: undefined }], [{ b: undefined }]],
  [schema, [schema], [{ ...schema }]],
  [new Named(), [], [new Named(), {}]],
])('%p is told from values that are not the same', (one, same, others) => {
  expect(same.filter((value) => !isSameValue(value, one))).toEqual([]);
  expect(others.filter((value) => isSameValue(value, one))).toEqual([]);
});

test.each<[object, path: string, unknown]>([
  [{}, 'constructor', undefined],
  [{ a: { b: { c: 1 } } }, 'a.b.c', 1],
  [{ a: { b: null } }, 'a.b.c', null],
  [{ a: { b: 'text' } }, 'a.b.length', undefined],
  [{ a: {} }, 'a.constructor.name', undefined],
])('%j has at %s: %p', (body, path, value) => {
  expect(readOwnPath(body, path)).toBe(value);
  expect(valueAtPath(body, path.split('.')) ?? undefined).toBe(value ?? undefined);
});

test('records are told from other values, and paths have objects around them', () => {
  const values = [{}, new Named(), [], day(1), new Uint8Array(), null, 'a', undefined];
  expect(values.map(isRecord)).toEqual([true, true, false, false, false, false, false, false]);
  expect([...values, Object.create(null)].map(isPlainObject)).toEqual([true, ...Array<boolean>(7).fill(false), true]);
  expect(['a', 'a.b', 'a.b.c'].map(listEnclosingPaths)).toEqual([[], ['a'], ['a', 'a.b']]);
});

/** The value that a text begins with; undefined for words. */
function valueIn(text: string): unknown {
  const [, ticked, number] = /^(?:`'?([a-z]+)'?`|(\d+))(?![^\s,;.])/.exec(text) ?? [];
  if (number !== undefined) return Number(number);
  return ticked === 'true' || ticked === 'false' ? ticked === 'true' : ticked;
}

/** Headings of the reference, and the options that the table below each is about. */
const SECTIONS = {
  '`@Crud(options)`': '',
  '`query`': 'query.',
  '`query.join`': 'query.join.*.',
  '`query.limits`': 'query.limits.',
  '`query.export`': 'query.export.',
  '`routes`': 'routes.',
  '`params`': 'params.*.',
  '`@CrudAuth(options)`': 'auth.',
  '`queryParser`': 'global.queryParser.',
};

const reference = readFileSync(new URL('../../../../docs/reference/README.md', import.meta.url), 'utf8');
const [, ...sections] = reference.split(/^#+ /m);
const documented = Object.entries(SECTIONS).flatMap(([heading, prefix]) => {
  const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const [header = [], , ...rows] = [...section.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split(/(?<!\\)\|/).map((cell) => cell.trim()),
  );
  return rows.flatMap((row) => {
    const names = [...(row[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
    const cell = row[header.indexOf('Default')] ?? '';
    const parts = [cell.split('; '), cell.split(', ')].find(({ length }) => length === names.length);
    return names.map((name, index) => [`${prefix}${name}`, parts?.[index] ?? cell] as const);
  });
});

test('the reference gives every option with a default, but the global ones', () => {
  const rows = [...OPTION_ROWS].filter(([, { unset }]) => unset !== undefined);
  const known = rows.map(([path]) => path).filter((path) => !/^global\.(?!queryP)/.test(path));
  expect(known.length).toBeGreaterThan(40);
  expect(known.filter((path) => !documented.some(([one]) => one === path))).toEqual([]);
});

test.each(documented.filter(([path]) => !path.includes('<route>')))('in the reference, %s: %s', (path, text) => {
  const row = OPTION_ROWS.get(path);
  expect(path === 'operators.custom' || row !== undefined).toBe(true);
  expect(valueIn(text)).toEqual(row?.unset);
});
