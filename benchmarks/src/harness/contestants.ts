/** The servers that are compared: which file, in which tree of packages, and how it spells its queries. */
import type { Spelling } from './workloads.js';

/** One row of the table below. */
export interface Contestant {
  title: string;
  /** Path of the compiled server from the folder `benchmarks`. */
  file: string;
  spelling: Spelling;
  environment?: Record<string, string>;
}

/** The servers, by the names that `--servers` uses, in the order of the tables. */
export const CONTESTANTS = {
  express: { title: 'nestwright (Express)', file: 'dist/servers/nestwright.js', spelling: 'crud' },
  fastify: {
    title: 'nestwright (Fastify)',
    file: 'dist/servers/nestwright.js',
    spelling: 'crud',
    environment: { BENCH_HTTP: 'fastify' },
  },
  interceptor: {
    title: 'nestwright, application with an interceptor',
    file: 'dist/servers/nestwright.js',
    spelling: 'crud',
    environment: { BENCH_INTERCEPTOR: '1' },
  },
  plain: {
    title: 'nestwright, fast paths off',
    file: 'dist/servers/nestwright.js',
    spelling: 'crud',
    environment: { BENCH_FAST_PATHS: 'off', NESTWRIGHT_FAST_PATHS: 'off' },
  },
  handwritten: { title: 'hand-written Nest + TypeORM', file: 'dist/servers/handwritten.js', spelling: 'plain' },
  rawpg: { title: 'Nest + hand-written SQL on pg', file: 'dist/servers/rawpg.js', spelling: 'plain' },
  dataui: { title: '@dataui/crud', file: 'nest11/dist/nest11/dataui.js', spelling: 'crud' },
  paginate: { title: 'nestjs-paginate', file: 'nest11/dist/nest11/paginate.js', spelling: 'paginate' },
} as const satisfies Record<string, Contestant>;

/** Applications whose start alone is measured: empty, with 200 entities, with 200 resources. */
const STARTED = {
  empty: started('empty'),
  entities: started('entities'),
  resources: started('resources'),
};

/** Name of a server. */
export type ContestantName = keyof typeof CONTESTANTS | keyof typeof STARTED;

/** The names of what is only started. */
export const STARTERS = Object.keys(STARTED) as (keyof typeof STARTED)[];

/** The row of a server, read as what all rows have in common. */
export const contestant = (name: ContestantName): Contestant => ({ ...CONTESTANTS, ...STARTED })[name];

function started(title: string): Contestant {
  const environment = { BENCH_RESOURCES: title };

  return { title, file: 'dist/servers/many-resources.js', spelling: 'crud', environment };
}

/** Whether a text, as from the command line, names a server. */
export const isContestant = (name: string): name is keyof typeof CONTESTANTS => Object.hasOwn(CONTESTANTS, name);
