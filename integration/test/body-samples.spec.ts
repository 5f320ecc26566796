/** The example of every body in the documents of both applications in; sent as it stands, it is taken, but for the few whose reason stands here. */
import { afterAll, describe, expect, test } from '@jest/globals';
import { serveExample } from '../test-support/example.js';
import type { Served } from '../test-support/served.js';
import { serveWorkspace } from '../test-support/workspace.js';

interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example?: unknown } } };
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

type Records = readonly Readonly<Record<string, unknown>>[];

const ON = { databaseUrl: 'sqljs:', http: 'express' } as const;
/** Whatever creates stands before whatever changes. */
const METHODS = ['post', 'patch', 'put'];

interface Case {
  readonly name: string;
  readonly serve: () => Promise<Served>;
  readonly headers: Readonly<Record<string, string>>;
  /** Operations whose example is refused, and by which code. */
  readonly refused: Readonly<Record<string, string>>;
  /** Bodies that the application describes itself. */
  readonly own: readonly string[];
}

const CASES: readonly Case[] = [
  {
    name: 'example',
    serve: () => serveExample(ON),
    headers: { 'x-demo-user': '1' },
    // The key of a membership is its two foreign keys, and user 1 is a member of company 1 already.
    refused: { 'POST /memberships': 'CRUD_UNIQUE_VIOLATION' },
    own: [],
  },
  {
    name: 'workspace',
    serve: () => serveWorkspace(ON),
    headers: { 'x-demo-member': '1' },
    // It wants the tag of the project, which is a header.
    refused: { 'PATCH /projects/{id}': 'CRUD_PRECONDITION_REQUIRED' },
    own: ['POST /projects/{projectId}/tasks/{id}/complete'],
  },
];

describe.each(CASES)('$name', ({ serve, headers, refused, own }) => {
  const running: Served[] = [];
  afterAll(() => Promise.all(running.splice(0).map((served) => served.close())));

  test('takes the example of each body', async () => {
    const served = await serve();
    running.push(served);
    const call = (path: string, method = 'GET', body?: unknown) =>
      fetch(served.origin + path, {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    /** The example, but for the keys of its items: those of records that are there. */
    const ofStored = async (path: string, example: unknown): Promise<unknown> => {
      const { bulk } = example as { readonly bulk?: Records };
      if (!bulk?.[0] || !('id' in bulk[0])) return example;

      const query = path.endsWith('/recover') ? '?includeDeleted=1&filter=deletedAt||notnull' : '';
      const stored = (await (await call(path.replace(/\/bulk.*/, query))).json()) as Records;

      return { bulk: bulk.map((item, index) => ({ ...item, id: stored.at(-1 - index)?.['id'] })) };
    };
    const { paths } = (await (await call('/docs-json')).json()) as Document;
    const operations = Object.entries(paths)
      .flatMap(([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })))
      .filter(({ operation }) => operation.requestBody)
      .sort((a, b) => METHODS.indexOf(a.method) - METHODS.indexOf(b.method));
    const seen: Record<string, unknown> = {};
    const missing: string[] = [];

    for (const { path, method, operation } of operations) {
      const name = `${method.toUpperCase()} ${path}`;
      const { example } = operation.requestBody!.content['application/json'];
      if (example === undefined) {
        missing.push(name);
        continue;
      }

      // The record of the path is the last of its list: one that an example has made, where it is a list of such.
      const parent = path.replace('{companyId}/users', '1/users').replace('{projectId}', '1');
      const [list = '', key] = parent.split('/{');
      const found =
        key === undefined ? [] : ((await (await call(list)).json()) as Records | { readonly data: Records });
      const record = ('data' in found ? found.data : found).at(-1);
      const target = parent.replace(/\{(\w+)\}/g, (_, name: string) => String(record?.[name]));
      const answer = await call(target, method.toUpperCase(), await ofStored(target, example));
      const text = await answer.text();
      const body = text === '' ? {} : (JSON.parse(text) as { code?: string });

      expect([name, ...Object.keys(operation.responses)]).toContain(String(answer.status));
      if (!answer.ok) seen[name] = body.code ?? body;
    }

    expect(seen).toEqual(refused);
    expect(missing).toEqual(own);
    expect(operations.length).toBeGreaterThan(20);
  }, 120_000);
});
