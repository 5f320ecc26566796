/** Sends a query and throws a readable difference where the application does not answer as the evaluator does. */
import { inspect, isDeepStrictEqual } from 'node:util';
import type { Database } from './evaluator/differences.js';
import { answer, type Answer } from './evaluator/list.js';
import type { SpelledQuery } from './queries/generate.js';

type Json = Record<string, unknown>;

export async function check(origin: string, { query, url }: SpelledQuery, database: Database): Promise<Answer> {
  const expected = answer(query, database);
  const response = await fetch(origin + url, { headers: { ...query.scope.headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const [wanted, got] = [comparable(expected.body), comparable(JSON.parse(text) as Answer['body'])];
  if (isDeepStrictEqual(wanted, got)) return expected;
  const at = wanted.data.findIndex((record, index) => !isDeepStrictEqual(record, got.data[index]));
  const [one, other] = at < 0 ? [wanted, got] : [wanted.data[at], got.data[at]];
  throw new Error(`record ${at}:\nexpected ${JSON.stringify(one)}\n     got ${JSON.stringify(other)}`);
}

function comparable(body: Answer['body']): { envelope: object; data: unknown[] } {
  const { data, ...envelope } = 'data' in body ? body : { data: body };
  return { envelope, data: data.map(withSortedRelated) };
}

/** Related records have no order of their own. */
function withSortedRelated(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value as Json).map(([name, inner]) => [name, withSortedRelated(inner)]));
  if (!value.every((item) => typeof item === 'object')) return value;
  const print = (item: unknown) => inspect(item, { sorted: true, depth: null });
  return value.map(withSortedRelated).sort((left, right) => (print(left) < print(right) ? -1 : 1));
}
