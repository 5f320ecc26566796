/** Injection strings as values: what a literal comparison would answer, stored and read back as they were sent, bound as parameters and never in the text of a statement. */
import { expect, test } from '@jest/globals';
import { type Attack, ATTACKS, attacksInTurn, isStorable } from './corpus.js';
import { describeStage, type Stage } from './stage.js';
import { type Call, read } from './wire.js';

const MARKERS = ATTACKS.map(({ marker }) => marker);
/** Fastify's router answers longer segments of a path itself. */
const isShort = ({ text: value }: Attack): boolean => encodeURIComponent(value).length < 100;

const text = encodeURIComponent;
const inList = (value: string): string => value.replace(/[\\,]/g, '\\$&');
const json = (value: unknown): string => text(JSON.stringify(value));

function expectOnlyBound(stage: Stage, attacks: readonly Attack[]): void {
  const spoken = stage.statements().join('\n');
  expect(MARKERS.filter((marker) => spoken.includes(marker))).toEqual([]);
  const markers = attacks.map(({ marker }) => marker);
  expect(stage.bound(markers)).toEqual(new Set(markers));
}

/** Conditions that a value may stand in, none of which holds for any record: the strings are stored nowhere yet. */
const CONDITIONS: readonly (readonly [title: string, path: (value: string) => string])[] = [
  ['filter', (value) => `/users?filter=${text(`email||eq||${value}`)}`],
  ['filter: cont', (value) => `/users?filter=${text(`name.first||contL||${value}`)}`],
  ['filter: in', (value) => `/users?filter=${text(`email||in||${inList(value)}`)}`],
  ['or', (value) => `/users?or=${text(`company.name||starts||${value}`)}`],
  ['s', (value) => `/users?s=${json({ $or: [{ email: { $in: [value] } }] })}`],
  ['path into JSON', (value) => `/users?filter=${text(`settings.theme||eq||${value}`)}`],
  [
    'condition of a join',
    (value) => `/users?filter=${text('id||eq||0')}&join=${text(`company||on[0]=company.name||eq||${inList(value)}`)}`,
  ],
  ['text in a path', (value) => `/tenants/x${text(value)}/folders`],
];

describeStage('values', (stage) => {
  const attacks = attacksInTurn(0);
  const storable = attacks.filter(isStorable);
  const short = storable.filter(isShort);

  test('are enough', () => {
    expect(storable.length).toBeGreaterThanOrEqual(50);
    expect(new Set(short.map(({ technique }) => technique)).size).toBeGreaterThanOrEqual(30);
  });

  test.each(CONDITIONS)('are compared as they stand: %s', async (title, path) => {
    const sent = title === 'text in a path' ? short : storable;
    stage.forget();

    const replies = await stage.sendAll(sent.map(({ text: value }) => ({ path: path(value) })));
    expect(replies.filter(({ status, text: answer }) => status !== 200 || answer !== '[]')).toEqual([]);
    expectOnlyBound(stage, sent);
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
    const answers = replies.map(({ text: answer }) => answer).join('\n');
    expect(MARKERS.filter((marker) => answers.includes(marker))).toEqual([]);
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
    expect(new Set(labels.map(({ status }) => status))).toEqual(new Set([201]));

    const found = await stage.sendAll(
      storable.map(({ text: value }) => ({ path: `/labels?s=${json({ text: value })}&fields=text` })),
    );
    expect(found.map((reply) => read<object[]>(reply))).toEqual(bodies.map((body) => [body]));
    expectOnlyBound(stage, storable);

    const stored = await stage.send({ path: '/events?filter=kind||eq||attack&cache=0' });
    expect(read<{ payload: unknown }[]>(stored).map(({ payload }) => payload)).toEqual(
      events.map(({ payload }) => payload),
    );
    // The witness agrees, and nothing else was touched.
    const { vault_labels: after, events: _, ...others } = await stage.tables();
    const { vault_labels: untouched, events: __, ...before_ } = before;
    const isMade = ({ code }: Record<string, unknown>) => String(code).startsWith('l-');
    const made = after!.filter(isMade).map(({ text: value }) => String(value));
    expect(made.sort()).toEqual(storable.map(({ text: value }) => value).sort());
    expect(after!.filter((row) => !isMade(row))).toEqual(untouched);
    expect(others).toEqual(before_);
  });

  test('that are a key address one record', async () => {
    const before = await stage.tables();
    const path = (value: string) => `/labels/${text(`k${value}`)}`;
    stage.forget();
    const made = await stage.sendAll(
      short.map(({ text: value }): Call => ({ method: 'PUT', path: path(value), body: { code: 'x', text: value } })),
    );
    expect(made.map((reply) => [reply.status, read(reply)['code']])).toEqual(
      short.map(({ text: value }) => [201, `k${value}`]),
    );
    const seen = await stage.sendAll(short.map(({ text: value }) => ({ path: path(value) })));
    expect(seen.map((reply) => read(reply)['text'])).toEqual(short.map(({ text: value }) => value));
    const removed = await stage.sendAll(
      short.map(({ text: value }): Call => ({ method: 'DELETE', path: path(value) })),
    );
    expect(new Set(removed.map(({ status }) => status))).toEqual(new Set([200]));
    expectOnlyBound(stage, short);
    expect(await stage.tables()).toEqual(before);
  });

  test('in a query string write nothing', async () => {
    const before = await stage.tables();
    const replies = await stage.sendAll([
      { path: '/categories/1?name=changed' },
      { path: '/users/1?email=x@example.com&_method=DELETE' },
    ]);
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    expect(read(replies[0]!)['name']).toBe('Electronics');
    expect(await stage.tables()).toEqual(before);
  });
});
