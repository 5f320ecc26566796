/** Uses TypeORM's result cache for the library's statements. A failing store is ignored. */
import { createHash } from 'node:crypto';
import type { CrudCacheMessage } from '@nestwright/crud';
import { publish } from '@nestwright/crud/adapter';
import { Logger } from '@nestjs/common';
import type { CacheOptions, Row } from '@nestwright/sql';
import type { DataSource, QueryRunner } from 'typeorm';
import { connectionIdentity } from './connection-identity.js';

/** Runs a statement through the data source's cache, if it has one. */
export async function cachedRows(
  runner: QueryRunner,
  sql: string,
  parameters: readonly unknown[],
  { duration, replace }: CacheOptions,
  run: () => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const { connection } = runner;
  const cache = connection.queryResultCache;

  if (!cache) return run();

  const identifier = hashQuery(connection, sql, parameters);
  const stored = await attempt(connection, () => cache.getFromCache({ identifier, query: sql, duration }, runner));

  if (stored && !replace && !cache.isExpired(stored)) {
    publishOutcome('hit');

    return decodeRows(String(stored.result));
  }

  publishOutcome(replace ? 'replace' : 'miss');

  const rows = await run();

  await attempt(connection, () =>
    cache.storeInCache(
      { identifier, query: sql, time: Date.now(), duration, result: encodeRows(rows) },
      stored,
      runner,
    ),
  );

  return rows;
}

function publishOutcome(outcome: CrudCacheMessage['outcome']): void {
  publish('nestwright:cache', () => ({ outcome }));
}

const failing = new WeakSet<DataSource>();

/**
 * The result of a store operation; undefined if it fails, since reads must not depend on the cache. Of consecutive
 * failures, the first is logged.
 */
async function attempt<T>(connection: DataSource, use: () => Promise<T>): Promise<T | undefined> {
  try {
    const answer = await use();

    failing.delete(connection);

    return answer;
  } catch (error) {
    publishOutcome('failure');

    if (!failing.has(connection)) {
      failing.add(connection);
      new Logger('CrudCache').warn(`TypeORM's cache fails, reads go to the database: ${String(error)}`);
    }

    return undefined;
  }
}

/** A hash, since caches compare identifiers as their database does, which may be without regard to case. */
function hashQuery(connection: DataSource, sql: string, parameters: readonly unknown[]): string {
  return `nestwright:${createHash('sha256')
    .update(JSON.stringify([connectionIdentity(connection), sql, parameters.map(asTagged)]))
    .digest('hex')}`;
}

/** Values that JSON would change are kept as `[tag, text]`, and arrays as `['array', array]`. */
function asTagged(value: unknown): unknown {
  if (value instanceof Date) return ['date', value.getTime()];
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('base64')];
  if (typeof value === 'bigint') return ['bigint', String(value)];

  return Array.isArray(value) ? ['array', value.map(asTagged)] : value;
}

const UNTAGGED: Readonly<Record<string, (value: unknown) => unknown>> = {
  date: (value) => new Date(value as number),
  bytes: (value) => Buffer.from(value as string, 'base64'),
  bigint: (value) => BigInt(value as string),
  array: (value) => (value as unknown[]).map(fromTagged),
};

function fromTagged(value: unknown): unknown {
  return Array.isArray(value) ? UNTAGGED[value[0] as string]!(value[1]) : value;
}

function encodeRows(rows: readonly Row[]): string {
  return JSON.stringify(rows.map((row) => mapValues(row, asTagged)));
}

function decodeRows(text: string): Row[] {
  return (JSON.parse(text) as Row[]).map((row) => mapValues(row, fromTagged));
}

function mapValues(row: Row, change: (value: unknown) => unknown): Row {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, change(value)]));
}
