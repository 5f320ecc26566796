/** A TypeScript client that `openapi-typescript` makes of the example's document compiles, and calls operations of it over HTTP. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import { mistakesUnder } from '../test-support/compile.js';
import { type RunningExample, serveExample } from '../test-support/example.js';

/** What a file exports that compiles once its types are made. */
type Call<T> = (url: string) => Promise<T>;
const clientFile = (name: string): string => join(import.meta.dirname, 'client', name);

describe('a generated client', () => {
  let example: RunningExample;
  let paths: Record<string, Record<string, { responses: object }>>;

  beforeAll(async () => {
    example = await serveExample({ databaseUrl: 'sqljs:', http: 'express' });
    const document = (await (await fetch(`${example.origin}/docs-json`)).json()) as { paths: typeof paths };
    ({ paths } = document);
    // A default is what the server takes where a body says nothing: nothing that every body must say.
    const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
    writeFileSync(clientFile('paths.ts'), astToString(types));
  }, 60_000);
  afterAll(() => example.close());

  test('compiles', () => {
    expect(mistakesUnder({}, clientFile('calls.ts'), clientFile('described.ts'))).toEqual([]);
  }, 60_000);

  test('tells the typed client what a resource has', async () => {
    const { readUsers } = (await import('./client/described.js' as string)) as Record<string, Call<object>>;
    const [id, text] = [expect.any(Number), expect.any(String)];
    const user = { id, email: text, age: id, company: { id, name: text } };
    expect(await readUsers!(example.origin)).toEqual({ found: [user, user, user], version: 1 });
  }, 60_000);

  test('is answered with success, as the document says, by operations of every kind of key', async () => {
    const { callSome } = (await import('./client/calls.js' as string)) as Record<string, Call<[string, number][]>>;
    const calls = await callSome!(example.origin);
    const isDocumented = ([operation, status]: [string, number]) => {
      const [method = '', path = ''] = operation.split(' ');
      return String(status) in paths[path]![method.toLowerCase()]!.responses;
    };
    expect(calls).toHaveLength(16);
    expect(calls.filter(([, status]) => status >= 300)).toEqual([]);
    expect(calls.filter((call) => !isDocumented(call))).toEqual([]);
  });
});
