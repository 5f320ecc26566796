/** Parameters that are whole numbers. A number that a parameter does not take is refused. */
import { type QueryErrorPlace, refuse } from '../errors.js';

/** The largest whole number that JSON and every database read alike. */
export const LARGEST = 2 ** 53 - 1;

/** Smallest and largest number by parameter. */
export const RANGES = {
  limit: [1],
  offset: [0],
  page: [1],
  cache: [0],
  includeDeleted: [0, 1],
  total: [0, 1],
} as const satisfies Record<string, readonly [minimum: number, maximum?: number]>;

export type IntegerName = keyof typeof RANGES;

/** Refuses what is not a whole number that a parameter takes; NaN is what is no number at all. */
export function checkInteger(name: IntegerName, value: number, place?: QueryErrorPlace): number {
  const [minimum, maximum = LARGEST] = RANGES[name];

  if (!Number.isInteger(value) || value < minimum || value > maximum) {
    const expected = !Number.isFinite(value) ? 'Number' : maximum === 1 ? '0 or 1' : `Integer of at least ${minimum}`;
    refuse(
      `Invalid ${name}. ${expected} expected`,
      /^(limit|offset|page)$/.test(name) ? 'CRUD_INVALID_PAGINATION' : 'CRUD_INVALID_QUERY',
      place,
    );
  }

  return value;
}
