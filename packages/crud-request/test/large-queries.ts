/** Queries of a given size in UTF-16 units: one of every kind that could make a parser slow. For the suite of growth and for `benchmarks/request`. */

/** A text repeated up to a size. */
const fill = (unit: string, size: number): string => unit.repeat(Math.ceil(size / unit.length));

/** Queries by what they are full of. */
export const LARGE_QUERIES: Record<string, (size: number) => unknown> = {
  'of unknown parameters': (size) => fill('a=1&', size),
  'of filters': (size) => fill('filter=a||eq||1&', size),
  'of indexed keys': (size) => Array.from({ length: size / 20 }, (_, index) => `sort[${size - index}]=a`).join('&'),
  'of list values': (size) => ({ filter: `a||in||${fill('1,', size)}1` }),
  'of escapes': (size) => ({ filter: `a||in||${fill('\\,', size)}` }),
  'of delimiters': (size) => ({ filter: fill('|', size) }),
  'of field names': (size) => ({ fields: fill('a,', size) }),
  'of join conditions': (size) => ({ join: `a||b||${fill('on[0]=a||eq||1,', size)}` }),
  'of join delimiters': (size) => ({ join: `a||on[0]=a||eq||${fill(',on[', size)}` }),
  'of percent signs': (size) => fill('%', size),
  'of one extra name': (size) => ({ [`extra.${fill('a.', size)}`]: '1' }),
  'of extra quotes': (size) => ({ 'extra.a': fill('"', size) }),
  'of brackets': (size) => ({ s: fill('[', size) }),
  'of JSON': (size) => ({ s: `{"$or":[${fill('{},', size)}{}]}` }),
  'of JSON text': (size) => ({ s: `{"a":"${fill('\\"', size)}"}` }),
  'of JSON keys': (size) => ({ s: `{${Array.from({ length: size / 12 }, (_, index) => `"k${index}":1`).join()}}` }),
  'of JSON before the mistake': (size) => ({
    s: `{"a":"${fill('x', 4000)}","b":{},"c":{"$nope":[${fill('1,', size)}1]}}`,
  }),
  'of JSON comma text': (size) => ({ s: `{"a":{"$in":"${fill('1,', size)}1"}}` }),
};
