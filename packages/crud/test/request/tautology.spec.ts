/** Trusted conditions → whether they restrict anything. */
import { expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
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

test.each<object>([
  ...[{}, { $and: [] }, { $and: [{}] }, { $or: [{}] }, { $or: [{}, { id: 1 }] }, { $or: [{ id: 1 }, {}] }, { id: {} }],
  ...[{ id: { $notin: [] } }, { age: { notinL: [] } }, { tags: { $contArr: [] } }, { 'company.id': { $notin: [] } }],
  ...[{ age: { $or: { $eq: 5, $notin: [] } } }, { $not: { $or: [] } }, { $not: { id: { $in: [] } } }],
  ...[{ $not: { tags: { $intersectsArr: [] } } }, { $not: [{ id: 1 }, { $or: [] }] }, { $not: { $not: {} } }],
  ...[{ $and: [{ id: {} }, { $or: [{ $and: [] }] }] }, { $or: [{ id: undefined }, { $not: { id: { $in: [] } } }] }],
])('%j is true by its form alone, and restricts nothing', (condition) =>
  expect([always(condition), always(condition, null)]).toEqual([true, true]),
);

test.each<object>([
  ...[{ id: { $notnull: true } }, { id: { $ne: null } }, { id: { $isnull: false } }, { $not: { id: null } }],
  ...[{ name: { $cont: '' } }, { name: { $startsL: '' } }, { 'owner.code': { ends: '' } }],
  { $not: { name: { $excl: '' } } },
])('%j restricts nothing, as the columns are never null', (condition) =>
  expect([always(condition), always(condition, null)]).toEqual([true, false]),
);

test.each<unknown>([
  ...[{ id: null }, { id: undefined }, { $not: { id: undefined } }, { $or: [] }, { $or: [{ id: 1 }] }, { $not: {} }],
  ...[{ $and: [{}, { id: 1 }] }, { $not: { id: 1 } }, { id: { $in: [] } }, { id: { $gt: 0 } }, { id: { $or: {} } }],
  ...[{ age: { $notnull: true } }, { nick: { $cont: '' } }, { name: { $excl: '' } }, { name: '' }],
  { name: { $cont: 'x' } },
  ...[{ cipher: { $cont: '' } }, { total: { $notnull: true } }, { 'settings.name': { $cont: '' } }],
  ...[{ 'company.name': { $cont: '' } }, { nowhere: { $notnull: true } }, { id: { near: 1 } }, { id: new Date(0) }],
  ...[{ $not: [] }, { id: [] }, [], [{}], 7, new Map()],
])('%j restricts, or is refused later', (condition) => expect(always(condition)).toBe(false));
