/** What the project promises of its figures, each promise kept or broken. One whose servers were not measured is left out. */
import type { ContestantName } from './contestants.js';
import type { Summary } from './summary.js';
import type { WorkloadName } from './workloads.js';

/** Node CPU of `peer` is at least so many times that of `ours`. */
interface Promised {
  ours: ContestantName;
  peer: ContestantName;
  factors: Partial<Record<WorkloadName, number>>;
}

/** The promises. */
const PROMISED: Promised[] = [
  { ours: 'express', peer: 'dataui', factors: { L1: 3, L3: 4, L4: 5, L6: 2.5, L7: 2.5, L8: 2, L9: 5, L10: 5 } },
  { ours: 'express', peer: 'handwritten', factors: { L1: 1.3, L3: 2.5, L4: 2.5, L6: 1.3, L7: 1.7, L8: 1.3, L9: 2.5 } },
  { ours: 'express', peer: 'rawpg', factors: { L3: 1, L4: 1 } },
  { ours: 'drizzle', peer: 'handdrizzle', factors: { L1: 1 / 1.1, L3: 1 / 0.6, L4: 1 / 0.6 } },
  { ours: 'interceptor', peer: 'dataui', factors: { L3: 2.2, L4: 3.5, L9: 3.5 } },
];

/** Hand-written over hand-written SQL in the prototype: a controller that is dearer would be a straw man. */
const HAND_WRITTEN: Partial<Record<WorkloadName, number>> = { L1: 1.04 / 0.72, L3: 5.95 / 3.63, L4: 10.7 / 6.05 };
const STRAW_MAN = 0.15;

/** Two measurements of one statement differ by so much. */
const DATABASE_ERROR = 0.05;

/** One line of the list. */
export interface Check {
  text: string;
  measured: number;
  kept: boolean;
}

/** All promises that a run can tell of. */
export function checks(summaries: Summary[]): Check[] {
  const of = (server: ContestantName, workload: string): Summary | undefined =>
    summaries.find((summary) => summary.server === server && summary.workload === workload);

  return [
    ...PROMISED.flatMap(({ ours, peer, factors }) =>
      Object.entries(factors).flatMap(([workload, factor]) =>
        check(of(peer, workload)?.nodeMin, of(ours, workload)?.nodeMin, (measured) => ({
          text: `${workload}: ${peer} ÷ ${ours}, node CPU, at least ${round(factor)}`,
          measured,
          kept: measured >= factor,
        })),
      ),
    ),
    ...summaries
      .filter(({ server }) => server === 'express')
      .flatMap(({ workload, databaseMin }) =>
        check(databaseMin, of('handwritten', workload)?.databaseMin, (measured) => ({
          text: `${workload}: express ÷ handwritten, database CPU, at most 1 (measured to ${DATABASE_ERROR * 100} %)`,
          measured,
          kept: measured <= 1 + DATABASE_ERROR,
        })),
      ),
    ...Object.entries(HAND_WRITTEN).flatMap(([workload, ratio]) =>
      check(of('handwritten', workload)?.nodeMin, of('rawpg', workload)?.nodeMin, (measured) => ({
        text: `${workload}: handwritten ÷ rawpg, node CPU, within ${STRAW_MAN * 100} % of ${ratio.toFixed(2)}, so that it is no straw man`,
        measured,
        kept: Math.abs(measured / ratio - 1) <= STRAW_MAN,
      })),
    ),
  ];
}

const round = (factor: number): number => Math.round(factor * 100) / 100;

function check(over: number | undefined, under: number | undefined, make: (measured: number) => Check): Check[] {
  return over === undefined || under === undefined ? [] : [make(over / under)];
}
