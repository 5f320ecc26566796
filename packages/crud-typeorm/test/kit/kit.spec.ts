/** TypeORM keeps everything that the conformance kit asks, on each database. */
import { describeAdapter } from '@nestwright/testing';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { onTypeOrm } from './tables.js';

describeDatabases('the conformance kit', (database) => describeAdapter(onTypeOrm(database)));
