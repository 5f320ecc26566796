/** The servers that are compared: which file, in which tree of packages, and how it spells its queries. */
import type { Spelling, WorkloadName } from './workloads.js';

/** One row of the table below. */
export interface Contestant {
  title: string;
  /** Path of the compiled server from the folder `benchmarks`. */
  file: string;
  spelling: Spelling;
  environment?: Record<string, string>;
  /** Workloads that it has no resource for. Default: none. */
  lacks?: readonly WorkloadName[];
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
  drizzle: { title: 'nestwright on Drizzle', file: 'dist/servers/drizzle.js', spelling: 'crud', lacks: ['L10'] },
  handdrizzle: {
    title: 'hand-written Nest + Drizzle',
    file: 'dist/servers/handwritten-drizzle.js',
    spelling: 'plain',
    lacks: ['L10'],
  },
  dataui: { title: '@dataui/crud', file: 'nest11/dist/nest11/dataui.js', spelling: 'crud' },
  paginate: { title: 'nestjs-paginate', file: 'nest11/dist/nest11/paginate.js', spelling: 'paginate' },
} as const satisfies Record<string, Contestant>;

/** Applications whose start alone is measured: empty, with 200 entities, with 200 resources. */
const STARTED = {
  empty: started('empty'),
  entities: started('entities'),
  resources: started('resources'),
};

/** nestwright with one of its fast paths turned off, by the name that `NESTWRIGHT_FAST_PATHS` has for it. */
const ABLATED = {
  rows: without('rows'),
  text: without('text'),
  returning: without('returning'),
  bodies: without('bodies'),
  handlers: without('handlers'),
  serialization: without('serialization'),
};

const { BENCH_EARLIER = '', BENCH_EARLIER_NAME = '' } = process.env;

/** nestwright of an earlier commit, built in a folder of its own; twice, since what two servers of one commit differ by is what cannot be told. */
const EARLIER = {
  earlier: { title: BENCH_EARLIER_NAME, file: BENCH_EARLIER, spelling: 'crud' },
  control: { title: BENCH_EARLIER_NAME, file: BENCH_EARLIER, spelling: 'crud' },
} as const satisfies Record<string, Contestant>;

/** Resources of pages by cursor, of tags and of hooks, which `bench:reads` asks by paths of their own. */
const READ = {
  reads: { title: 'nestwright', file: 'dist/servers/reads.js', spelling: 'crud' },
} as const satisfies Record<string, Contestant>;

const ALL = { ...CONTESTANTS, ...STARTED, ...ABLATED, ...EARLIER, ...READ };

/** Name of a server. */
export type ContestantName = keyof typeof ALL;

/** The fast paths that are turned off one by one. */
export const FAST_PATHS = Object.keys(ABLATED) as (keyof typeof ABLATED)[];

/** The names of what is only started. */
export const STARTERS = Object.keys(STARTED) as (keyof typeof STARTED)[];

/** The row of a server, read as what all rows have in common. */
export const contestant = (name: ContestantName): Contestant => ALL[name];

function started(title: string): Contestant {
  const environment = { BENCH_RESOURCES: title };

  return { title, file: 'dist/servers/many-resources.js', spelling: 'crud', environment };
}

function without(path: string): Contestant {
  return {
    title: path,
    file: 'dist/servers/nestwright.js',
    spelling: 'crud',
    environment: { NESTWRIGHT_FAST_PATHS: `-${path}` },
  };
}

/** Whether a text, as from the command line, names a server. */
export const isContestant = (name: string): name is keyof typeof CONTESTANTS => Object.hasOwn(CONTESTANTS, name);
