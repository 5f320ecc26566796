/**
 * How much a run tests. TESTS says it: unset, what a change most likely breaks; `ci`, what a change of the sources can break, and on
 * every database what tells one from another; `all`, everything, on each database and both HTTP platforms, with all samples.
 */
const { TESTS } = process.env;

if (TESTS !== undefined && !['', 'ci', 'all'].includes(TESTS))
  throw new Error(`TESTS is ci or all, or not set, not ${TESTS}.`);

export const TESTS_ALL = TESTS === 'all';

/** Whether no spec file is left out, and suites that compare databases run on each. */
export const TESTS_CI = TESTS_ALL || TESTS === 'ci';
