/** One Jest for every package: TypeScript sources are transformed by SWC and run as ES modules. */
import { availableParallelism } from 'node:os';
import { LEFT_OUT } from './integration/test-support/left-out.js';
import { TESTS_CI } from './integration/test-support/tests-asked-for.js';

/** By which spec files run in groups: see groups/filter.cjs. */
const SWC = '<rootDir>/integration/test-support/groups/transformer.js';

const swc = [
  SWC,
  {
    module: { type: 'es6' },
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', decorators: true },
      transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
      keepClassNames: true,
    },
  },
];

const [, { jsc, ...rest }] = swc;
const { transform } = jsc;
const withClassFields = [
  SWC,
  { ...rest, jsc: { ...jsc, target: 'es2023', transform: { ...transform, useDefineForClassFields: true } } },
];

const shared = {
  testEnvironment: '<rootDir>/integration/test-support/environment.js',
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    // Compiled as `nest new` compiles an application.
    '/integration/workspace/src/.+\\.ts$': withClassFields,
    '^.+\\.ts$': swc,
    // @fastify/static requires this ES module, which Node 20.19 allows and Jest does not.
    '/content-disposition/.+\\.js$': ['@swc/jest', { module: { type: 'commonjs' }, jsc: { target: 'es2022' } }],
  },
  transformIgnorePatterns: ['/node_modules/(?!content-disposition/)'],
  moduleNameMapper: {
    '^@nestwright/example$': '<rootDir>/integration/example/src/index.ts',
    '^@nestwright/crud/adapter$': '<rootDir>/packages/crud/src/adapter.ts',
    '^@nestwright/([\\w-]+)$': '<rootDir>/packages/$1/src/index.ts',
    '^(\\.{1,2}/.*)\\.js$': '$1',
  },
  modulePathIgnorePatterns: ['/dist/', '/\\.vitepress/'],
  testPathIgnorePatterns: [
    '/node_modules/',
    // These are of jest.plain.config.js, by which the newest peers are run with fast paths off; the matrix has the other peers run one suite so.
    '\\.plain\\.spec\\.ts$',
    // Trials that take their time: jest.operations.config.js and jest.clusters.config.js.
    '/integration/operations/',
    '/integration/clusters/',
    ...(process.env.MATRIX ? [] : ['/plain-paths\\.e2e\\.spec\\.ts$']),
    ...(TESTS_CI ? [] : LEFT_OUT.map(({ files }) => files)),
  ],
};

export default {
  projects: [
    {
      ...shared,
      displayName: 'units',
      testMatch: [
        '<rootDir>/packages/{crud-request,client,react-admin,refine,crud,crud-memory,testing,migrate,create-nestwright,schematics}/test/**/*.spec.ts',
      ],
    },
    {
      // Only these start a PostgreSQL of their own, so that a run of pure suites costs nothing.
      ...shared,
      displayName: 'databases',
      testMatch: [
        '<rootDir>/packages/{sql,crud-typeorm,crud-drizzle}/test/**/*.spec.ts',
        '<rootDir>/integration/**/*.spec.ts',
      ],
      globalSetup: '<rootDir>/integration/test-support/databases.setup.js',
      globalTeardown: '<rootDir>/integration/test-support/databases.teardown.js',
    },
    {
      ...shared,
      displayName: 'workspace',
      testMatch: ['<rootDir>/scripts/test/**/*.spec.ts'],
    },
  ],
  filter: '<rootDir>/integration/test-support/groups/filter.cjs',
  testSequencer: '<rootDir>/integration/test-support/sequencer.cjs',
  reporters: ['default', '<rootDir>/integration/test-support/skipped.reporter.js'],
  // One waits for a database while another computes; and the databases take a fixed number of connections, however many
  // cores the machine has.
  maxWorkers: Math.min(availableParallelism() + 1, 4),
  // What suites leave behind in a worker slows all that follow it: a third of the time of a run.
  workerIdleMemoryLimit: '1GB',
  testTimeout: 30_000,
};
