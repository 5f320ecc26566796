import type { Cell, Round } from './measure.js';
import { median } from './summary.js';

/**
 * What one server costs against another that was measured in turn with it: the middle of the quotients, round by round, so that a busy moment of the machine meets both. NaN where
 * the figure could not be had.
 */
export function quotient(cell: Cell, base: Cell, pick: (round: Round) => number | undefined): number {
  const quotients = cell.rounds.flatMap((round, index) => {
    const [one, other] = [pick(round), pick(base.rounds[index]!)];

    return one !== undefined && other ? [one / other] : [];
  });

  return quotients.length > 0 ? median(quotients) : Number.NaN;
}
