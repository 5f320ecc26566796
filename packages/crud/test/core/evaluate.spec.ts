/** In: filters of `@CrudAuth()` that say nothing, however they are written, and filters that say something. Out: which of them count as stated. */
import { expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import { evaluateAuth } from '../../src/auth/evaluate.js';

const filterOf = async (filter: unknown) =>
  (await evaluateAuth({ filter: () => filter as SCondition }, {}))?.filter as unknown;

test.each([
  {},
  { $and: [] },
  { $and: [{}] },
  { $or: [{}] },
  { $or: [{ id: 1 }, {}] },
  { id: {} },
  { $and: [{ id: {} }, { $or: [{ $and: [] }] }] },
])('%j holds for every record: it is no filter', async (filter) => {
  expect(await filterOf(filter)).toBeUndefined();
});

test.each([
  { id: null },
  { id: undefined },
  { $or: [] },
  { $or: [{ id: 1 }] },
  { $and: [{}, { id: 1 }] },
  { $not: {} },
  { id: new Date(0) },
  { id: [] },
  [],
  [{}],
])('%j is a filter', async (filter) => {
  expect(await filterOf(filter)).toBe(filter);
});
