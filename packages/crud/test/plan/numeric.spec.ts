/** Numbers as clients write them → taken apart and printed the same whether they come as they are printed or in a form that has to be worked. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { printDecimal, readDecimal } from '../../src/plan/numbers-and-dates.js';

const digits = (minLength: number) => fc.string({ unit: fc.constantFrom(...'0123456789'), minLength, maxLength: 6 });

test('an exponent of zero keeps the value', () => {
  fc.assert(
    fc.property(fc.constantFrom('', '-'), digits(1), digits(0), (sign, whole, fraction) => {
      const text = sign + whole + (fraction && `.${fraction}`);

      expect(readDecimal(text)).toStrictEqual(readDecimal(`${text}e+0`));
    }),
  );
});

test('numbers are printed with the value that they had', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const read = readDecimal(value);

      expect(read && Number(printDecimal(read))).toBe(value === 0 ? 0 : value);
    }),
  );
});
