/** Reads the command line: what to measure, and how long. */
import { parseArgs } from 'node:util';
import { CONTESTANTS, type ContestantName, isContestant } from './contestants.js';
import { isWorkload, type WorkloadName, WORKLOADS } from './workloads.js';

/** What a run measures. */
export interface Plan {
  quick: boolean;
  servers: ContestantName[];
  workloads: WorkloadName[];
  rounds: number;
  /** Milliseconds of one round of one server. */
  round: number;
  /** Milliseconds of CPU that a server is given to warm up for a workload. */
  warmUp: number;
  connections: number;
  /**
   * How often `bench:against` starts the servers: two starts of one commit differ by as much as a tenth, by what V8
   * happens to compile when.
   */
  starts: number;
  /** Where the figures go as JSON. */
  json: string;
  /** Whether the figures are written into docs. */
  publish: boolean;
}

/** How long the two forms take a cell: 15 minutes in all, and 3. */
const TIMES = {
  full: { rounds: 7, round: 1_000, warmUp: 2_500 },
  quick: { rounds: 3, round: 250, warmUp: 600 },
};

/** Only a full run of everything is published. */
export function planOf(args: string[]): Plan {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      servers: { type: 'string' },
      workloads: { type: 'string' },
      rounds: { type: 'string' },
      round: { type: 'string' },
      'warm-up': { type: 'string' },
      connections: { type: 'string', default: '8' },
      starts: { type: 'string', default: '5' },
      json: { type: 'string', default: 'benchmarks/dist/result.json' },
    },
  });
  const times = TIMES[values.quick ? 'quick' : 'full'];

  return {
    quick: values.quick,
    servers: names(values.servers, isContestant, Object.keys(CONTESTANTS).filter(isContestant)),
    workloads: names(values.workloads, isWorkload, Object.keys(WORKLOADS).filter(isWorkload)),
    rounds: positive('rounds', values.rounds ?? times.rounds),
    round: positive('round', values.round ?? times.round),
    warmUp: positive('warm-up', values['warm-up'] ?? times.warmUp),
    connections: positive('connections', values.connections),
    starts: positive('starts', values.starts),
    json: values.json,
    publish: !values.quick && values.servers === undefined && values.workloads === undefined,
  };
}

function names<Name extends string>(text: string | undefined, is: (name: string) => name is Name, all: Name[]): Name[] {
  return (
    text?.split(',').map((name) => {
      if (!is(name)) throw new Error(`"${name}" is none of ${all.join(', ')}`);
      return name;
    }) ?? all
  );
}

function positive(name: string, value: string | number): number {
  const number = Number(value);

  if (!Number.isInteger(number) || number < 1) throw new Error(`--${name} takes a positive integer`);
  return number;
}
