/** Runs a suite on each database and HTTP platform, against the example and the vault in one database. Every answer is checked before the test sees it. */
import { afterAll, beforeAll, jest } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Client } from 'pg';
import { DataSource } from 'typeorm';
import { Statements } from '../../../packages/crud-typeorm/test/support/statements.js';
import { createApp } from '../../example/src/app.js';
import { EXAMPLE_RECORDS } from '../../test-support/fixtures/example-records.js';
import { DATABASES, describeDatabases, describePlatforms } from '../../test-support/index.js';
import type { HttpPlatform, TestDatabase } from '../../test-support/index.js';
import { type Rows, rowsOf } from '../../test-support/rows.js';
import { listening } from '../../test-support/listening.js';
import { ATTACKS } from './corpus.js';
import { openVault } from './vault.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

type Headers = Readonly<Record<string, string>>;

/** What to send: path and query as they are encoded, a body as JSON or, a text, as it stands. */
export type Call = {
  readonly method?: Method;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Headers;
};

/** An answer; `took` is until it was complete, in ms. */
export type Reply = { readonly status: number; readonly headers: object; readonly text: string; readonly took: number };

/** The body of an answer; what it is, the test asserts. */
export const read = <T = Record<string, unknown>>({ text }: Reply): T => JSON.parse(text) as T;

export async function sendTo(origin: string, { method = 'GET', path, body, headers }: Call): Promise<Reply> {
  const started = performance.now();
  const response = await fetch(origin + path, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const [headersOf, text] = [Object.fromEntries(response.headers), await response.text()];
  return { status: response.status, headers: headersOf, text, took: performance.now() - started };
}

/** What every object and every function inherits. */
export const prototypes = () =>
  [Object.prototype, Function.prototype].map((one) => Object.getOwnPropertyNames(one).sort());

const AT_ONCE = 6;

/** Sends a few at a time; answers in the order of the calls. */
export async function sendEach(calls: readonly Call[], send: (call: Call) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  const queue = calls.entries();
  const work = async () => {
    for (const [index, call] of queue) replies[index] = await send(call);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return replies;
}

const HIDDEN = /secret-\d|hidden-|key-of-/;

/** The way databases and their drivers speak, names of tables and constraints that are no property's name, and stacks. */
const SPOKEN =
  /SELECT |INSERT |UPDATE |syntax|SQLITE|SQLSTATE|ER_[A-Z]|QueryFailed|violates|constraint (?:fail|")|no such (?:table|column)|(?:relation|column|table|function) "?\S+ does not exist|near "|vault_|user_p|\b(FK|UQ|PK|REL|IDX|CHK)_|\bat .*:\d+:\d+/;

/** Tables that bear the name of a property, which an error may utter in a path alone. Nest's own message of an unknown route repeats the path. */
const TABLES =
  /^(?!Cannot [A-Z]+ \/).*(?<![.\w])(users|companies|projects|memberships|devices|categories|events)\b(?!\.)/;

function faultsOf({ method = 'GET', path }: Call, { status, text }: Reply): string[] {
  // An injection string that is stored data comes back as it was sent, and is no speech of the database.
  const withoutStored = () =>
    ATTACKS.reduce((rest, attack) => rest.replaceAll(JSON.stringify(attack.text).slice(1, -1), ''), text);
  const speaks = (pattern: RegExp) => pattern.test(text) && pattern.test(withoutStored());
  const message = status < 400 ? '' : text.startsWith('{') ? String((JSON.parse(text) as Error).message) : text;
  const faults = {
    'a fault of the server': status >= 500,
    'a hidden value': speaks(HIDDEN),
    'the database speaks': speaks(SPOKEN),
    'the name of a table': TABLES.test(message),
  };
  const found = Object.entries(faults).filter(([, isThere]) => isThere);
  return found.map(([fault]) => `${fault}: ${method} ${path.slice(0, 200)} → ${status} ${text.slice(0, 300)}`);
}

/** What the vault serves; everything else is the example's. */
const VAULT = /^\/(kinds|labels|tenants|my\/notes|my\/folders)\b/;

/** The example and the vault in a database, for the tests of a block. */
function stageOn(platform: HttpPlatform, database: TestDatabase) {
  const applications: INestApplication[] = [];
  const origins: string[] = [];
  const sources: DataSource[] = [];
  const logger = new Statements();
  let queries: jest.Spied<typeof Client.prototype.query>;

  beforeAll(async () => {
    // Reads that nobody logs go past TypeORM's logger on PostgreSQL; a logger in the options would end that way, and it is to be tested.
    queries = jest.spyOn(Client.prototype, 'query');
    const vault = await openVault(database, platform);
    // After the vault's tables, which it leaves alone.
    const records = EXAMPLE_RECORDS;
    const example = await createApp({ databaseUrl: database.url, http: platform, logger: ['error'], records });
    applications.push(vault.app, example);
    origins.push(vault.url, (await listening(example)).origin);
    sources.push(...applications.map((app) => app.get(DataSource)));
    for (const source of sources) Object.assign(source, { logger });
  }, 60_000);

  afterAll(async () => {
    await Promise.all(applications.map((app) => app.close()));
    queries.mockRestore();
  });

  const send = async (call: Call): Promise<Reply> => {
    const reply = await sendTo(origins[VAULT.test(call.path) ? 0 : 1]!, call);
    const faults = faultsOf(call, reply);
    if (faults.length > 0) throw new Error(faults.join('\n'));
    return reply;
  };
  const sentPast = ([query, values]: unknown[]) => {
    const { text, values: parameters = values } = query as { text?: string; values?: unknown };
    return { sql: text ?? String(query), parameters };
  };
  const sent = () => [...logger.all, ...(queries.mock.calls as unknown[][]).map(sentPast)];

  return {
    platform,
    /** Refuses (throws) an answer that no client may get: of 500 and above, or one that speaks of the database. */
    send,
    sendAll: (calls: readonly Call[]) => sendEach(calls, send),
    tables: async (): Promise<Rows> => Object.assign({}, ...(await Promise.all(sources.map(rowsOf)))) as Rows,
    /** Texts of the statements since the last `forget`. */
    statements: () => sent().map(({ sql }) => sql),
    /** Those of some markers that were bound as parameters since the last `forget`. */
    bound: (markers: readonly string[]) => {
      const text = JSON.stringify(sent().map(({ parameters }) => parameters));
      return markers.filter((marker) => text.includes(marker));
    },
    forget: () => {
      logger.all.length = 0;
      queries.mockClear();
    },
  };
}

/**
 * Runs a suite on Express with every database and on Fastify, which only reads requests differently, with one.
 *
 * @example describeStage('scope', (stage) => { test('…', async () => expect((await stage.send({ path: '/me' })).status).toBe(401)); });
 */
export function describeStage(name: string, body: (stage: ReturnType<typeof stageOn>) => void): void {
  describePlatforms(name, (platform) => {
    const databases = platform === 'express' ? DATABASES : (['postgres'] as const);
    describeDatabases(platform, (database) => body(stageOn(platform, database)), databases);
  });
}
