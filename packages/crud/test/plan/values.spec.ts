/** Raw values → typed values, for every kind of column; what no column of the kind can hold is refused. */
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CatalogColumn, ColumnKind } from '../../src/plan/catalog.js';
import { Refusal } from '../../src/plan/refusal.js';
import { readValue, typedValue } from '../../src/plan/values.js';
import { column } from './catalogs.js';
import { refusalOf } from './plans.js';

const int32 = column('age', 'integer', { range: [-2147483648n, 2147483647n] });
const tiny = column('flag', 'integer', { range: [-128n, 127n] });
const money = column('balance', 'decimal', { precision: 12, scale: 2 });
const role = column('role', 'enum', { members: ['admin', 'member', 3] });
const of = (kind: ColumnKind, more: Partial<CatalogColumn> = {}) => column(kind, kind, more);

describe('values by kind', () => {
  test.each<[CatalogColumn, unknown, unknown]>([
    [of('text'), 'abc ', 'abc '],
    [of('text'), '', ''],
    [of('text'), 5, '5'],
    [of('text'), 1e21, '1e+21'],
    [of('text'), true, 'true'],
    [of('text'), 12n, '12'],
    [int32, '42', 42],
    [int32, -42, -42],
    [int32, '007', 7],
    [int32, '-0', 0],
    [int32, '2147483647', 2147483647],
    [tiny, true, 1],
    [tiny, 'false', 0],
    [tiny, '7', 7],
    [of('integer'), '9007199254740991', 9007199254740991],
    [of('bigint'), '9223372036854775807', '9223372036854775807'],
    [of('bigint'), '-009', '-9'],
    [of('bigint'), 5, '5'],
    [of('bigint'), 7n, '7'],
    [money, '12.50', '12.50'],
    [money, '-0.5', '-0.5'],
    [money, '007.1', '7.1'],
    [money, 12.5, '12.5'],
    [money, 1e-7, '0.0000001'],
    [money, '-0.00', '0.00'],
    [money, '12e2', '1200'],
    [money, '9999999999.99', '9999999999.99'],
    [of('float'), '1.5e3', 1500],
    [of('float'), 0.1, 0.1],
    [of('boolean'), 'true', true],
    [of('boolean'), '0', false],
    [of('boolean'), 1, true],
    [of('boolean'), false, false],
    [of('uuid'), 'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11', 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'],
    [role, 'admin', 'admin'],
    [role, '3', 3],
    [role, 3, 3],
    [of('date'), '2024-02-29', '2024-02-29'],
    [of('date'), '2024-02-29T23:30:00-02:00', '2024-03-01'],
    [of('date'), new Date('2024-05-06T07:08:09Z'), '2024-05-06'],
    [of('time'), '07:08', '07:08:00'],
    [of('time'), '23:59:59.123456', '23:59:59.123456'],
    [of('time', { zoned: true }), '07:08+02', '07:08:00+02'],
    [of('time', { zoned: true }), '07:08:09.5Z', '07:08:09.5Z'],
    [of('time', { zoned: true }), '07:08', '07:08:00'],
    [of('datetime'), '2024-05-06', new Date('2024-05-06T00:00:00.000Z')],
    [of('datetime'), '2024-05-06T07:08', new Date('2024-05-06T07:08:00.000Z')],
    [of('datetime'), '2024-05-06 07:08:09.1239', new Date('2024-05-06T07:08:09.123Z')],
    [of('datetime'), '2024-05-06T07:08:09+02:30', new Date('2024-05-06T04:38:09.000Z')],
    [of('datetime'), '0001-01-01T00:00:00Z', new Date('0001-01-01T00:00:00.000Z')],
  ])('%j takes %j', (of, raw, expected) => {
    expect(readValue(of, raw)).toEqual(expected);
  });

  test.each<[CatalogColumn, unknown]>([
    [of('text'), 'a\0b'],
    [of('text'), {}],
    [of('text'), null],
    [of('text'), NaN],
    [int32, 'abc'],
    [int32, ''],
    [int32, ' 1'],
    [int32, '+1'],
    [int32, '1.5'],
    [int32, '1.0'],
    [int32, '1e3'],
    [int32, '0x10'],
    [int32, 1.5],
    [int32, NaN],
    [int32, true],
    [int32, [1]],
    [tiny, '128'],
    [tiny, 'yes'],
    [int32, '2147483648'],
    [of('integer'), '9007199254740992'],
    [of('bigint'), '9223372036854775808'],
    [of('bigint'), 2 ** 53],
    [of('bigint'), '1.0'],
    [money, '10000000000'],
    [money, '.5'],
    [money, '5.'],
    [money, 'NaN'],
    [money, Infinity],
    [money, '1e9999'],
    [of('decimal'), '1e100'],
    [of('float'), 'Infinity'],
    [of('float'), '-Infinity'],
    [of('float'), 'NaN'],
    [of('float'), '1e999'],
    [of('float'), '١'],
    [of('boolean'), 'yes'],
    [of('boolean'), 2],
    [of('boolean'), 'TRUE'],
    [of('uuid'), 'a0eebc99'],
    [of('uuid'), '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'],
    [role, 'Admin'],
    [role, 'owner'],
    [role, 'constructor'],
    [of('date'), '2023-02-29'],
    [of('date'), '2024-13-01'],
    [of('date'), '2024-00-10'],
    [of('date'), '0000-01-01'],
    [of('date'), '06.05.2024'],
    [of('date'), new Date(NaN)],
    [of('time'), '24:00:00'],
    [of('time'), '7:08'],
    [of('time'), '07:08+02'],
    [of('time', { zoned: true }), '07:08+25'],
    [of('time', { zoned: true }), '07:08 CET'],
    [of('datetime'), '2024-05-06T25:00:00Z'],
    [of('datetime'), '2024-05-06T07:08:60Z'],
    [of('datetime'), '2024-05-06T07:08:09+25:00'],
    [of('datetime'), '9999-12-31T23:59:59-01:00'],
    [of('datetime'), 1714979289000],
    [of('datetime'), 'yesterday'],
    [of('json'), '{}'],
    [of('array'), 'a'],
    [of('binary'), 'a'],
  ])('%j refuses %p', (of, raw) => {
    expect(refusalOf(() => readValue(of, raw))).toMatchObject({
      statusCode: 400,
      code: 'CRUD_INVALID_VALUE',
      field: of.path,
    });
  });

  test('the message never repeats the value', () => {
    const kinds: ColumnKind[] = [
      'integer',
      'bigint',
      'decimal',
      'float',
      'boolean',
      'uuid',
      'enum',
      'date',
      'time',
      'datetime',
      'json',
      'array',
      'binary',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.string({ minLength: 12, unit: fc.constantFrom('q', 'x', "'", ';', 'z') }),
        (kind, marker) => {
          expect(JSON.stringify(refusalOf(() => readValue(of(kind), marker)))).not.toContain(marker);
        },
      ),
    );
  });
});

