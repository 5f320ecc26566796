/** A TypeScript client that `openapi-typescript` makes of the example's document compiles, and calls operations of it over HTTP. */
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
    const [id, text] = [expect.any(Number), expect.any(String)];
    const user = { id, email: text, age: id, company: { id, name: text } };
    expect(users).toEqual([user, user, user]);
    expect((await readName(example.origin)).version).toBe(1);
  }, 60_000);

  test('is answered as the document says, by operations of every kind of key', async () => {
    const { callSome } = (await import('./client/calls.js' as string)) as {
      callSome(url: string): Promise<{ operation: string; status: number }[]>;
    };
    const calls = await callSome(example.origin);
    const statusesOf = (operation: string) => {
      const [method = '', path = ''] = operation.toLowerCase().split(' ');
      const [, operations] = Object.entries(document.paths).find(([one]) => one.toLowerCase() === path)!;

      return Object.keys(operations[method]!.responses!);
    };

    expect(calls).toHaveLength(31);
    for (const { operation, status } of calls) expect([operation, ...statusesOf(operation)]).toContain(String(status));
  });
});
