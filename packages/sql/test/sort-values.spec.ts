/** Texts of sort values, as cursors hold them → what is bound for them, or that no column of the kind holds such a value. */
import { expect, test } from '@jest/globals';
import { type ColumnKind, describeColumn } from '@nestwright/crud/adapter';
import { POSTGRES, SQLITE } from '@nestwright/sql';

const DAYS = ['2026-01-01', '99991231', '-infinity', 'infinity'];
const TIMES = ['10:00', '10:00:00.123456', '-10:00:00', '10:00:00+02', '10:00:00-02:30'];
const MOMENTS = ['2026-01-01 10:00', '2026-01-01T10:00:00.123+00:00', '0044-03-15 10:00:00+00 BC', '-infinity'];

test.each<[kind: ColumnKind, valid: readonly string[], invalid: readonly string[]]>([
  ['integer', ['0', '-12', '9'.repeat(20)], ['', '-', '1.5', '1a', 'a1', '9'.repeat(21)]],
  ['bigint', ['0', '-12', '9'.repeat(20)], ['', '-', '1.5', '1a', 'a1', '9'.repeat(21)]],
  ['decimal', ['0', '-12.25', '12', 'NaN', 'Infinity', '-Infinity'], ['', '1.', '.5', '1e5', 'aNaN', 'NaNa', '1.5a']],
  ['float', ['-1.25', '1e5', '12.5e+10', '1e-10', 'NaN', '-Infinity'], ['', '1.', '1e', '.5', 'a1', '1a', 'xNaN']],
  ['boolean', ['true', 'false', '0', '1'], ['', '2', 'atrue', 'truea', '10']],
  ['date', [...DAYS, '0044-03-15 BC'], ['', '2026-01', 'a2026-01-01', '2026-01-01a', 'xinfinity', 'infinityx']],
  ['time', TIMES, ['', '10:0', 'a10:00', '10:00a', '10:00+', '10:00+a']],
  ['datetime', MOMENTS, ['', '2026-01-01', '2026-1 10:00', 'a2026-01-01 10:00', '2026-01-01 10:00 AD', 'infinityx']],
  ['text', ['', 'a'], ['a\0']],
])('PostgreSQL binds texts of kind %s that may be values: %j, and no others: %j', (kind, valid, invalid) => {
  const bind = (text: string) => POSTGRES.sortValues.bound(text, describeColumn('x', kind));
  expect(valid.map(bind)).toStrictEqual(valid);
  expect(invalid.map(bind)).toStrictEqual(invalid.map(() => undefined));
});

test.each<[text: string, bound: unknown]>([
  ['i12', 12],
  ['i-9007199254740991', -9007199254740991],
  ['i9007199254740993', '9007199254740993'],
  [`i${'9'.repeat(20)}`, undefined],
  ['i1.5', undefined],
  ['ia1', undefined],
  ['i1a', undefined],
  ['i', undefined],
  ['r-12.25', -12.25],
  ['r1e21', 1e21],
  ['r1.5e+300', 1.5e300],
  ['r12.5e-10', 12.5e-10],
  ['r-Infinity', -Infinity],
  ['rInfinity', Infinity],
  ['rInfinitya', undefined],
  ['raInfinity', undefined],
  ['r1.', undefined],
  ['r1a', undefined],
  ['ra1', undefined],
  ['r1e', undefined],
  ['t', ''],
  ['tab', 'ab'],
  ['b', Buffer.from('')],
  ['b00ff', Buffer.from([0, 255])],
  ['b0', undefined],
  ['b00g0', undefined],
  ['b0g', undefined],
  ['bg0', undefined],
  ['', undefined],
  ['x1', undefined],
])('SQLite binds for %j: %j', (text, bound) => {
  expect(SQLITE.sortValues.bound(text, describeColumn('x', 'text'))).toStrictEqual(bound);
});

test('SQLite has the type of a value before its text', () => {
  const selected = ['i12', 1.5, Uint8Array.of(0, 255), 'ta', null];
  expect(selected.map(SQLITE.sortValues.printSelected)).toEqual(['i12', 'r1.5', 'b00ff', 'ta', 'null']);
});
