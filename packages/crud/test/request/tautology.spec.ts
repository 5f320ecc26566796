/** Trusted conditions → whether they restrict anything; plans say the same of random ones. */
import { expect, jest, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { SCondition } from '@nestwright/crud-request';
import fc from 'fast-check';
import { sampleCount } from '../../../../integration/test-support/extent.js';
import { planRead } from '../../src/plan/read.js';
import type { PlannedCondition } from '../../src/plan/read-plan.js';
import { isTautology } from '../../src/request/tautology.js';
import { catalog, column } from '../plan/catalogs.js';
import { requestOf } from '../plan/plans.js';

const customOperators = { near: { query: () => 'TRUE' } };
const of = catalog('Thing', [
  column('id', 'integer', { primary: true }),
  column('name', 'text'),
  column('owner.code', 'text'),
  column('age', 'integer', { nullable: true }),
  column('nick', 'text', { nullable: true }),
  column('cipher', 'text', { transformed: true }),
  column('total', 'integer', { source: 'virtual' }),
  column('settings', 'json'),
  column('tags', 'array', { nullable: true, elementKind: 'text' }),
]);
const always = (condition: unknown, known: typeof of | null = of) =>
  isTautology(condition as SCondition, { catalog: known ?? undefined, customOperators });

test.each<object>([
  ...[{}, { $and: [] }, { $and: [{}] }, { $or: [{}] }, { $or: [{}, { id: 1 }] }, { $or: [{ id: 1 }, {}] }, { id: {} }],
  ...[{ id: { $notin: [] } }, { age: { notinL: [] } }, { tags: { $contArr: [] } }, { 'company.id': { $notin: [] } }],
  ...[{ age: { $or: { $eq: 5, $notin: [] } } }, { $not: { $or: [] } }, { $not: { id: { $in: [] } } }],
  ...[{ $not: { tags: { $intersectsArr: [] } } }, { $not: [{ id: 1 }, { $or: [] }] }, { $not: { $not: {} } }],
  ...[{ $and: [{ id: {} }, { $or: [{ $and: [] }] }] }, { $or: [{ id: undefined }, { $not: { id: { $in: [] } } }] }],
])('%j is true by its form alone, and restricts nothing', (condition) => {
  expect([always(condition), always(condition, null)]).toEqual([true, true]);
});

test.each<object>([
  ...[{ id: { $notnull: true } }, { id: { $ne: null } }, { id: { $isnull: false } }, { $not: { id: null } }],
  ...[{ name: { $cont: '' } }, { name: { $startsL: '' } }, { 'owner.code': { ends: '' } }],
  { $not: { name: { $excl: '' } } },
])('%j restricts nothing, as the columns are never null', (condition) => {
  expect([always(condition), always(condition, null)]).toEqual([true, false]);
});

test.each<unknown>([
  ...[{ id: null }, { id: undefined }, { $not: { id: undefined } }, { $or: [] }, { $or: [{ id: 1 }] }, { $not: {} }],
  ...[{ $and: [{}, { id: 1 }] }, { $not: { id: 1 } }, { id: { $in: [] } }, { id: { $gt: 0 } }, { id: { $or: {} } }],
  ...[{ age: { $notnull: true } }, { nick: { $cont: '' } }, { name: { $excl: '' } }, { name: '' }],
  ...[{ cipher: { $cont: '' } }, { total: { $notnull: true } }, { 'settings.name': { $cont: '' } }],
  ...[{ 'company.name': { $cont: '' } }, { nowhere: { $notnull: true } }, { id: { near: 1 } }, { id: new Date(0) }],
  ...[{ $not: [] }, { id: [] }, [], [{}], 7, new Map()],
])('%j restricts, or is refused later', (condition) => {
  expect(always(condition)).toBe(false);
});

const operator = fc.oneof(
  ...[fc.record({ $eq: fc.constantFrom(1, undefined) }), fc.record({ $ne: fc.constant(1) }), fc.constant({})],
  ...[fc.record({ $in: fc.subarray([1, 2]) }), fc.record({ $notin: fc.subarray([1, 2]) })],
);
const { condition } = fc.letrec<{ condition: SCondition; leaf: SCondition }>((tie) => {
  const items = fc.array(tie('condition'), { maxLength: 3 });
  const compared = fc.oneof(
    operator,
    fc.tuple(operator, operator).map(([one, other]) => ({ ...one, $or: other })),
  );
  const combined = fc.tuple(tie('leaf'), items).map(([leaf, $or]) => ({ ...(leaf as object), $or }));

  return {
    leaf: fc.oneof(
      fc.constant({}),
      fc.record({ id: compared }),
      fc.record({ age: compared }),
    ) as fc.Arbitrary<SCondition>,
    condition: fc.oneof(
      { maxDepth: 4 },
      tie('leaf'),
      ...[fc.record({ $and: items }), fc.record({ $or: items }), combined],
      fc.record({ $not: fc.oneof(tie('condition'), items) }),
    ) as fc.Arbitrary<SCondition>,
  };
});

/** What holds of a plan where every comparison is unknown, by SQL's three values. */
function truthOf(where: PlannedCondition | undefined): boolean | null {
  if (!where) return true;
  if (where.kind === 'constant') return where.value === 'unknown' ? null : where.value;
  if (where.kind === 'not') {
    const truth = truthOf(where.item);

    return truth === null ? null : !truth;
  }
  if (where.kind !== 'and' && where.kind !== 'or') return null;
  const [truths, decisive] = [where.items.map(truthOf), where.kind === 'or'];

  return truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
}

test('a random condition is true by its form exactly where its plan holds though every comparison is unknown', () => {
  jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  let held = 0;
  fc.assert(
    fc.property(condition, (search) => {
      const holds = truthOf(planRead(requestOf({ search }), of, 'many').where) === true;
      held += Number(holds);
      expect(always(search, null)).toBe(holds);
    }),
    { numRuns: sampleCount(5000) },
  );
  expect(held).toBeGreaterThan(sampleCount(250));
  jest.restoreAllMocks();
});
