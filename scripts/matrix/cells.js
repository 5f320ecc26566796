/** The matrix as data: which versions are installed side by side, what is run on each, and which tests a cell may lack, with the reason. */

/** A copy of the working tree with its own node_modules; versions as `install-peers.js` takes them. The oldest drivers are the lowest that TypeORM 0.3.20 allows. */
export const TREES = {
  newest: { nest: '12', typeorm: '1' },
  older: { nest: '11', typeorm: '0.3' },
  oldest: { nest: '11', typeorm: '0.3.20', mysql2: '2.2.5', pg: '8.5.1' },
};

/** The lines of Node.js that are supported, oldest first; the oldest is `engines` of the packages. */
export const NODE_LINES = ['20.19', '22', '24', '26'];

/** The peers of an empty application, which npm must install without force: each line of Nest with each of an ORM, at its oldest and its newest. */
export const PEERS = ['12', '11'].flatMap((nest) =>
  [{ typeorm: '1' }, { typeorm: '0.3' }, { typeorm: '0.3.20' }, { 'drizzle-orm': '0.45' }].map((orm) => ({
    nest,
    orm,
  })),
);

/** What a cell runs when it is not told otherwise: every suite, in Jest, from the sources. */
export const SUITES = [
  'packages/crud-request/test',
  'packages/crud/test',
  'packages/sql/test',
  'packages/crud-typeorm/test',
  'integration',
];

/** Of those, under `--brief`, what meets the peers first: what an application is asked over HTTP, on SQLite. */
export const BRIEF = ['packages/crud/test/core', 'integration/(example|test/[^/]+\\.e2e)'];

/** What tells whether the oldest drivers are handed values alone, and reads and writes them. */
const DRIVERS = [
  'integration/test/security',
  'packages/crud-typeorm/test/kinds/(values|made-values)',
  'packages/crud-typeorm/test/(persist/verbs|read/service)',
];

/** What an application that uses the packages as they are published is asked over HTTP. */
const END_TO_END = ['integration/test/[^/]+\\.e2e\\.', 'integration/example/test/app\\.'];

/** What an older or newer Node.js is asked where there is little time. */
export const BRIEF_ON_NODE = [
  ...END_TO_END,
  'packages/crud-request/test',
  'packages/crud-typeorm/test/(persist/verbs|read/service)',
];

/**
 * `consumer`: the format in which the example and the packages are compiled and run, in a process of its own; none: the sources, in Jest.
 * The first cell is what the others are compared with.
 */
export const CELLS = {
  nest12: { tree: 'newest', suites: SUITES },
  'nest12-esm': { tree: 'newest', suites: END_TO_END, consumer: 'esm' },
  'nest12-cjs': { tree: 'newest', suites: END_TO_END, consumer: 'cjs' },
  nest11: { tree: 'older', suites: SUITES },
  'nest11-esm': { tree: 'older', suites: END_TO_END, consumer: 'esm' },
  'nest11-cjs': { tree: 'older', suites: END_TO_END, consumer: 'cjs' },
  'typeorm-0.3.20': { tree: 'oldest', suites: SUITES },
  'oldest-drivers': { tree: 'oldest', suites: DRIVERS },
};

/** Tests of Nest 12 on Express that other cells need not pass; a row that names no test of its cells, or one that passes, fails the run. */
export const DIFFERENCES = [
  {
    cells: /^(nest11|typeorm-0\.3\.20)$/,
    tests: /where Nest orders routes by specificity/,
    reason: 'Nest 11 has no routeResolutionStrategy',
  },
];
