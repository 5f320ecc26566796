/** The same records in each run: few values, so that many are equal, and among them those that are easily added up wrongly. */
import type { DatabaseKind } from '../../../../integration/test-support/index.js';
import type { DealRow, SellerRow } from './entities.js';

export const SELLERS: readonly SellerRow[] = [
  { id: 1, name: 'Ann', tenant: 'red', grade: 1, deletedAt: null },
  { id: 2, name: 'ann', tenant: 'red', grade: null, deletedAt: null },
  { id: 3, name: 'Bob', tenant: 'blue', grade: 3, deletedAt: null },
  { id: 4, name: 'Gone', tenant: 'blue', grade: 4, deletedAt: new Date('2026-01-01T00:00:00.000Z') },
];

const REGIONS = [null, 'north', 'North', 'north ', 'é', 'e', ''];
const BIGS = {
  sqlite: [null, '9007199254740993', '90071992547409921', '-9007199254740995', '3', '1', '-1'],
  other: [null, '9223372036854775807', '9223372036854775806', '-9223372036854775807', '3', '1', '-1'],
};
const MOMENTS = [
  '2025-12-28T23:59:59.999Z',
  '2025-12-29T00:00:00.000Z',
  '2026-01-01T00:00:00.000Z',
  '2026-01-01T00:00:00.001Z',
  '2024-02-29T12:00:00.500Z',
  '2026-07-01T00:00:00.000Z',
  '2021-01-03T22:30:00.000Z',
];
const DAYS = [null, '2026-01-04', '2026-01-05', '2024-12-30', '2024-12-31', '2023-01-01', '1999-03-31'];
const PRICES = {
  sqlite: [null, '0.1000', '0.2000', '1234567890.1234', '-0.0001', '2.5000'],
  other: [
    null,
    '0.1000',
    '0.2000',
    '12345678901234567890123456.7891',
    '-12345678901234567890123456.7891',
    '-0.0001',
    '2.5000',
  ],
};

/** Deals for a database: SQLite's decimals have 15 digits, and its sums 64 bits. */
export function dealsOf(kind: DatabaseKind): readonly DealRow[] {
  const [prices, bigs] = kind === 'sqlite' ? [PRICES.sqlite, BIGS.sqlite] : [PRICES.other, BIGS.other];
  let state = 7;
  const pick = <T>(list: readonly T[]): T => {
    state = (state * 1103515245 + 12345) % 2 ** 31;

    return list[Math.floor((state / 2 ** 31) * list.length)]!;
  };

  return Array.from({ length: 90 }, (_, index) => {
    const moment = pick([null, ...MOMENTS]);

    return {
      id: index + 1,
      tenant: pick(['red', 'blue']),
      region: pick(REGIONS),
      units: pick([null, 0, 1, 2, 3, 4, -5, 2147483647]),
      big: pick(bigs),
      price: pick(prices),
      // Sums of these have no rounding errors, in whatever order.
      rate: pick([null, 0.5, -0.25, 1024.125, 3]),
      open: pick([null, true, false]),
      mood: pick([null, 'zeal', 'awe', 'mirth']),
      at: moment === null ? null : new Date(moment),
      day: pick(DAYS),
      sellerId: pick([null, 1, 2, 3, 4]),
      deletedAt: index % 10 === 9 ? new Date('2026-02-02T00:00:00.000Z') : null,
      lines: index % 4,
    };
  });
}
