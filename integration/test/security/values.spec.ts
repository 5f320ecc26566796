/** Injection strings as values: what a literal comparison would answer, stored and read back as they were sent, bound as parameters alone. And strings and inherited names as keys of bodies: dropped, and nothing but the record itself written. */
import { expect, test } from '@jest/globals';
import { times } from '../../example/src/database/seeding.js';
import { type Attack, attacksInTurn, isStorable, markersIn } from './corpus.js';
import { type Call, describeStage, type Method, prototypes, read } from './stage.js';

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
    expect(sent.length).toBeGreaterThanOrEqual(20);
    stage.forget();
    const replies = await stage.sendAll(sent.map(({ text: value }) => ({ path: path(value) })));
    expect(replies.filter(({ status, text: answer }) => status !== 200 || answer !== '[]')).toEqual([]);
    expectOnlyBound(sent);
  });

  test('in bodies are stored, found and read back as they were sent', async () => {
    const before = await stage.tables();
    stage.forget();
    const events = storable.map(({ text: value }) => ({ kind: 'attack', payload: { [value]: [value] } }));
    const created = await stage.send({ method: 'POST', path: '/events/bulk', body: { bulk: events } });
    const bodies = storable.map(({ text: value }, index) => ({ code: `l-${index}`, text: value }));
    const labels = await stage.sendAll(bodies.map((body): Call => ({ method: 'POST', path: '/labels', body })));
    expect([created, ...labels].filter(({ status }) => status !== 201)).toEqual([]);
    const search = ({ text: value }: Attack): Call => ({ path: `/labels?s=${json({ text: value })}&fields=text` });
    const found = await stage.sendAll(storable.map(search));
    expect(found.map((reply) => read<object[]>(reply))).toEqual(bodies.map((body) => [body]));
    expectOnlyBound(storable);
    expect(read(await stage.send({ path: '/events?filter=kind||eq||attack&cache=0' }))).toMatchObject(events);
    // The table agrees, and nothing else was touched.
    const { vault_labels: after, ...others } = await stage.tables();
    const isMade = ({ code }: Row) => String(code).startsWith('l-');
    const made = after!.filter(isMade).map(({ text: value }) => String(value));
    expect(made.sort()).toEqual(storable.map(({ text: value }) => value).sort());
    expect({ ...others, vault_labels: after!.filter((row) => !isMade(row)), events: before['events'] }).toEqual(before);
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

  test('as keys of bodies are not stored by any route, and reach no other record', async () => {
    const { users: before, user_profiles: _, user_projects: __, ...others } = await stage.tables();
    // Few enough to stay below the platforms' size of a body.
    const portions = times(5, (index) => attacks.filter((___, at) => at % 5 === index).map(({ text: key }) => key));
    stage.forget();
    for (const [at, keys] of portions.entries()) {
      for (const [method, path, status] of [
        ['POST', '/users', 201],
        ['POST', '/users/bulk', 201],
        ['PATCH', '/users/2', 200],
        ['PUT', '/companies/1/users/3', 200],
        ['PATCH', '/me', 200],
      ] as const) {
        const email = `${at}${method}${path.replaceAll('/', '.')}@example.com`;
        const one = userWith(keys, email);
        const body = path.endsWith('bulk') ? { bulk: [one] } : one;
        const reply = await stage.send({ method, path, body, headers: { 'x-demo-user': '4' } });
        const [record] = [read<object>(reply)].flat();
        expect([method, path, reply.status, markersIn(JSON.stringify(reply))]).toEqual([method, path, status, []]);
        expect(record).toMatchObject({ email, companyId: 1, name: { first: 'Ann' } });
      }
    }
    expect(markersIn(stage.statements().join('\n'))).toEqual([]);
    const { users: after, user_profiles: profiles, user_projects: links, ...rest } = await stage.tables();
    expect(markersIn(JSON.stringify([after, profiles, links]))).toEqual([]);
    // Companies and projects that the bodies tried to rename are as they were, like everybody else.
    expect(rest).toEqual(others);
    const isElse = ({ id }: Row) => ![2, 3, 4].includes(Number(id)) && Number(id) <= before!.length;
    expect(after!.filter(isElse)).toEqual(before!.filter(isElse));
    expect(after).toHaveLength(before!.length + 2 * portions.length);
  });

  test.each([
    `{"name":"proto","__proto__":${POISON}}`,
    `{"name":"proto","constructor":{"prototype":${POISON}},"prototype":${POISON},"toString":1,"valueOf":"x"}`,
    `{"name":"proto","children":[{"__proto__":${POISON}}],"x":[{"__proto__":${POISON}}]}`,
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
    const proto = { name: 'proto', parentId: null };
    expect(after).toMatchObject([...before!, proto, proto]);
    expect([after!.length, rest]).toEqual([before!.length + 2, others]);
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
