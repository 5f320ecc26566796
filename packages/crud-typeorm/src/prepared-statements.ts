/**
 * Sends recurring statements to PostgreSQL under names, so that the database keeps their plans. A stale name is given up, and the statement
 * sent again without one.
 */
import { createHash } from 'node:crypto';
import { getOrInsert } from '@nestwright/crud/adapter';
import type { DataSource, QueryRunner } from 'typeorm';
import { databaseOptionsOf } from './database-options.js';
import { isAborted, isStalePlan } from './errors/postgres-fault.js';
import { LruCache } from './lru-cache.js';
import { OBJECT_BYTES } from './weight.js';

/** How often a text is sent before it gets a name: one-time statements are not worth the database's memory. */
const THRESHOLD = 5;

/** Maximum number of names per connection; later texts are sent without one. */
const NAMES = 100;

/** Maximum length of a named text, since each connection's client keeps the texts. */
const MAX_LENGTH = 16_384;

/** What `pg` hands to the pool's listeners. */
interface Client {
  query: (...parameters: unknown[]) => unknown;
}

interface Pool {
  on(event: 'acquire', listener: (client: Client) => void): unknown;
}

/** A statement as an object, which `pg` takes besides plain text. */
interface QueryConfig {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown;
}

type Callback = (error: unknown, result: unknown) => void;

interface Text {
  readonly hash: string;
  uses: number;
}

interface Preparing {
  readonly pools: WeakSet<Pool>;
  readonly clients: WeakSet<Client>;
}

const preparing = new WeakMap<DataSource, Preparing>();

/** Texts that were noted, and how often they came. */
const texts = new LruCache<Text>();

/**
 * Notes that a text recurs with other values. Nothing happens unless the data source has the option `preparedStatements`.
 */
export function noteRecurring(dataSource: DataSource, sql: string): void {
  if (!databaseOptionsOf(dataSource).preparedStatements) return;

  const state = getOrInsert(preparing, dataSource, () => ({ pools: new WeakSet(), clients: new WeakSet() }));
  watchPools(dataSource, state);

  if (sql.length <= MAX_LENGTH) {
    texts.get(dataSource, sql, (weigh) => {
      weigh(2 * OBJECT_BYTES);

      return { hash: createHash('sha1').update(sql).digest('hex'), uses: 0 };
    });
  }
}

const unnamed = new WeakSet<Client>();

/** Runs work without named statements. Used to retry after a stale name, since the retry could hit another one. */
export async function withoutNames<T>({ manager }: QueryRunner, client: unknown, work: () => Promise<T>): Promise<T> {
  if (!databaseOptionsOf(manager.connection).preparedStatements) return work();

  unnamed.add(client as Client);

  try {
    return await work();
  } finally {
    unnamed.delete(client as Client);
  }
}

/** Follows the pools of a data source, whose clients come and go; a data source that was closed and opened again has others. */
function watchPools(dataSource: DataSource, state: Preparing): void {
  const { master, slaves = [] } = dataSource.driver as { master?: Pool; slaves?: readonly Pool[] };

  for (const pool of [master, ...slaves]) {
    if (pool && !state.pools.has(pool)) {
      state.pools.add(pool);
      pool.on('acquire', (client) => {
        if (!state.clients.has(client)) {
          state.clients.add(client);
          nameStatements(client, (text) => texts.find(dataSource, text));
        }
      });
    }
  }
}

/**
 * Makes a client send known texts under names. TypeORM passes plain text to its clients and has no option for names;
 * patching the client covers all statements, in transactions or not.
 */
function nameStatements(client: Client, known: (text: string) => Text | undefined): void {
  const send = client.query.bind(client);
  const names = new Map<string, string>();
  let given = 0;

  client.query = (...sent) => {
    const config = configOf(sent);
    const text = config && known(config.text);

    if (!config || !text || (text.uses += 1) <= THRESHOLD || unnamed.has(client)) return send(...sent);

    let name = names.get(text.hash);

    if (name === undefined) {
      if (given >= NAMES) return send(...sent);

      name = `nestwright_${text.hash}_${given}`;
      given += 1;
      names.set(text.hash, name);
    }

    const giveUp = () => names.delete(text.hash);
    const callback = sent.at(-1);

    return typeof callback === 'function'
      ? sendWithCallback(send, { ...config, name }, callback as Callback, giveUp)
      : sendAsPromise(send, { ...config, name }, giveUp);
  };
}

/** The statement that `query` was called with; undefined for anything but plain text or a statement without a name, and for objects with a protocol of their own. */
function configOf([first, second]: readonly unknown[]): QueryConfig | undefined {
  const values = Array.isArray(second) ? { values: second } : {};

  if (typeof first === 'string') return { text: first, ...values };

  return typeof first === 'object' && first !== null && 'text' in first && !('submit' in first) && !('name' in first)
    ? { ...(first as QueryConfig), ...values }
    : undefined;
}

async function sendAsPromise(send: Client['query'], config: QueryConfig, giveUp: () => void): Promise<unknown> {
  try {
    return await send(config);
  } catch (error) {
    if (!isStale(error)) throw error;

    giveUp();

    return Promise.resolve(send(withoutName(config))).catch((again: unknown) => {
      throw errorToReport(error, again);
    });
  }
}

function sendWithCallback(send: Client['query'], config: QueryConfig, callback: Callback, giveUp: () => void): unknown {
  return send(config, (error: unknown, result: unknown) => {
    if (!isStale(error)) {
      callback(error, result);

      return;
    }

    giveUp();
    send(withoutName(config), (again: unknown, second: unknown) =>
      callback(again && errorToReport(error, again), second),
    );
  });
}

/**
 * In a transaction the second error only says that it is aborted, so the first one is reported; elsewhere the second is
 * the statement's own.
 */
function errorToReport(first: unknown, second: unknown): unknown {
  return typeof second === 'object' && second !== null && isAborted(second) ? first : second;
}

function withoutName({ name: _, ...config }: QueryConfig): Omit<QueryConfig, 'name'> {
  return config;
}

function isStale(error: unknown): boolean {
  return typeof error === 'object' && error !== null && isStalePlan(error);
}
