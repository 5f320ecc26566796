/** Nested records → their plans: keys that they share with their parent, and what the application sets in them. */
import { expect, test } from '@jest/globals';
import type { Catalog } from '../../src/plan/catalog.js';
import { bodyScope } from '../../src/plan/body-scope.js';
import { planWrite } from '../../src/plan/write.js';
import type { PlannedCascadeItem, PlannedKey, WriteMode } from '../../src/plan/write-plan.js';
import { catalog, column, companies, relation } from './catalogs.js';
import { refusalOf } from './plans.js';

const primary = { primary: true };
const text = column('text', 'text', { nullable: true });
const cascading = { cascadeInsert: true, cascadeUpdate: true };

/** An order has lines and kept ones, whose key is the order's and a number, and a note, whose key is the order's. */
const orders: Catalog = catalog(
  'Order',
  [column('id', 'integer', primary)],
  [
    relation('lines', 'one-to-many', () => lines, { inverse: 'order', ...cascading }),
    relation('kept', 'one-to-many', () => lines, { inverse: 'order', cascadeInsert: true }),
    relation('note', 'one-to-one-inverse', () => notes, { inverse: 'order', ...cascading }),
    relation('tags', 'many-to-many', () => tags, { cascadeInsert: true }),
  ],
);

const orderId = column('orderId', 'integer', primary);
const order = (kind: 'many-to-one' | 'one-to-one') =>
  relation('order', kind, () => orders, { references: () => [{ column: orderId, references: orders.primary[0]! }] });
const lines = catalog('Line', [orderId, column('no', 'integer', primary), text], [order('many-to-one')]);
const notes = catalog('Note', [orderId, text], [order('one-to-one')]);
const tags = catalog('Tag', [column('id', 'integer', { primary: true, generated: true }), text]);

const plain = (values: PlannedKey | undefined) =>
  values && Object.fromEntries(values.map((planned) => [planned.column.path, planned.value]));
const itemOf = ({ key, ownKey, parentKey, plan, update }: PlannedCascadeItem) => ({
  key: plain(key),
  ownKey: plain(ownKey),
  parentKey: parentKey?.map((planned) => [planned.column.path, planned.value]),
  plan: plain(plan.values),
  update: plain(update?.values),
});
const itemsOf = (body: object, mode: WriteMode = 'update') =>
  planWrite(orders, body, mode).cascades.flatMap(({ items }) => items.map(itemOf));

test.each<[string, body: object, ...items: object[]]>([
  [
    'the rest of its key, whichever parent it names',
    { lines: [{ no: 1, text: 'x' }, { no: 2, orderId: 9 }, { no: 3, orderId: null }, { no: 4, orderId: {} }] }, // prettier-ignore
    { ownKey: { no: 1 }, parentKey: [], plan: { no: 1, text: 'x' }, update: { text: 'x' } },
    { ownKey: { no: 2 }, parentKey: [['orderId', 9]], plan: { no: 2 }, update: {} },
    ...[3, 4].map((no) => ({ ownKey: { no }, parentKey: [], plan: { no }, update: {} })),
  ],
  [
    'the rest of its key, and not changed if the relation cascades no changes',
    { kept: [{ no: 1, text: 'x' }] },
    { ownKey: { no: 1 }, parentKey: [], plan: { no: 1, text: 'x' }, update: {} },
  ],
  ['the key of its parent alone', { note: { orderId: 9, text: 'x' } }, { key: { orderId: 9 }, plan: { text: 'x' } }],
  [
    'no key, if the relation holds one child only',
    { note: { text: 'x' } },
    { plan: { text: 'x' }, update: { text: 'x' } },
  ],
])('a child whose key includes the key of its parent is identified by %s', (_, body, ...items) =>
  expect(itemsOf(body)).toEqual(items),
);

test('a body that names one child twice by the rest of its key is refused', () => {
  const refusal = refusalOf(() => itemsOf({ lines: [{ no: 1 }, { no: '1', orderId: 9 }] }));
  expect(refusal).toMatchObject({ code: 'CRUD_INVALID_BODY', message: ['lines names one record twice'] });
});

test('of a many-to-many relation, records without a key are inserted, and records with a key are linked', () => {
  const { links, cascades } = planWrite(orders, { tags: [{ text: 'x' }, { id: 4, text: 'y' }] }, 'update');
  expect(links.map(({ keys }) => keys.map(plain))).toEqual([[{ id: 4 }]]);
  expect(cascades.flatMap(({ items }) => items.map(({ plan }) => plain(plan.values)))).toEqual([{ text: 'x' }]);
  expect(planWrite(orders, { tags: [{ id: 4 }] }, 'update').cascades).toEqual([]);
});

test('values that the application sets are stored in new nested records, and in others only beside values of the client', () => {
  const scope = bodyScope({ path: [], related: { users: { email: 'set' } } }, companies);
  const users = [{ email: 'a' }, { age: 5 }, {}, { id: 3, email: 'a' }, { id: 4, age: 5 }];
  const [cascade] = planWrite(companies, { users }, 'update', { scope }).cascades;
  expect(cascade!.items.map(({ plan }) => [plain(plan.values), plan.persisted])).toEqual([
    [{ email: 'set' }, ['email']],
    [{ email: 'set', age: 5 }, ['email']],
    [{ email: 'set' }, ['email']],
    [{}, undefined],
    [{ email: 'set', age: 5 }, ['email']],
  ]);
});

test('a nested record is not inserted if the application sets a key that the column cannot store', () => {
  const scope = bodyScope({ path: [], related: { users: { id: 'x' } } }, companies);
  const users = [{ email: 'a' }, { id: 3, email: 'b' }];
  const [made, kept] = planWrite(companies, { users }, 'update', { scope }).cascades[0]!.items;
  expect(made!.plan.insertRefusal!()).toMatchObject({ response: { code: 'CRUD_OUT_OF_SCOPE', field: 'users.0' } });
  expect(kept!.plan.insertRefusal).toBeUndefined();
  expect([made, kept].map((item) => [...item!.plan.persistedKey!.values()])).toStrictEqual([[undefined], [undefined]]);
});
