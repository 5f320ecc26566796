/** The same requests to two servers. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../src/command.js';
import { compare } from '../src/compare.js';
import { findDifferences } from '../src/differences.js';
import { readSteps } from '../src/steps.js';

type Asked = { readonly request: string; readonly body: unknown; readonly headers: IncomingMessage['headers'] };
type Answer = readonly [status: number, body: unknown, headers?: Record<string, string>];
const always =
  (...answer: Answer) =>
  (): Answer =>
    answer;
const servers: Server[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** A server on a free port, which keeps what it was asked. */
async function serve(answer: (asked: Asked) => Answer): Promise<{ readonly url: string; readonly asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const sent = text === '' ? undefined : (JSON.parse(text) as unknown);
    asked.push({ request: `${request.method} ${request.url}`, body: sent, headers: request.headers });
    const [status, body, headers] = answer(asked.at(-1)!);
    const sentBack = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
    response.writeHead(status, { connection: 'close', ...headers }).end(sentBack);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const play = async (file: object, before: (asked: Asked) => Answer, after: (asked: Asked) => Answer) => {
  const [old, current] = await Promise.all([serve(before), serve(after)]);
  const comparison = await compare([old.url, current.url], readSteps(JSON.stringify(file)));
  return { ...comparison, asked: [old.asked, current.asked] as const };
};

describe('two servers', () => {
  const users = [
    { id: 1, name: 'Ann', createdAt: '2020' },
    { id: 2, name: 'Bob', createdAt: '2020' },
  ];
  const steps = [{ request: 'GET /users?limit=2' }, { request: 'GET /users/1' }, { request: 'GET /users/none' }];
  const answer =
    (list: readonly object[], missing: number, message = 'none') =>
    (asked: Asked): Answer => {
      if (asked.request.endsWith('none')) return [missing, { message }];
      return [200, asked.request.endsWith('1') ? list.find((user) => 'id' in user && user.id === 1) : { data: list }];
    };

  test('that answer alike', async () => {
    // Of errors, only the status is compared.
    const { text, isSame, asked } = await play({ steps }, answer(users, 404), answer(users, 404, 'other'));
    expect([text, isSame]).toEqual(['No differences in the answers to 3 requests.\n', true]);
    expect(asked[0].map(({ headers }) => headers['content-type'])).toEqual([undefined, undefined, undefined]);
  });

  test('of which one has other values, another order and another status', async () => {
    const [ann, bob] = users;
    const others = [bob, { ...ann, name: 'Anne' }].map((user) => ({ ...user, createdAt: '2021' }));
    const { text, isSame } = await play({ ignore: ['createdAt'], steps }, answer(users, 404), answer(others, 400));
    expect(isSame).toBe(false);
    expect(text).toBe(`GET /users?limit=2
  data: other order, 1, 2 → 2, 1
  data[id 1].name: "Ann" → "Anne"

GET /users/1
  name: "Ann" → "Anne"

GET /users/none
  status: 404 → 400

Differences in the answers to 3 of 3 requests.
`);
  });

  test('by the command, whose exit code says whether they answer alike', async () => {
    const later = users.map((user) => ({ ...user, createdAt: '2021' }));
    const [old, current] = [await serve(answer(users, 404)), await serve(answer(later, 404))];
    const folder = await mkdtemp(join(tmpdir(), 'nestwright-compare-'));
    await writeFile(join(folder, 'steps.json'), JSON.stringify({ ignore: ['name'], steps }));
    const comparing = async (...options: string[]) => {
      let said = '';
      const args = ['compare', old.url, current.url, join(folder, 'steps.json'), ...options];
      const code = await run(args, (text) => (said += text));
      return [code, said];
    };
    const same = 'No differences in the answers to 3 requests.\n';
    expect(await comparing('--ignore', 'a,createdAt')).toEqual([0, same]);
    expect(await comparing()).toEqual([1, expect.stringContaining('GET /users/1\n  createdAt: "2020" → "2021"\n')]);
    await rm(folder, { recursive: true });
  });

  test('with keys of their own, which later steps use', async () => {
    const creating =
      (id: string | number) =>
      (asked: Asked): Answer =>
        asked.request.startsWith('POST') ? [201, { data: { id }, none: null }] : [200, { id, parent: { id } }];
    const file = {
      headers: { authorization: 'Bearer token' },
      steps: [
        { request: 'POST /users', body: { name: 'Ann' }, save: { user: 'data.id', a: 'none.id', b: 'missing.id' } },
        { request: 'PATCH /users/{user}', body: { link: '{user}' }, headers: { 'x-tenant': '7' } },
      ],
    };
    const { isSame, asked } = await play(file, creating('a/1'), creating('b"2'));
    expect(isSame).toBe(true);
    for (const [at, [path, link]] of Object.entries({ 'a%2F1': 'a/1', 'b%222': 'b"2' }).entries()) {
      const [creation, change] = asked[at]!;
      expect([creation!.request, creation!.body]).toEqual(['POST /users', { name: 'Ann' }]);
      expect([change!.request, change!.body]).toEqual([`PATCH /users/${path}`, { link }]);
      const json = { 'content-type': 'application/json' };
      expect(change!.headers).toMatchObject({ authorization: 'Bearer token', 'x-tenant': '7', ...json });
    }
    const numbered = await play(file, creating(1), creating(7));
    expect(numbered.text).toMatch(/^POST \/users\n {2}data\.id: 1 → 7\n\nPATCH \/users\/\{user\}\n {2}id: 1 → 7\n/);
  });

  test('of which a redirect leads elsewhere: nothing else is asked', async () => {
    const elsewhere = await serve(always(200, {}));
    const redirect = always(302, undefined, { location: elsewhere.url });
    expect((await play({ steps }, redirect, redirect)).isSame).toBe(true);
    expect(elsewhere.asked).toEqual([]);
  });

  test('of which one does not answer', async () => {
    const { url } = await serve(always(200, {}));
    const plan = readSteps(JSON.stringify({ steps }));
    const comparing = (other: string) => expect(compare([url, other], plan)).rejects;
    await comparing('http://127.0.0.1:1/').toThrow('GET http://127.0.0.1:1/users?limit=2 has no answer: fetch failed');
    for (const other of ['http://', 'x:http://localhost:3000'])
      await comparing(other).toThrow(`${other} must be an address such as http://localhost:3000`);
    const reading = readSteps('{"steps":[{"request":"GET /","body":{}}]}');
    await expect(compare([url, url], reading)).rejects.toThrow(`GET ${url}/ has no answer: Request with GET/HEAD`);
  });
});

test.each([
  [{ a: 1, b: 2 }, { a: 1, c: null }, ['b: missing, was 2', 'c: added, null']],
  [[1, 2], [2, 1], ['body: other order']],
  [{ a: [1], b: { c: 1 } }, { a: [1, 2], b: { c: 2 } }, ['a: 1 → 2 items', 'b.c: 1 → 2']],
  [null, { a: 1 }, ['body: null → {"a":1}']],
  [[{ id: 1 }], [{ a: 1 }], ['[0].id: missing, was 1', '[0].a: added, 1']],
  [
    [{ id: 1 }, { id: 2 }, { id: 3 }],
    [{ id: 3, a: 1 }, { id: 2 }, { id: 4 }],
    ['[id 1]: missing', '[id 4]: added', 'body: other order, 2, 3 → 3, 2', '[id 3].a: added, 1'],
  ],
  ['x'.repeat(78), 'x'.repeat(79), [`body: "${'x'.repeat(78)}" → "${'x'.repeat(79)}…`]],
])('%j and %j', (before, after, lines) => expect(findDifferences(before, after)).toEqual(lines));

test('at most ten differences of a request are printed', async () => {
  const steps = [{ request: 'GET /' }];
  const compared = (length: number) => play({ steps }, always(200, { ...Array(length).fill(0) }), always(200, {}));
  expect((await compared(12)).text).toContain('  9: missing, was 0\n  … and 2 more\n');
  expect((await compared(10)).text).toContain('  9: missing, was 0\n\n');
});

test.each([
  ['It must be an object with a list of steps.', ['[]', '{}', 'null']],
  ['Step 1 must have a request, such as "GET /users?limit=10".', ['{"steps":[null]}', '{"steps":[{}]}']],
  ...['GET /a b', 'GET http://a.example/', 'FETCH /'].map((request): [string, string[]] => [
    `Step 1: "${request}" must be a method and a path`,
    [JSON.stringify({ steps: [{ request }] })],
  ]),
  [
    'Step 1: save must be an object of texts.',
    ['{"a":"x","b":1}', '{"a":1}'].map((save) => `{"steps":[{"request":"GET /","save":${save}}]}`),
  ],
  ['headers must be an object of texts.', ['"a"', 'null', '[]'].map((headers) => `{"headers":${headers},"steps":[]}`)],
  ['ignore must be a list of names.', ['["a",1]', '"a"'].map((ignore) => `{"ignore":${ignore},"steps":[]}`)],
])('%s', (message, texts) => {
  for (const text of texts) expect(() => readSteps(text)).toThrow(message);
});

test('the steps.json of the guide can be read', () => {
  const guide = readFileSync(new URL('../../../docs/migration.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json steps\.json\n([\s\S]+?)```/.exec(guide) ?? [];
  expect(readSteps(example).steps.length).toBeGreaterThan(2);
});
