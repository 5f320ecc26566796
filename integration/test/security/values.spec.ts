/** Injection strings as values: what a literal comparison would answer, stored and read back as they were sent, bound as parameters alone. And strings and inherited names as keys of bodies: dropped, and nothing but the record itself written. */
import { expect, test } from '@jest/globals';
import { times } from '../../example/src/database/seeding.js';
import { type Attack, attacksInTurn, isStorable, markersIn } from './corpus.js';
import { type Call, describeStage, type Method, prototypes, read, type Reply } from './stage.js';

/** Fastify's router answers longer segments of a path itself. */
const isShort = ({ text: value }: Attack): boolean => encodeURIComponent(value).length < 100;
const text = encodeURIComponent;
const inList = (value: string): string => value.replace(/[\\,]/g, '\\$&');
const json = (value: unknown): string => text(JSON.stringify(value));
const NOBODY = text('id||eq||0');
const ON_NAME = 'company||on[0]=company.name';

/** Conditions that a value may stand in, none of which holds for any record: the strings are stored nowhere yet. */
const CONDITIONS: readonly (readonly [title: string, path: (value: string) => string])[] = [
  ['filter', (value) => `/users?filter=${text(`email||eq||${value}`)}`],
  ['filter: cont', (value) => `/users?filter=${text(`name.first||contL||${value}`)}`],
  ['filter: in', (value) => `/users?filter=${text(`email||in||${inList(value)}`)}`],
  ['or', (value) => `/users?or=${text(`company.name||starts||${value}`)}`],
  ['s', (value) => `/users?s=${json({ $or: [{ email: { $in: [value] } }] })}`],
  ['path into JSON', (value) => `/users?filter=${text(`settings.theme||eq||${value}`)}`],
  ['condition of a join', (value) => `/users?filter=${NOBODY}&join=${text(`${ON_NAME}||eq||${inList(value)}`)}`],
  ['text in a path', (value) => `/tenants/x${text(value)}/folders`],
];

/** Strings of one body, few enough to stay below the platforms' size of a body. */
const PORTION = 12;

/** A body of a user, every object of which bears keys; relations are named, and their records too. */
function userWith(keys: readonly string[], email: string) {
  const unknown = Object.fromEntries(keys.map((key) => [key, key]));
  return {
    ...Object.fromEntries(keys.map((key) => [key, { [key]: [{ [key]: 1 }] }])),
    email,
    password: 'secret-0',
    companyId: 1,
    name: { ...unknown, first: 'Ann' },
    company: { ...unknown, id: 1, name: 'renamed' },
    profile: { ...unknown, city: 'Oslo' },
    projects: [{ ...unknown, id: 1, name: 'renamed', company: { id: 2, ...unknown } }],
  };
}

type Row = Record<string, unknown>;
const PROTOTYPES = prototypes();
const POISON = '{"polluted":1,"parentId":1,"id":1,"name":"stolen"}';

