/** Drizzle keeps everything that the conformance kit asks, on each database. */
import { describeAdapter } from '@nestwright/testing';
import { describeDatabases } from '../../../integration/test-support/index.js';
import { onDrizzle } from './kit-tables.js';

describeDatabases('the conformance kit', (database) => describeAdapter(onDrizzle(database)));
