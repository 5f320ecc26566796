/**
 * However large a query is, the time that the parser takes grows with its size, not with the square of it, and the stack does not overflow. What a megabyte takes in
 * milliseconds is measured by `benchmarks/request`.
 */
import { expect, test } from '@jest/globals';
import { type ParseOptions, parseQuery, RequestQueryException } from '@nestwright/crud-request';
import { sampleCount } from '../../../integration/test-support/extent.js';
import { fill, LARGE_QUERIES } from './large-queries.js';

/** A megabyte; a fifth of it in a short run. */
const SIZE = sampleCount(1_000_000);
const UNBOUND: ParseOptions = {
  limits: { conditions: 1e9, nesting: 1e9, listValues: 1e9, joins: 1e9, sorts: 1e9, valueLength: 1e9 },
};

/** Parses, and passes over a refusal, which is as good an answer as a result. */
function read(query: unknown, options?: ParseOptions): void {
  try {
    parseQuery(query, options);
  } catch (error) {
    if (!RequestQueryException.isRequestQueryException(error)) throw error;
  }
}

/** Processor time of one call, the best of three rounds, since other processes share the machine. */
function time(query: unknown, calls: number, options?: ParseOptions): number {
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) read(query, options);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}

/** How many times longer a hundred times the size takes. */
function growth(queryOf: (size: number) => unknown, options?: ParseOptions): number {
  time(queryOf(SIZE / 100), 20, options);
  return time(queryOf(SIZE), 1, options) / Math.max(time(queryOf(SIZE / 100), 20, options), 1);
}

/** Linear is a hundred times, quadratic ten thousand. Garbage of other suites may be collected in between, hence the best of three. */
function expectLinear(queryOf: (size: number) => unknown, options?: ParseOptions): void {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= 1000; tries++) least = Math.min(least, growth(queryOf, options));
  expect(least).toBeLessThan(1000);
}

test.each(Object.entries(LARGE_QUERIES))('a large query %s', (_, queryOf) => expectLinear(queryOf));

test.each([
  ['$and', `${'{"$and":['.repeat(10_000)}${']}'.repeat(10_000)}`],
  ['$not', `${'{"$not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`],
  ['a field', `${'{"a":'.repeat(10_000)}{}${'}'.repeat(10_000)}`],
  ['$or of a field', `{"a":${'{"$or":'.repeat(10_000)}{}${'}'.repeat(10_000)}}`],
  ['lists', `{"a":{"$in":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`],
])('nested conditions of %s, 10,000 deep', (_, s) => expect(() => parseQuery({ s })).toThrow(RequestQueryException));

test.each<[string, (size: number) => unknown]>([
  ['filters', (size) => fill('filter=a||eq||1&', size)],
  ['list values', (size) => ({ filter: `a||in||${fill('1\\,,', size)}1` })],
  ['join conditions', (size) => ({ join: `a||b||${fill('on[0]=a||eq||1,', size)}on[0]=a||isnull` })],
  ['search', (size) => ({ s: `{"$or":[${fill('{"a":{"$in":[1,2]}},', size)}{}]}` })],
])('without bounds, %s grow linearly', (_, queryOf) => expectLinear(queryOf, UNBOUND));
