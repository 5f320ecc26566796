/** Trusted conditions → whether they restrict anything; an evaluator of its own, with SQL's three values, says the same of random ones. */
import { describe, expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import fc from 'fast-check';
import { sampleCount } from '../../../../integration/test-support/extent.js';
import { isTautology } from '../../src/request/tautology.js';
import { catalog, column } from '../plan/catalogs.js';

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

describe('a condition that is true by its form alone restricts nothing', () => {
  test.each([
    {},
    { $and: [] },
    { $and: [{}] },
    { $or: [{}] },
    { $or: [{}, { id: 1 }] },
    { $or: [{ id: 1 }, {}] },
    { id: {} },
    { id: { $notin: [] } },
    { age: { notinL: [] } },
    { tags: { $contArr: [] } },
    { 'company.id': { $notin: [] } },
    { age: { $or: { $eq: 5, $notin: [] } } },
    { $not: { $or: [] } },
    { $not: { id: { $in: [] } } },
    { $not: { tags: { $intersectsArr: [] } } },
    { $not: [{ id: 1 }, { $or: [] }] },
    { $not: { $not: {} } },
    { $and: [{ id: {} }, { $or: [{ $and: [] }] }] },
    { $or: [{ id: undefined }, { $not: { id: { $in: [] } } }] },
  ])('%j', (condition) => {
    expect([always(condition), always(condition, null)]).toEqual([true, true]);
  });

  test.each([
    { id: { $notnull: true } },
    { id: { $ne: null } },
    { id: { $isnull: false } },
    { $not: { id: null } },
    { name: { $cont: '' } },
    { name: { $startsL: '' } },
    { 'owner.code': { ends: '' } },
    { $not: { name: { $excl: '' } } },
  ])('%j, as the columns are never null', (condition) => {
    expect([always(condition), always(condition, null)]).toEqual([true, false]);
  });
});

test.each([
  { id: null },
  { id: undefined },
  { $not: { id: undefined } },
  { $or: [] },
  { $or: [{ id: 1 }] },
  { $and: [{}, { id: 1 }] },
  { $not: {} },
  { $not: [] },
  { $not: { id: 1 } },
  { id: { $in: [] } },
  { id: { $gt: 0 } },
  { id: { $or: {} } },
  { age: { $notnull: true } },
  { nick: { $cont: '' } },
  { name: { $excl: '' } },
  { name: '' },
  { cipher: { $cont: '' } },
  { total: { $notnull: true } },
  { 'settings.name': { $cont: '' } },
  { 'company.name': { $cont: '' } },
  { nowhere: { $notnull: true } },
  { id: { near: 1 } },
  { id: new Date(0) },
  { id: [] },
  [],
  [{}],
  7,
  new Map(),
])('%j restricts, or is refused later', (condition) => {
  expect(always(condition)).toBe(false);
});

type Row = Readonly<Record<string, number | string | null>>;
type Truth = boolean | null;

/** SQL's reading of the part of the language that is drawn below, from its text alone. */
function truth(condition: object, row: Row): Truth {
  return every(
    Object.entries(condition).map(([key, value]: [string, unknown]): Truth => {
      const items = (Array.isArray(value) ? value : [value]) as object[];
      const truths = () => items.map((item) => truth(item, row));
      if (key === '$and') return every(truths());
      if (key === '$or') return some(truths());
      if (key === '$not') return negated(every(truths()));
      if (typeof value !== 'object' || value === null)
        return compare(row[key]!, value === null ? '$isnull' : '$eq', value);

      return every(Object.entries(value).map(([operator, operand]) => compareAll(row[key]!, operator, operand)));
    }),
  );
}

function compareAll(stored: Row[string], operator: string, operand: unknown): Truth {
  return operator === '$or'
    ? some(Object.entries(operand as object).map(([name, value]) => compareAll(stored, name, value)))
    : compare(stored, operator, operand);
}

function compare(stored: Row[string], operator: string, operand: unknown): Truth {
  const list = operand as unknown[];
  if (operator === '$isnull') return stored === null;
  if (operator === '$notnull') return stored !== null;
  if (operator === '$in' && list.length === 0) return false;
  if (operator === '$notin' && list.length === 0) return true;
  if (stored === null || operand === undefined) return null;
  if (operator === '$in') return list.includes(stored);
  if (operator === '$notin') return !list.includes(stored);
  if (operator === '$cont') return String(stored).includes(String(operand));

  return (stored === operand) === (operator === '$eq');
}

const negated = (truth: Truth): Truth => (truth === null ? null : !truth);
const every = (truths: Truth[]): Truth => (truths.includes(false) ? false : truths.includes(null) ? null : true);
const some = (truths: Truth[]): Truth => negated(every(truths.map(negated)));

const pairs = (values: (number | string)[], texts: boolean): fc.Arbitrary<object> =>
  fc.oneof(
    fc.record({ $eq: fc.constantFrom(...values, undefined) }),
    fc.record({ $ne: fc.constantFrom(...values) }),
    fc.record({ $in: fc.subarray(values) }),
    fc.record({ $notin: fc.subarray(values) }),
    fc.record({ $isnull: fc.constant(true) }),
    fc.record({ $notnull: fc.constant(true) }),
    ...(texts ? [fc.record({ $cont: fc.constantFrom('', 'a') })] : []),
    fc.constant({}),
  );
const comparisons = (values: (number | string)[], texts: boolean) => {
  const plain = pairs(values, texts);

  return fc.oneof(
    plain,
    fc.tuple(plain, plain).map(([one, other]) => ({ ...one, $or: other })),
  );
};
const { condition } = fc.letrec<{ condition: SCondition; leaf: SCondition }>((tie) => ({
  leaf: fc.oneof(
    fc.constant({}),
    fc.record({ id: comparisons([1, 2], false) }),
    fc.record({ age: comparisons([1, 2], false) }),
    fc.record({ name: comparisons(['', 'a'], true) }),
    fc.record({ nick: comparisons(['', 'a'], true) }),
  ) as fc.Arbitrary<SCondition>,
  condition: fc.oneof(
    { maxDepth: 4 },
    tie('leaf'),
    fc.record({ $and: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ $or: fc.array(tie('condition'), { maxLength: 3 }) }),
    fc.record({ $not: fc.oneof(tie('condition'), fc.array(tie('condition'), { maxLength: 2 })) }),
    fc
      .tuple(tie('leaf'), fc.array(tie('condition'), { maxLength: 2 }))
      .map(([leaf, $or]) => ({ ...(leaf as object), $or })),
  ) as fc.Arbitrary<SCondition>,
}));

const ROWS: Row[] = [1, 2].flatMap((id) =>
  ['', 'a', 'b'].flatMap((name) =>
    [null, 1, 2].flatMap((age) => [null, '', 'a', 'b'].map((nick) => ({ id, name, age, nick }))),
  ),
);
const NOTHING: Row = { id: null, name: null, age: null, nick: null };

describe('of random conditions', () => {
  test('a condition that excludes a record is never reported as always true', () => {
    let held = 0;
    fc.assert(
      fc.property(condition, (drawn) => {
        if (!always(drawn)) return;
        held += 1;
        expect(ROWS.filter((row) => truth(drawn, row) !== true)).toEqual([]);
      }),
      { numRuns: sampleCount(5000) },
    );
    expect(held).toBeGreaterThan(sampleCount(250));
  });

  test('conditions that hold even where every comparison is unknown are found without a catalog', () => {
    let held = 0;
    fc.assert(
      fc.property(condition, (drawn) => {
        // What asks for null is no comparison: only a column can tell.
        if (/null/.test(JSON.stringify(drawn))) return;
        held += Number(truth(drawn, NOTHING) === true);
        expect(always(drawn, null)).toBe(truth(drawn, NOTHING) === true);
      }),
      { numRuns: sampleCount(5000) },
    );
    expect(held).toBeGreaterThan(sampleCount(250));
  });
});
