/** Dates in, with the library's quick `toJSON`; they are printed as JavaScript prints them, whatever is done to them or to `Date`, and look like any other date. */
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { printable } from '../../src/serialization/to-plain.js';

const { toISOString, toJSON } = Date.prototype;

afterEach(() => {
  Object.defineProperty(Date.prototype, 'toISOString', { value: toISOString });
  Object.defineProperty(Date.prototype, 'toJSON', { value: toJSON });
});

test('any date is printed as JavaScript prints it', () => {
  const texts = [
    ...['1000-01-01T00:00:00.000Z', '0999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z', '2000-02-29T12:34:56.007Z'],
    ...['+010000-01-01T00:00:00.000Z', '-000001-06-01T00:00:00.000Z', '1969-12-31T23:59:59.090Z'],
  ];
  for (const text of texts) expect(JSON.stringify(printable(new Date(text)))).toBe(JSON.stringify(text));
  // Days of twelve years, each at another time.
  for (let time = Date.UTC(1995, 11, 31); time < Date.UTC(2008, 0, 1); time += 90_061_123)
    expect(JSON.stringify({ date: printable(new Date(time)) })).toBe(JSON.stringify({ date: new Date(time) }));
  expect(JSON.stringify(printable(new Date(NaN)))).toBe('null');
});

test('a printable date behaves like any other date', () => {
  const date = printable(new Date(5));
  expect(isDeepStrictEqual(date, new Date(5))).toBe(true);
  expect(date).toStrictEqual(new Date(5));
  expect({ ...date }).toEqual({});
  expect(Object.getPrototypeOf(date)).toBe(Date.prototype);
  expect(structuredClone(date)).toStrictEqual(new Date(5));
  date.setUTCFullYear(2024);
  expect(JSON.stringify(date)).toBe('"2024-01-01T00:00:00.005Z"');
});

test('methods that the application put in place of the built-in ones are called', () => {
  const date = printable(new Date(5));
  expect(JSON.stringify(printable(Object.assign(new Date(5), { toISOString: () => 'own' })))).toBe('"own"');
  Object.defineProperty(Date.prototype, 'toISOString', { value: () => 'iso' });
  expect(JSON.stringify(date)).toBe('"iso"');
  Object.defineProperty(Date.prototype, 'toJSON', { value: () => 'json' });
  expect(JSON.stringify(date)).toBe('"json"');
});
