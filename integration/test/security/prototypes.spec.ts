/** Names that every object inherits, in every position: unknown like any other, and `Object.prototype` as it was. */
import { describe, expect, test } from '@jest/globals';
import { describeStage } from './stage.js';
import { type Call, read } from './wire.js';

const KEYS = [
  ...['__proto__', 'constructor', 'prototype', 'toString', 'valueOf', 'hasOwnProperty', '__defineGetter__'],
  ...['__proto__.polluted', 'constructor.prototype.polluted', 'id.constructor', 'company.__proto__'],
];

const text = encodeURIComponent;
/** JSON in which a key stands as it is: a literal's `__proto__` would set the prototype. */
const withKey = (key: string, value: string): string => `{${JSON.stringify(key)}:${value}}`;

/** Positions of a list that refuse the name. */
const REFUSED: readonly (readonly [title: string, query: (key: string) => string])[] = [
  ['filter: field', (key) => `filter=${text(`${key}||eq||1`)}`],
  ['filter: operator', (key) => `filter=${text(`id||${key}||1`)}`],
  ['or: field', (key) => `or=${text(`${key}||notnull`)}`],
  ['s: field', (key) => `s=${text(withKey(key, '1'))}`],
  ['s: field within $or', (key) => `s=${text(`{"$or":[${withKey(key, '{"$ne":1}')},{"id":1}]}`)}`],
  ['s: operator', (key) => `s=${text(`{"id":${withKey(key, '1')}}`)}`],
  ['s: operator with $', (key) => `s=${text(`{"id":${withKey(`$${key}`, '1')}}`)}`],
  ['s: logic', (key) => `s=${text(withKey(`$${key}`, '[{"id":1}]'))}`],
  ['sort: field', (key) => `sort=${text(`${key},ASC`)}`],
  ['sort: order', (key) => `sort=${text(`id,${key}`)}`],
  ['fields', (key) => `fields=${text(key)}`],
  ['join', (key) => `join=${text(key)}`],
  ['join: fields', (key) => `join=${text(`company||${key}`)}`],
  ['join: condition', (key) => `join=${text(`company||on[0]=${key}||eq||1`)}`],
  ['join: operator', (key) => `join=${text(`company||on[0]=company.id||${key}||1`)}`],
];

/** Parameters that nobody knows, in the notations of query parsers that make objects. */
const IGNORED: readonly ((key: string) => string)[] = [
  (key) => `${text(key)}=1`,
  (key) => `${text(key)}[polluted]=1`,
  (key) => `${text(key)}.polluted=1`,
  (key) => `a[${text(key)}][polluted]=1`,
  (key) => `${key.replace(/\.(\w+)/g, '[$1]')}[polluted]=1`,
  (key) => `extra.${text(key)}=1`,
  (key) => `extra.${text(key)}.polluted=1`,
];

const OWN = Object.getOwnPropertyNames(Object.prototype).sort();
const FUNCTIONS = Object.getOwnPropertyNames(Function.prototype).sort();

function expectUnpolluted(): void {
  expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(OWN);
  expect(Object.getOwnPropertyNames(Function.prototype).sort()).toEqual(FUNCTIONS);
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
}