describeStage('values', (stage) => {
  const attacks = attacksInTurn(0);
  const storable = attacks.filter(isStorable);
  const short = storable.filter(isShort);
  const expectOnlyBound = (sent: readonly Attack[]) => {
    const markers = sent.map(({ marker }) => marker);
    expect(markersIn(stage.statements().join('\n'))).toEqual([]);
    expect(stage.bound(markers)).toEqual(markers);
  };

  test.each(CONDITIONS)('are compared as they stand: %s', async (title, path) => {
    const sent = title === 'text in a path' ? short : storable;
    expect(sent.length).toBeGreaterThanOrEqual(30);
    stage.forget();
    const replies = await stage.sendAll(sent.map(({ text: value }) => ({ path: path(value) })));
    expect(replies.filter(({ status, text: answer }) => status !== 200 || answer !== '[]')).toEqual([]);
    expectOnlyBound(sent);
  });

  test('are refused where their column has another type', async () => {
    stage.forget();
    const replies = await stage.sendAll(
      attacks.flatMap(({ text: value }) => [
        { path: `/users?filter=${text(`id||eq||${value}`)}` },
        { path: `/users?s=${json({ 'company.createdAt': { $gt: `${value}!` } })}` },
      ]),
    );
    expect(replies.filter(({ status }) => status !== 400)).toEqual([]);
    expect(markersIn(replies.map(({ text: answer }) => answer).join('\n'))).toEqual([]);
    expect(stage.statements()).toEqual([]);
  });

  test('in bodies are stored, found and read back as they were sent', async () => {
    const before = await stage.tables();
    stage.forget();
    const events = storable.map(({ text: value }) => ({ kind: 'attack', payload: { [value]: [value] } }));
    const created = await stage.send({ method: 'POST', path: '/events/bulk', body: { bulk: events } });
    expect(created.status).toBe(201);
    const bodies = storable.map(({ text: value }, index) => ({ code: `l-${index}`, text: value }));
    const labels = await stage.sendAll(bodies.map((body): Call => ({ method: 'POST', path: '/labels', body })));
    expect(labels.filter(({ status }) => status !== 201)).toEqual([]);
    const search = ({ text: value }: Attack): Call => ({ path: `/labels?s=${json({ text: value })}&fields=text` });
    const found = await stage.sendAll(storable.map(search));
    expect(found.map((reply) => read<object[]>(reply))).toEqual(bodies.map((body) => [body]));
    expectOnlyBound(storable);
    expect(read(await stage.send({ path: '/events?filter=kind||eq||attack&cache=0' }))).toMatchObject(events);
    // The tables agree, and nothing else was touched.
    const { vault_labels: after, events: _, ...others } = await stage.tables();
    const { vault_labels: untouched, events: __, ...before_ } = before;
    const isMade = ({ code }: Row) => String(code).startsWith('l-');
    const made = after!.filter(isMade).map(({ text: value }) => String(value));
    expect(made.sort()).toEqual(storable.map(({ text: value }) => value).sort());
    expect(after!.filter((row) => !isMade(row))).toEqual(untouched);
    expect(others).toEqual(before_);
  });

  test('that are a key address one record', async () => {
    const before = await stage.tables();
    const send = (method: Method, bodyOf: (value: string) => object | undefined = () => undefined) =>
      stage.sendAll(
        short.map(({ text: value }) => ({ method, path: `/labels/${text(`k${value}`)}`, body: bodyOf(value) })),
      );
    stage.forget();
    const made = await send('PUT', (value) => ({ code: 'x', text: value }));
    const keys = short.map(({ text: value }) => [201, `k${value}`]);
    expect(made.map((reply) => [reply.status, read(reply)['code']])).toEqual(keys);
    expect((await send('GET')).map((reply) => read(reply)['text'])).toEqual(short.map(({ text: value }) => value));
    expect((await send('DELETE')).filter(({ status }) => status !== 200)).toEqual([]);
    expectOnlyBound(short);
    expect(await stage.tables()).toEqual(before);
  });

  test('in a query string write nothing', async () => {
    const before = await stage.tables();
    const paths = ['/categories/1?name=changed', '/users/1?email=x@example.com&_method=DELETE'];
    const replies = await stage.sendAll(paths.map((path) => ({ path })));
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(read(replies[0]!)['name']).toBe('Electronics');
    expect(await stage.tables()).toEqual(before);
  });

  test('as keys of bodies are not stored by any route', async () => {
    const before = await stage.tables();
    const portionAt = (start: number) => attacks.slice(start, start + PORTION).map(({ text: key }) => key);
    const portions = times(Math.ceil(attacks.length / PORTION), (index) => portionAt(index * PORTION));
    let emails = 0;
    /** Who was written: whatever the keys, as if they had not been there. */
    type Of<T> = (index: number) => T;
    const write = async (method: 'POST' | 'PATCH' | 'PUT', pathOf: Of<string>, headersOf: Of<object> = () => ({})) => {
      const bodies = portions.map((keys) => userWith(keys, `k${(emails += 1)}@example.com`));
      const calls = bodies.map((body, index) => {
        const path = pathOf(index);
        return { method, path, headers: headersOf(index), body: path.endsWith('bulk') ? { bulk: [body] } : body };
      });
      const replies = await stage.sendAll(calls as Call[]);
      expect(replies.filter(({ status }) => status !== (method === 'POST' ? 201 : 200))).toEqual([]);
      expect(markersIn(replies.map((reply: Reply) => JSON.stringify(reply)).join('\n'))).toEqual([]);
      const records = replies.flatMap((reply) => read<{ id: number }[]>(reply));
      const name = { first: 'Ann', last: null };
      expect(records).toMatchObject(
        bodies.map(({ email }) => ({ email, companyId: 1, name, settings: null, role: 'member', isActive: true })),
      );
      return records.map(({ id }) => id);
    };
    stage.forget();
    const posted = await write('POST', () => '/users');
    const inBulk = await write('POST', () => '/users/bulk');
    for (const method of ['PATCH', 'PUT'] as const) {
      await write(method, (index) => `/users/${posted[index]}`);
      await write(method, (index) => `/companies/1/users/${inBulk[index]}`);
    }
    await write('PATCH', () => '/me', (index) => ({ 'x-demo-user': String(posted[index]) })); // prettier-ignore
    expect(markersIn(stage.statements().join('\n'))).toEqual([]);
    const after = await stage.tables();
    expect(markersIn(JSON.stringify({ ...after, events: [], vault_labels: [] }))).toEqual([]);
    // What was there is as it was, companies and projects that the bodies tried to rename among it.
    const counted: Record<string, string> = { users: 'id', user_profiles: 'id', user_projects: 'userId' };
    const isOld = (table: string) => (row: Row) => !(table in counted) || Number(row[counted[table]!]) <= 100;
    const old = Object.entries(after).map(([table, rows]) => [table, rows.filter(isOld(table))]);
    expect(Object.fromEntries(old)).toEqual(before);
    expect(after['users']).toHaveLength(100 + 2 * portions.length);
  });

  test.each([
    `{"name":"proto","__proto__":${POISON}}`,
    `{"name":"proto","constructor":{"prototype":${POISON}}}`,
    `{"name":"proto","prototype":${POISON},"toString":1,"hasOwnProperty":null,"valueOf":"x"}`,
    `{"name":"proto","children":[{"__proto__":${POISON}}]}`,
    `{"name":"proto","x":{"y":[{"__proto__":${POISON},"constructor":{"prototype":${POISON}}}]}}`,
  ])('inherited names in a body are no properties of a record: %s', async (body) => {
    const { categories: before, ...others } = await stage.tables();
    const made = await stage.send({ method: 'POST', path: '/categories', body });
    const path = `/categories/${String(read(made)['id'])}`;
    const bulk = `{"bulk":[${body}],"__proto__":{"bulk":[]}}`;
    const replies = [
      await stage.send({ method: 'POST', path: '/categories/bulk', body: bulk }),
      await stage.send({ method: 'PATCH', path, body }),
      await stage.send({ method: 'PUT', path, body }),
    ];
    expect([made, ...replies].map(({ status }) => status)).toEqual([201, 201, 200, 200]);
    const { categories: after, ...rest } = await stage.tables();
    const [proto, count] = [{ name: 'proto', parentId: null }, before!.length];
    expect(after).toMatchObject([...before!, proto, proto]);
    expect([after!.length, rest]).toEqual([count + 2, others]);
    expect(prototypes()).toEqual(PROTOTYPES);
  });

  test('inherited names are the data of a JSON column, or left out of it, and no body', async () => {
    const payload = `{"a":{"constructor":1,"toString":"x"},"__proto__":{"polluted":1}}`;
    const body = `{"kind":"proto","payload":${payload}}`;
    const reply = await stage.send({ method: 'POST', path: '/events', body });
    const stored = read<{ payload: Record<string, unknown> }>(reply).payload;
    expect([reply.status, stored['a'] !== undefined, stored['polluted']]).toEqual([201, true, undefined]);
    const before = await stage.tables();
    const items = '{"bulk":[{"name":"x"}]}';
    const bodies = ['{"__proto__":[{"name":"x"}]}', `{"constructor":${items}}`, `{"__proto__":${items}}`];
    const calls = bodies.map((one): Call => ({ method: 'POST', path: '/categories/bulk', body: one }));
    expect((await stage.sendAll(calls)).map(({ status }) => status)).toEqual([400, 400, 400]);
    expect(await stage.tables()).toEqual(before);
    expect(prototypes()).toEqual(PROTOTYPES);
  });
});
