/** The conformance kit notices what it is for: each seeded fault breaks a promise of it. */
import { expect, test } from '@jest/globals';
import { checkAdapter } from '@nestwright/testing';
import { sampleOf } from '../../../integration/test-support/extent.js';
import { FAULTS } from './faults.js';
import { inMemory } from './kit-tables.js';

test.each(sampleOf(Object.keys(FAULTS)))('%s', async (fault) => {
  expect((await checkAdapter(inMemory(fault, FAULTS[fault]), 1)).map(({ title }) => title)).toHaveLength(1);
});

test('without a fault, every promise is kept', async () => expect(await checkAdapter(inMemory())).toEqual([]));