describe('numbers and dates against their own definition', () => {
  test('a decimal keeps its value and its digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        fc.integer({ min: 0, max: 12 }),
        (digits, scale) => {
          const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
          const plain = (digits < 0n ? '-' : '') + (scale ? `${text.slice(0, -scale)}.${text.slice(-scale)}` : text);
          expect(typedValue(of('decimal'), plain)).toBe(plain);
          expect(Number(typedValue(of('decimal'), `${plain}e2`))).toBeCloseTo(Number(plain) * 100, -20);
        },
      ),
    );
  });

  test('any JSON number is a float, and a decimal of the same value', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        expect(typedValue(of('float'), JSON.stringify(number))).toBeCloseTo(number, 10);
        const decimal = typedValue(of('decimal'), number);
        expect(decimal instanceof Refusal ? Math.abs(number) >= 1e65 : Number(decimal) === number).toBe(true);
      }),
    );
  });

  test('a day exists exactly where the calendar has it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9999 }),
        fc.integer({ min: 0, max: 13 }),
        fc.integer({ min: 0, max: 32 }),
        (year, month, day) => {
          const text = [
            String(year).padStart(4, '0'),
            String(month).padStart(2, '0'),
            String(day).padStart(2, '0'),
          ].join('-');
          const date = new Date(`${text}T00:00:00Z`);
          const exists = !Number.isNaN(date.getTime()) && date.getUTCDate() === day;
          expect(typedValue(of('date'), text)).toEqual(exists ? text : expect.any(Refusal));
        },
      ),
    );
  });

  test('a moment is what Date reads', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0002-01-01T00:00:00Z'), max: new Date('9998-12-31T00:00:00Z'), noInvalidDate: true }),
        (date) => {
          expect(typedValue(of('datetime'), date.toISOString())).toEqual(date);
          expect(typedValue(of('datetime'), date)).toEqual(date);
        },
      ),
    );
  });
});
