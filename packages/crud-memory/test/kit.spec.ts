/** Records in memory keep everything that the conformance kit asks. */
import { describeAdapter } from '@nestwright/testing';
import { inMemory } from './kit-tables.js';

describeAdapter(inMemory());
