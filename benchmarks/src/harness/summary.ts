/** Sums the rounds up: one figure of each kind per workload and server. */
import type { Cell } from './measure.js';

/** A workload on a server; milliseconds, CPU per request. */
export interface Summary extends Omit<Cell, 'rounds'> {
  nodeMin: number;
  nodeMedian: number;
  /** Undefined where PostgreSQL is on another machine. */
  databaseMin: number | undefined;
  databaseMedian: number | undefined;
  perSecond: number;
  p50: number;
  p99: number;
}

/** Least and median of CPU, since what others take of the machine only adds; medians of what a client sees. */
export function summarize({ rounds, ...cell }: Cell): Summary {
  const node = rounds.map(({ nodeCpu }) => nodeCpu);
  const database = rounds.map(({ databaseCpu }) => databaseCpu).filter((time) => time !== undefined);

  return {
    ...cell,
    nodeMin: Math.min(...node),
    nodeMedian: median(node),
    databaseMin: database.length ? Math.min(...database) : undefined,
    databaseMedian: database.length ? median(database) : undefined,
    perSecond: median(rounds.map(({ perSecond }) => perSecond)),
    p50: median(rounds.map(({ p50 }) => p50)),
    p99: median(rounds.map(({ p99 }) => p99)),
  };
}

/** The middle of at least one number; of an even count the greater of the two in the middle. */
export function median(numbers: number[]): number {
  return numbers.toSorted((one, other) => one - other)[numbers.length >> 1]!;
}
