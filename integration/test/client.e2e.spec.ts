/** A TypeScript client that `openapi-typescript` makes of the example's document compiles, and calls every operation of it over HTTP. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import openapiTS, { astToString } from 'openapi-typescript';
import { mistakesIn } from '../test-support/compile.js';
import { type RunningExample, serveExample } from '../test-support/example.js';

interface Document {
  readonly paths: Record<string, Record<string, { readonly responses?: Record<string, unknown> }>>;
}

const fileOf = (name: string) => fileURLToPath(new URL(`client/${name}`, import.meta.url));

describe('a generated client', () => {
  let example: RunningExample;
  let document: Document;

  beforeAll(async () => {
    example = await serveExample({ databaseUrl: 'sqljs:', http: 'express' });
    document = (await (await fetch(`${example.origin}/docs-json`)).json()) as Document;
    // A default is what the server takes where a body says nothing: nothing that every body must say.
    const types = await openapiTS(JSON.stringify(document), { defaultNonNullable: false });
    writeFileSync(fileOf('paths.ts'), astToString(types));
  }, 60_000);
  afterAll(() => example.close());

  test('compiles', () => {
    expect(mistakesIn(fileOf('calls.ts'))).toEqual([]);
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
    for (const { operation, status } of calls) {
      expect(operations.find((documented) => documented.operation === operation)!.statuses).toContain(String(status));
    }
  });
});
