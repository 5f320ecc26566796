/** Sends a query and throws a readable difference where the application does not answer as the evaluator does. */
import { isDeepStrictEqual } from 'node:util';
import type { Database } from '../evaluator/differences.js';
import { answer, type Answer } from '../evaluator/list.js';
import type { Table } from '../evaluator/tables.js';
import type { SpelledQuery } from '../queries/generate.js';

type Json = Record<string, unknown>;

export async function check(origin: string, { query, url }: SpelledQuery, database: Database): Promise<Answer> {
  const expected = answer(query, database);
  const response = await fetch(origin + url, { headers: { ...query.scope.headers } });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const [wanted, got] = [expected.body, JSON.parse(text) as unknown].map((body) =>
    comparable(body, query.resource.table),
  ) as [unknown, unknown];
  if (!isDeepStrictEqual(wanted, got)) throw new Error(difference(wanted, got));

  return expected;
}

/** Related records have no order of their own: they are compared in the order of their JSON. */
function comparable(body: unknown, table: Table): unknown {
  if (Array.isArray(body)) return body.map((record: Json) => related(record, table));
  const { data, ...envelope } = body as { data: Json[] };

  return { ...envelope, data: data.map((record) => related(record, table)) };
}

function related(record: Json, table: Table): Json {
  const sorted = { ...record };
  for (const { name, target, many } of table.relations) {
    const value = record[name];
    if (many && Array.isArray(value)) {
      const inner = value.map((child: Json) => related(child, target()));
      const keyOf = (child: Json): string =>
        target()
          .key.map((path) => JSON.stringify(child[path]))
          .join();
      sorted[name] = inner.sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1));
    } else if (!many && typeof value === 'object' && value !== null) {
      sorted[name] = related(value as Json, target());
    }
  }

  return sorted;
}

/** The first record that differs, or what surrounds the records. */
function difference(wanted: unknown, got: unknown): string {
  const at = recordsOf(wanted).findIndex((record, index) => !isDeepStrictEqual(record, recordsOf(got)[index]));
  const [one, other] = at < 0 ? [wanted, got] : [recordsOf(wanted)[at], recordsOf(got)[at]];

  return `record ${at}:\nexpected ${JSON.stringify(one)}\n     got ${JSON.stringify(other)}`;
}

function recordsOf(body: unknown): Json[] {
  return (Array.isArray(body) ? body : (body as { data: Json[] }).data) as Json[];
}