describeStage('prototype keys', (stage) => {
  describe('are unknown as', () => {
    test.each(REFUSED)('%s', async (_, query) => {
      const before = await stage.tables();
      stage.forget();
      const replies = await stage.sendAll(KEYS.map((key) => ({ path: `/users?${query(key)}` })));
      expect(replies.map(({ status }, index) => [KEYS[index], status])).toEqual(KEYS.map((key) => [key, 400]));
      expect(stage.statements()).toEqual([]);
      expect(await stage.tables()).toEqual(before);
      expectUnpolluted();
    });

    test('parameters', async () => {
      const plain = (await stage.send({ path: '/users?limit=2' })).text;
      const replies = await stage.sendAll(
        KEYS.flatMap((key) => IGNORED.map((query) => ({ path: `/users?limit=2&${query(key)}` }))),
      );
      expect(replies.filter(({ status, text: answer }) => status !== 200 || answer !== plain)).toEqual([]);
      expectUnpolluted();
    });

    test('keys of parameters that are known', async () => {
      const replies = await stage.sendAll(
        KEYS.flatMap((key) =>
          ['filter', 'or', 'sort', 'fields', 'join', 'limit', 's'].map((name) => ({
            path: `/users?limit=2&${name}[${text(key)}]=${text('nosuch||eq||1')}`,
          })),
        ),
      );
      // An index that is none makes another parameter, which is ignored, or a malformed one.
      expect(replies.filter(({ status }) => status !== 200 && status !== 400)).toEqual([]);
      expectUnpolluted();
    });

    test('path parameters', async () => {
      const before = await stage.tables();
      const replies = await stage.sendAll(
        KEYS.flatMap((key): Call[] => [
          { path: `/users/${text(key)}` },
          { path: `/companies/${text(key)}/users` },
          { path: `/devices/${text(key)}` },
          { path: `/labels/${text(key)}` },
          { path: `/kinds/${text(key)}/notes` },
          { method: 'DELETE', path: `/memberships/1/${text(key)}` },
        ]),
      );
      expect(replies.filter(({ status }) => status !== 400 && status !== 404)).toEqual([]);
      expect(read(await stage.send({ path: '/tenants/__proto__/folders' }))).toEqual([]);
      expect(await stage.tables()).toEqual(before);
      expectUnpolluted();
    });

    test('path into a JSON column', async () => {
      const replies = await stage.sendAll(
        KEYS.flatMap((key) => [
          { path: `/users?filter=${text(`settings.${key}||eq||1`)}` },
          { path: `/users?filter=${text(`settings.${key}||notnull`)}` },
          { path: `/users?s=${text(withKey(`settings.${key}`, '{"$ne":1}'))}` },
        ]),
      );
      // Data all the way down: no record has such a key.
      expect(
        replies.filter(({ status, text: answer }) => status !== 400 && (status !== 200 || answer !== '[]')),
      ).toEqual([]);
      expectUnpolluted();
    });
  });

  describe('in bodies', () => {
    const POISON = '{"polluted":1,"parentId":1,"id":1,"name":"stolen"}';
    const bodies = [
      `{"name":"proto","__proto__":${POISON}}`,
      `{"name":"proto","constructor":{"prototype":${POISON}}}`,
      `{"name":"proto","prototype":${POISON},"toString":1,"hasOwnProperty":null,"valueOf":"x"}`,
      `{"name":"proto","children":[{"__proto__":${POISON}}],"parent":{"__proto__":${POISON}}}`,
      `{"name":"proto","x":{"y":[{"__proto__":${POISON},"constructor":{"prototype":${POISON}}}]}}`,
    ];

    test.each(bodies)('are no properties of a record: %s', async (body) => {
      const before = (await stage.tables())['categories']!;
      const replies = [
        await stage.send({ method: 'POST', path: '/categories', body }),
        await stage.send({
          method: 'POST',
          path: '/categories/bulk',
          body: `{"bulk":[${body}],"__proto__":{"bulk":[]}}`,
        }),
        await stage.send({ method: 'PATCH', path: '/categories/22', body }),
        await stage.send({ method: 'PUT', path: '/categories/22', body }),
      ];
      const done = [201, 201, 200, 200];
      // A parent without an id is no link; the rest is dropped.
      if (body.includes('"parent":'))
        replies.forEach(({ status }, index) => expect([400, done[index]]).toContain(status));
      else expect(replies.map(({ status }) => status)).toEqual(done);

      const after = (await stage.tables())['categories']!;
      const [old, written] = [21, Infinity].map((last) =>
        after.filter(({ id }) => Number(id) > (last === 21 ? 0 : 21) && Number(id) <= last),
      );
      expect(old).toEqual(before.filter(({ id }) => Number(id) <= 21));
      for (const row of written!)
        expect([row['name'], row['parentId']]).toEqual([row['name'] === 'Empty' ? 'Empty' : 'proto', null]);
      expectUnpolluted();
    });

    test('are the data of a JSON column, or left out of it', async () => {
      const payload = `{"a":{"constructor":1,"toString":"x"},"__proto__":{"polluted":1}}`;
      const reply = await stage.send({
        method: 'POST',
        path: '/events',
        body: `{"kind":"proto","payload":${payload}}`,
      });
      expect(reply.status).toBe(201);
      const stored = read<{ payload: Record<string, unknown> }>(reply).payload;
      expect(stored['polluted']).toBeUndefined();
      expect(Object.keys(stored)).toContain('a');
      expectUnpolluted();
    });

    test('in the place of a body', async () => {
      const before = await stage.tables();
      const replies = await stage.sendAll(
        [
          '{"__proto__":[{"name":"x"}]}',
          '{"constructor":{"bulk":[{"name":"x"}]}}',
          '{"__proto__":{"bulk":[{"name":"x"}]}}',
        ].map((body): Call => ({ method: 'POST', path: '/categories/bulk', body })),
      );
      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400]);
      expect(await stage.tables()).toEqual(before);
      expectUnpolluted();
    });
  });
});
