/** A TypeScript client that `openapi-typescript` makes of the example's document compiles, and calls every operation of it over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { clientFile, type Document, makeClientTypes } from '../test-support/client-types.js';
import { mistakesIn } from '../test-support/compile.js';
import { type RunningExample, serveExample } from '../test-support/example.js';

describe('a generated client', () => {
  let example: RunningExample;
  let document: Document;

  beforeAll(async () => {
    example = await serveExample({ databaseUrl: 'sqljs:', http: 'express' });
    document = await makeClientTypes(example, 'paths.ts');
  }, 60_000);
  afterAll(() => example.close());

  test('compiles', () => {
    expect(mistakesIn(clientFile('calls.ts'))).toEqual([]);
  }, 60_000);

  test('tells the typed client what a resource has', async () => {
    expect(mistakesIn(clientFile('described.ts'))).toEqual([]);

    const { readUsers, readName } = (await import('./client/described.js' as string)) as {
      readUsers(url: string): Promise<object[]>;
      readName(url: string): Promise<{ version: number }>;
    };
    const users = await readUsers(example.origin);
    expect(users).toHaveLength(3);
    for (const user of users) {
      expect(user).toEqual({
        id: expect.any(Number),
        email: expect.any(String),
        age: expect.any(Number),
        company: { id: expect.any(Number), name: expect.any(String) },
      });
    }
    expect((await readName(example.origin)).version).toBe(1);
  }, 60_000);

  test('calls every operation, and is answered as the document says', async () => {
    const { callAll } = (await import('./client/calls.js' as string)) as {
      callAll(url: string): Promise<{ operation: string; status: number }[]>;
    };
    const calls = await callAll(example.origin);
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { responses }]) =>
        responses ? [{ operation: `${method.toUpperCase()} ${path}`, statuses: Object.keys(responses) }] : [],
      ),
    );

    expect(calls.map(({ operation }) => operation).sort()).toEqual(operations.map(({ operation }) => operation).sort());
    for (const { operation, status } of calls)
      expect(operations.find((documented) => documented.operation === operation)!.statuses).toContain(String(status));
  });
});
