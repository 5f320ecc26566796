/** Drizzle keeps everything that the conformance kit asks, on each database, or on one of them unless everything is tested. */
import { describeAdapter } from '@nestwright/testing';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { TESTS_ALL } from '../../../integration/test-support/tests-asked-for.js';
import { onDrizzle } from './kit-tables.js';

describeDatabases(
  'the conformance kit',
  (database) => describeAdapter(onDrizzle(database)),
  TESTS_ALL ? undefined : ['postgres'],
);
