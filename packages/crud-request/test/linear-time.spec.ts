/** However large a query is, the parser answers within a tenth of a second and does not overflow the stack. */
import { describe, expect, test } from '@jest/globals';
import { type ParseOptions, parseQuery, RequestQueryException } from '@nestwright/crud-request';

const MB = 1024 * 1024;
const UNBOUND: ParseOptions = {
  limits: { conditions: 1e9, nesting: 1e9, listValues: 1e9, joins: 1e9, sorts: 1e9, valueLength: 1e9 },
};

/** Processor time, and the best of three, since other processes share the machine. */
function time(query: unknown, options?: ParseOptions): number {
  let best = Infinity;
  for (let run = 0; run < 3; run++) {
    const start = process.cpuUsage();
    try {
      parseQuery(query, options);
    } catch (error) {
      if (!RequestQueryException.isRequestQueryException(error)) {
        throw error;
      }
    }
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

const fill = (unit: string, size = MB): string => unit.repeat(Math.ceil(size / unit.length));

describe('a megabyte', () => {
  const queries: Record<string, unknown> = {
    'of unknown parameters': fill('a=1&'),
    'of one value': `filter=a||eq||${fill('x')}`,
    'of filters': fill('filter=a||eq||1&'),
    'of empty filters': fill('filter=&'),
    'of indexed keys': Array.from({ length: 50_000 }, (_, index) => `sort[${50_000 - index}]=a`).join('&'),
    'of list values': { filter: `a||in||${fill('1,')}1` },
    'of escapes': { filter: `a||in||${fill('\\,')}` },
    'of backslashes': { filter: `a||in||${fill('\\')}` },
    'of delimiters': { filter: fill('|') },
    'of field names': { fields: fill('a,') },
    'of join conditions': { join: `a||b||${fill('on[0]=a||eq||1,')}` },
    'of join delimiters': { join: `a||on[0]=a||eq||${fill(',on[')}` },
    'of percent signs': fill('%'),
    'of malformed escapes': fill('%FF&'),
    'of digits': { limit: fill('1') },
    'of zeros': { limit: fill('0') },
    'of extra names': fill('extra.a.b.c=1&'),
    'of one extra name': { [`extra.${fill('a.')}`]: '1' },
    'of extra quotes': { 'extra.a': fill('"') },
    'of brackets': { s: fill('[') },
    'of JSON': { s: `{"$or":[${fill('{},')}{}]}` },
    'of JSON text': { s: `{"a":"${fill('\\"')}"}` },
    'of JSON keys': { s: `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join()}}` },
    'of JSON before the mistake': { s: `{"a":"${fill('x', 4000)}","b":{},"c":{"$nope":[${fill('1,')}1]}}` },
    'of JSON list': { s: `{"a":{"$in":[${fill('1,')}1]}}` },
    'of JSON comma text': { s: `{"a":{"$in":"${fill('1,')}1"}}` },
  };
  test.each(Object.keys(queries))('%s', (name) => {
    expect(time(queries[name])).toBeLessThan(100);
  });
});

describe('depth', () => {
  const depths: Record<string, string> = {
    $and: `${'{"$and":['.repeat(10_000)}${']}'.repeat(10_000)}`,
    $not: `${'{"$not":'.repeat(10_000)}{}${'}'.repeat(10_000)}`,
    'a field': `${'{"a":'.repeat(10_000)}{}${'}'.repeat(10_000)}`,
    '$or of a field': `{"a":${'{"$or":'.repeat(10_000)}{}${'}'.repeat(10_000)}}`,
    lists: `{"a":{"$in":${'['.repeat(10_000)}${']'.repeat(10_000)}}}`,
  };
  test.each(Object.keys(depths))('%s, 10,000 deep', (name) => {
    expect(time({ s: depths[name] })).toBeLessThan(100);
    expect(() => parseQuery({ s: depths[name] })).toThrow(RequestQueryException);
  });
});

describe('growth', () => {
  // Ten times the size may not take much more than ten times the time: forty allows for noise, a hundred would be quadratic.
  test.each<[string, (size: number) => unknown]>([
    ['filters', (size) => fill('filter=a||eq||1&', size)],
    ['list values', (size) => ({ filter: `a||in||${fill('1\\,,', size)}1` })],
    ['join conditions', (size) => ({ join: `a||b||${fill('on[0]=a||eq||1,', size)}on[0]=a||isnull` })],
    ['search', (size) => ({ s: `{"$or":[${fill('{"a":{"$in":[1,2]}},', size)}{}]}` })],
  ])('of %s is linear', (_, queryOf) => {
    time(queryOf(20_000), UNBOUND);
    const small = Math.max(time(queryOf(20_000), UNBOUND), 0.2);
    expect(time(queryOf(200_000), UNBOUND) / small).toBeLessThan(40);
  });
});
