/** The lines that take the place of `@nestjsx/util` answer as it did. */
import { expect, test } from '@jest/globals';
import ts from 'typescript';
import { printFunction, UTIL_FUNCTIONS } from '../src/inlined-functions.js';

const functionOf = (name: string): ((...values: unknown[]) => unknown) =>
  new Function(`${printFunction(name, 'f', false)} return f;`)() as (...values: unknown[]) => unknown;

const DAY = new Date(0);

test.each<[name: string, yes: unknown[], no: unknown[]]>([
  ['isUndefined', [undefined], [null, 0, '']],
  ['isNull', [null], [undefined, 0, '']],
  ['isNil', [null, undefined], [0, '', false]],
  ['isString', ['', 'a'], [0, null]],
  ['hasLength', ['a', [1]], ['', []]],
  ['isStringFull', ['a'], ['', [1], null]],
  ['isArrayFull', [[0]], [[], 'a', null]],
  ['isArrayStrings', [['a']], [[], ['a', ''], [1], 'a']],
  ['isObject', [{}, [], DAY], [null, 'a', undefined]],
  ['isObjectFull', [{ a: 1 }, [1]], [{}, null, 'ab']],
  ['isNumber', [0, -1.5], [NaN, Infinity, '1']],
  ['isFalse', [false], [0, '', null]],
  ['isTrue', [true], [1, 'true']],
  ['isBoolean', [true, false], [0, 'true']],
  ['isNumeric', ['1', '-1.5', '.5', 2], ['a', '', '1e3', null]],
  ['isDateString', ['2020-01-31', '2020-01-31T10:00:00.123+0100'], ['2020', '2020-31-01', DAY, '']],
  ['isDate', [DAY], ['2020-01-31', 0]],
  ['isValue', ['a', 0, false, DAY], ['', null, NaN, {}]],
  ['hasValue', ['a', 0, ['a', 1], [DAY]], ['', [], [null], ['']]],
  ['isFunction', [() => 1], [{}, null]],
])('%s', (name, yes, no) => {
  expect(yes.map((value) => functionOf(name)(value))).toEqual(yes.map(() => true));
  expect(no.map((value) => functionOf(name)(value))).toEqual(no.map(() => false));
});

test('of two parameters, and of keys', () => {
  expect([functionOf('isEqual')(1, 1), functionOf('isEqual')(1, '1')]).toEqual([true, false]);
  const isIn = functionOf('isIn');
  expect([isIn(1, [0, 1]), isIn(1), isIn(NaN, [NaN])]).toEqual([true, false, false]);
  expect(functionOf('objKeys')({ a: 1, b: 2 })).toEqual(['a', 'b']);
  expect(functionOf('getOwnPropNames')([1])).toEqual(['0', 'length']);
});

test('all of them compile under strict', () => {
  const text = Object.keys(UTIL_FUNCTIONS)
    .map((name) => `export ${printFunction(name, name, true)}`)
    .join('\n');
  const options = { strict: true, target: ts.ScriptTarget.ES2022, noEmit: true, types: [], lib: ['lib.es2015.d.ts'] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, ...rest) =>
    path === 'util.ts'
      ? ts.createSourceFile(path, text, ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, path, ...rest);
  const diagnostics = ts.getPreEmitDiagnostics(ts.createProgram(['util.ts'], options, host));

  expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);
});
