/**
 * The suites over entities once more, compiled as a project from `nest new` is, by swc and by tsc: class fields that nobody sets exist all the same, as `undefined`.
 * `npm run test:class-fields`. The packages' own sources stay as they are published. By tsc under TESTS=all alone.
 */
import { TESTS_ALL } from './integration/test-support/tests-asked-for.js';
import config from './jest.config.js';

const databases = config.projects.find(({ displayName }) => displayName === 'databases');
const [[transformer, options]] = Object.values(databases.transform);

const swc = [
  transformer,
  { ...options, jsc: { ...options.jsc, transform: { ...options.jsc.transform, useDefineForClassFields: true } } },
];
const tsc = ['<rootDir>/integration/test-support/tsc.transformer.js', {}];

const SUITES = '<rootDir>/packages/crud-typeorm/test';

const compiledBy = (displayName, compiler, testMatch) => ({
  ...databases,
  displayName,
  testMatch,
  transform: { '/(test|integration)/.+\\.ts$': compiler, ...databases.transform },
});

/** What meets class fields first. */
const FIRST = [`${SUITES}/persist/{entities,verbs,nested-keys}.spec.ts`, `${SUITES}/kinds/!(values).spec.ts`];
const EVERY_SUITE = [
  `${SUITES}/{persist,returning}/**/*.spec.ts`,
  `${SUITES}/kinds/!(values).spec.ts`,
  `${SUITES}/hooks.spec.ts`,
];
const BODIES = [
  '<rootDir>/packages/crud/test/core/{bodies,quick-instances.fast}.spec.ts',
  '<rootDir>/integration/test/example.e2e.spec.ts',
];

export default {
  ...config,
  // Both projects run some of the same files.
  filter: undefined,
  projects: [
    compiledBy('class fields, swc', swc, [...(TESTS_ALL ? EVERY_SUITE : FIRST), ...BODIES]),
    ...(TESTS_ALL ? [compiledBy('class fields, tsc', tsc, FIRST)] : []),
  ],
};
