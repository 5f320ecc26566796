/**
 * Suites that drive a service or an application once more, with the fast paths off and tripwires where they were: `npm run test:plain`.
 * Those that compare most answers in the least time; under TESTS=all every one.
 */
import config from './jest.config.js';
import { TRIPPED_FILES } from './integration/test-support/plain/tripwires.js';
import { TESTS_ALL } from './integration/test-support/tests-asked-for.js';

process.env.NESTWRIGHT_FAST_PATHS = 'off';

const databases = config.projects.find(({ displayName }) => displayName === 'databases');
const swc = databases.transform['^.+\\.ts$'];

const EVERY_SUITE = [...databases.testMatch, '<rootDir>/packages/crud/test/{core,serialization}/**/*.spec.ts'];
const COMPARING_SUITES = [
  '<rootDir>/integration/corpus/*.spec.ts',
  '<rootDir>/integration/test/example.e2e.spec.ts',
  '<rootDir>/integration/test-support/plain/*.spec.ts',
  '<rootDir>/packages/crud-typeorm/test/kit/*.spec.ts',
  '<rootDir>/packages/crud-typeorm/test/persist/{entities,verbs}.spec.ts',
  '<rootDir>/packages/crud-typeorm/test/read/{conditions,service}.spec.ts',
  '<rootDir>/packages/crud/test/{core/bodies,serialization/serialize}.spec.ts',
];

export default {
  ...config,
  projects: [
    {
      ...databases,
      displayName: 'plain',
      testMatch: TESTS_ALL ? EVERY_SUITE : COMPARING_SUITES,
      testPathIgnorePatterns: [
        '/node_modules/',
        // What is about a fast path itself.
        '\\.fast\\.spec\\.ts$',
        // What drives no service, or one in a browser: the page of the documentation.
        '/test-support/test/',
        '/docs-page\\.e2e\\.spec\\.ts$',
        // What is refused, described or named before a service is asked.
        '/security/(injection|exhaustion)\\.spec\\.ts$',
        '/client\\.e2e\\.spec\\.ts$',
        '/(upstream-names|own-names)\\.spec\\.ts$',
        '/kinds/(openapi|schemas)\\.spec\\.ts$',
        '/integration/(operations|clusters)/',
        // The end-to-end suite of the example with fast paths off, which the matrix runs too.
        '/plain-paths\\.e2e\\.spec\\.ts$',
      ],
      transform: {
        [TRIPPED_FILES]: ['<rootDir>/integration/test-support/plain/tripwires.js', swc[1]],
        ...databases.transform,
      },
      setupFilesAfterEnv: ['<rootDir>/integration/test-support/plain/setup.ts'],
    },
  ],
};
