/** Compares what the servers answer to the same calls. A difference that the list below does not name ends the run. */
import { isDeepStrictEqual } from 'node:util';
import { contestant } from './contestants.js';
import type { ServerProcess } from './server-process.js';
import { workload, type WorkloadName } from './workloads.js';

/** What may differ between two answers that are called equal. Printed in docs/performance-figures.md. */
export const TOLERATED = [
  'the order of properties, and of the records of a to-many relation (no request sorts them)',
  'the envelope of nestjs-paginate, whose `data` is compared with the list',
  'zeros at the end of a decimal of a related record, which Drizzle reads as JSON',
  'in the answers to writes: `id`, `email`, `createdAt`, `updatedAt`, which each request makes anew',
] as const;

/** Calls that are compared before a workload is timed. */
const SAMPLES = [1, 20, 333];

/** Asks all servers the same and compares what they say. */
export async function compareBodies(servers: ServerProcess[], name: WorkloadName): Promise<void> {
  for (const sample of SAMPLES) {
    let first: { server: string; body: unknown } | undefined;

    for (const server of servers) {
      const body = normal(await bodyOf(server, name, sample), workload(name).writes);

      first ??= { server: server.name, body };
      if (!isDeepStrictEqual(body, first.body)) {
        throw new Error(
          `${name}: ${server.name} and ${first.server} answer differently: ${difference(body, first.body)}`,
        );
      }
    }
  }
}

async function bodyOf(server: ServerProcess, name: WorkloadName, sample: number): Promise<unknown> {
  const { spelling } = contestant(server.name);
  const { method, path, body } = workload(name).calls[spelling]!(sample, `same-${server.name}-${process.pid}`);
  const response = await fetch(server.url + path, {
    method,
    ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  const text = await response.text();

  if (!response.ok) throw new Error(`${server.name}, ${name}: ${method} ${path}: ${response.status} ${text}`);

  const answer: unknown = JSON.parse(text);

  return spelling === 'paginate' ? unwrapped(answer as Paginated, name) : answer;
}

interface Paginated {
  data: unknown[];
  meta: { totalItems: number; currentPage: number; totalPages: number };
}

function unwrapped({ data, meta }: Paginated, name: WorkloadName): unknown {
  if (name !== 'L5') return data;
  return { data, count: data.length, total: meta.totalItems, page: meta.currentPage, pageCount: meta.totalPages };
}

const DECIMAL = /^\d+\.\d+$/;

const MADE_ANEW = new Set(['id', 'email', 'createdAt', 'updatedAt']);

/** Lists within a record are sorted by id; properties need no order, since the comparison has none. */
function normal(value: unknown, writes: boolean, within = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => normal(item, writes, within));

    return within && items.every(hasId) ? items.sort((one, other) => one.id - other.id) : items;
  }
  if (typeof value === 'string' && within && DECIMAL.test(value)) return Number(value);
  if (typeof value !== 'object' || value === null) return value;

  const entries = Object.entries(value).filter(([key]) => !writes || within || !MADE_ANEW.has(key));

  return Object.fromEntries(entries.map(([key, item]) => [key, normal(item, writes, 'id' in value)]));
}

const hasId = (value: unknown): value is { id: number } => typeof value === 'object' && value !== null && 'id' in value;

/** Where two answers part, as a path and the two values. */
function difference(one: unknown, other: unknown, path = '$'): string {
  if (typeof one === 'object' && typeof other === 'object' && one && other) {
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
      const [left, right] = [(one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]];

      if (!isDeepStrictEqual(left, right)) return difference(left, right, `${path}.${key}`);
    }
  }
  return `${path}: ${short(one)} and ${short(other)}`;
}

const short = (value: unknown): string => String(JSON.stringify(value)).slice(0, 200);
