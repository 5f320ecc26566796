/** Random values of columns, for bodies of writes. */
import fc from 'fast-check';
import { Mood } from './entities.js';

export const text = fc
  .string({ unit: 'grapheme', maxLength: 12 })
  .map((value) => value.replaceAll('\0', '').normalize('NFC'));
export const nullable = (values: fc.Arbitrary<unknown>) => fc.option(values, { nil: null, freq: 4 });
export const moment = fc
  .date({ min: new Date('1971-01-01'), max: new Date('2037-01-01'), noInvalidDate: true })
  .map((value) => value.toISOString());
export const json = nullable(
  fc.oneof(
    fc.dictionary(fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 }), fc.integer()),
    fc.array(fc.boolean()),
    fc.integer(),
  ),
);

/** An item of a simple array, whose stored text divides items by commas. */
const withoutCommas = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 4 })
  .map((item) => item.replaceAll(',', ';'));

export const COMMON = {
  long: nullable(text),
  small: nullable(fc.integer({ min: -32_768, max: 32_767 })),
  // Half of what fits: a generated column doubles it.
  whole: fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 }),
  big: nullable(fc.bigInt({ min: -(2n ** 53n) + 1n, max: 2n ** 53n - 1n }).map(String)),
  amount: nullable(fc.integer({ min: -1e9, max: 1e9 }).map((value) => String(value / 100))),
  double: nullable(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 })),
  on: fc.boolean(),
  mood: fc.constantFrom(...Object.values(Mood)),
  tags: nullable(fc.array(withoutCommas, { minLength: 1 })),
  json,
  day: nullable(moment.map((value) => value.slice(0, 10))),
  moment: nullable(moment.map((value) => `${value.slice(0, 19)}Z`)),
  time: nullable(moment.map((value) => value.slice(11, 19))),
  price: nullable(fc.integer({ min: -1e6, max: 1e6 }).map((value) => value / 100)),
};

export const POSTGRES = {
  document: json,
  precise: nullable(moment),
  native: nullable(fc.constantFrom(...Object.values(Mood))),
  list: nullable(fc.array(text)),
  uuid: nullable(fc.uuid()),
};
