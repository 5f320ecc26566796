/** Parses a megabyte of every kind that could make a parser slow, and the deepest search; fails where one takes a tenth of a second or more. */
import { LARGE_QUERIES } from './dist/large-queries.js';
import { parseQuery, RequestQueryException } from './dist/nestwright.js';

const MEGABYTE = 1024 * 1024;
const LIMIT = 100;
const ROUNDS = 5;
const DEPTH = 10_000;

/** Best time of one call in milliseconds. */
function measure(query) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    try {
      parseQuery(query);
    } catch (error) {
      if (!RequestQueryException.isRequestQueryException(error)) throw error;
    }
    best = Math.min(best, performance.now() - start);
  }
  return best;
}

const times = Object.entries({
  ...Object.fromEntries(Object.entries(LARGE_QUERIES).map(([name, queryOf]) => [name, queryOf(MEGABYTE)])),
  'of nested conditions': { s: `${'{"$and":['.repeat(DEPTH)}${']}'.repeat(DEPTH)}` },
})
  .map(([name, query]) => ({ name, time: measure(query) }))
  .sort((a, b) => b.time - a.time);

console.log('a megabyte, the slowest kinds:');
for (const { name, time } of times.slice(0, 5)) console.log(`  ${name}: ${time.toFixed(1)} ms`);

if (times[0].time >= LIMIT) process.exitCode = 1;
