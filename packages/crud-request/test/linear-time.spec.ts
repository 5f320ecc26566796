/**
 * However large a query is, the time that the parser takes grows with its size, not with the square of it, and the stack does not overflow. What a megabyte takes in
 * milliseconds is measured by `benchmarks/request`.
 */
import { expect, test } from '@jest/globals';
import { parseQuery, RequestQueryException } from '@nestwright/crud-request';
import { sampleCount } from '../../../integration/test-support/extent.js';
import { LARGE_QUERIES } from './large-queries.js';

/** A megabyte; a fifth of it in a short run. */
const SIZE = sampleCount(1_000_000);
// Bounds would end most of the work early.
const limits = { conditions: 1e9, nesting: 1e9, listValues: 1e9, joins: 1e9, sorts: 1e9, valueLength: 1e9 };

/** Processor time of one call, the best of three rounds, since other processes share the machine. A refusal is as good an answer as a result. */
function time(query: unknown, calls: number): number {
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const start = process.cpuUsage();
    for (let call = 0; call < calls; call++) {
      try {
        parseQuery(query, { limits });
      } catch (error) {
        if (!RequestQueryException.isRequestQueryException(error)) throw error;
      }
    }
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / calls);
  }
  return best;
}

/** How many times longer a hundred times the size takes. */
function growth(queryOf: (size: number) => unknown): number {
  time(queryOf(SIZE / 100), 20);
  return time(queryOf(SIZE), 1) / Math.max(time(queryOf(SIZE / 100), 20), 1);
}

/** Linear is a hundred times, quadratic ten thousand. Garbage of other suites may be collected in between, hence the best of three. */
test.each(Object.entries(LARGE_QUERIES))('a large query %s', (_, queryOf) => {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least >= 1000; tries++) least = Math.min(least, growth(queryOf));
  expect(least).toBeLessThan(1000);
});

test.each([
  ['$and', `${'{"$and":['.repeat(10_000)}${']}'.repeat(10_000)}`],
  ['$not', `${'{"$not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`],
  ['lists', `{"a":{"$in":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`],
])('nested conditions of %s, 10,000 deep', (_, s) => expect(() => parseQuery({ s })).toThrow(RequestQueryException));
