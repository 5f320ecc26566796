/** The requests in README.md, sent to the example application: each is answered as it stands there. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { serveExample } from '../test-support/example.js';
import type { Served } from '../test-support/served.js';

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');

/** A request and what answers it, a blank line between them; the first line of each, and a body. */
const EXAMPLES = [...README.matchAll(/^```http\n([\s\S]*?)^```$/gm)].map(([, block = '']) => {
  const [request = '', answer = ''] = block.split('\n\n');
  const [line = '', ...sent] = request.split('\n');
  const [status = '', ...answered] = answer.split('\n');

  return { line, body: sent.join('\n'), status: Number(status), answer: JSON.parse(answered.join('\n')) as unknown };
});

let example: Served;

beforeAll(async () => {
  example = await serveExample({ databaseUrl: 'sqljs:', http: 'express' });
});

afterAll(() => example?.close());

test('there are examples', () => {
  expect(EXAMPLES.length).toBeGreaterThan(2);
});

test.each(EXAMPLES)('$line', async ({ line, body, status, answer }) => {
  const [method = '', path = ''] = line.split(' ');
  const response = await fetch(example.origin + path, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body }),
  });

  expect({ status: response.status, answer: await response.json() }).toEqual({ status, answer });
});
