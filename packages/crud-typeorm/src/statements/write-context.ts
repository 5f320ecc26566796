import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';
import {
  type Catalog,
  type Client,
  clientOf,
  type NeedsRecords,
  optionsOf,
  readPersistedKey,
  refuseGone,
  type WritePlan,
} from '@nestwright/crud/adapter';
import type { EntityManager, ObjectLiteral, QueryRunner } from 'typeorm';
import { getEntityMetadata } from '../catalog/catalog.js';
import { toCrudError } from '../errors/to-crud-error.js';
import type { ReadOptions } from '../sql/index.js';
import { locate } from './locate.js';
import { findThenTransact } from './transaction.js';
import { isValue, type Key } from './values.js';
import type { WriteHooks } from './write-hooks.js';

export interface WriteContext {
  /** The repository's manager; one that is in a transaction is joined. */
  readonly manager: EntityManager;
  readonly catalog: Catalog;
  readonly request: CrudRequest;
  /** Refuses the request because its record does not exist: a 404. */
  readonly notFound: () => never;
  readonly hooks?: WriteHooks | undefined;
}

/** A record just written, shaped for the answer, and its key, which the answer may not include. */
export interface Written<Record = ObjectLiteral> {
  readonly record: Record;
  readonly key: Key;
  /** The record as JSON text, or why records are needed. Default: no text. */
  readonly json?: string | NeedsRecords;
}

/** One record that a write is about. */
export interface WriteItem {
  /** The context of a request for this record alone. */
  readonly context: WriteContext;
  /** Its path in the body; empty if it is the body. */
  readonly path: string;
  /** The record's key. Default: the path's. */
  readonly key?: Key;
  /** What to store, and the version that the client expects to find. */
  readonly plan: WritePlan;
  /** Of a PUT: the plan of a new record, called only if there is no record yet. */
  readonly insert?: () => WritePlan;
  /** Of a PUT: `false` if a hook of the application hides the record, so that one can only be created. Default: `true`. */
  readonly replaceable?: boolean;
}

/** One write, of one record or of many. */
export interface Write {
  readonly verb: 'insert' | 'update' | 'replace' | 'remove' | 'recover';
  readonly context: WriteContext;
  readonly items: readonly WriteItem[];
  /** What is answered: the records with their joined relations, without them, or nothing. */
  readonly answer: 'full' | 'shallow' | 'none';
  /** Whether removed records stay, marked as deleted. Default: `false`. */
  readonly soft?: boolean | undefined;
  /** Whether a body may carry a new key that the database otherwise generates. Default: `false`. */
  readonly allowGeneratedKey?: boolean | undefined;
  /** Whether records that the request does not match are left out. Default: a missing record is a 404. */
  readonly skipsMissing?: boolean;
}

/** Runs a write in a transaction; database errors become exceptions with code and field. */
export function runWrite<T>(context: WriteContext, work: (runner: QueryRunner) => Promise<T>): Promise<T> {
  return findThenWrite(context, () => Promise.resolve(), work);
}

/** As {@link runWrite}, with what `find` returns, called before the transaction begins. */
export async function findThenWrite<Found, T>(
  { manager, catalog, request }: WriteContext,
  find: (runner: QueryRunner) => Promise<Found>,
  work: (runner: QueryRunner, found: Found) => Promise<T>,
): Promise<T> {
  try {
    const client = manager.queryRunner ? undefined : clientOf(request);

    return await findThenTransact(manager, unlessClientGone(client, find), work);
  } catch (error) {
    const { join } = request.options?.query ?? {};
    throw toCrudError(await locate(manager, error), getEntityMetadata(catalog), 'write', givenNames(request), join);
  }
}

/** Work that is not started if the client disconnects while waiting for a connection; started work is finished. */
export function unlessClientGone<T>(
  client: Client | undefined,
  work: (runner: QueryRunner) => Promise<T>,
): (runner: QueryRunner) => Promise<T> {
  return client
    ? async (runner) => {
        await runner.connect();
        refuseGone(client);

        return work(runner);
      }
    : work;
}

export function readOptions({ options }: CrudRequest): ReadOptions {
  return { operators: options?.operators?.custom };
}

/** The key that the path names; undefined if the path does not name all of it. */
export function readPathKey(request: CrudRequest, { primary }: Catalog): Key | undefined {
  return makeKey(pathValues(request), primary);
}

/** The key under which a PUT may create a record: the path's, completed by `persist`. */
export function keyToCreate(request: CrudRequest, catalog: Catalog): Key | undefined {
  const { primary } = catalog;
  const named = pathValues(request);
  const persisted = [...readPersistedKey(request.parsed.authPersist as object | undefined, catalog)].map(
    ([{ path }, value]) => [path, value] as const,
  );

  return primary.some(({ path }) => isValue(named.get(path)))
    ? makeKey(new Map([...persisted, ...named]), primary)
    : undefined;
}

/** The properties that path and `persist` set in every record. */
export function givenNames(request: CrudRequest): ReadonlySet<string> {
  return new Set([...pathValues(request).keys(), ...Object.keys((request.parsed.authPersist ?? {}) as ObjectLiteral)]);
}

function pathValues({ parsed }: CrudRequest): ReadonlyMap<string, unknown> {
  return new Map(
    (parsed.paramsFilter ?? [])
      .filter(({ operator }) => operator === '$eq' || operator === 'eq')
      .map(({ field, value }) => [field, value]),
  );
}

function makeKey(given: ReadonlyMap<string, unknown>, primary: Catalog['primary']): Key | undefined {
  return primary.length > 0 && primary.every(({ path }) => isValue(given.get(path)))
    ? Object.fromEntries(primary.map(({ path }) => [path, given.get(path)]))
    : undefined;
}

/** The key of a record in the given fields; undefined if it lacks any. */
export function pickKey(record: ObjectLiteral, fields: readonly string[]): Key | undefined {
  return fields.length > 0 && fields.every((field) => isValue(record[field]))
    ? Object.fromEntries(fields.map((field) => [field, record[field] as unknown]))
    : undefined;
}

const NO_OPTIONS: CrudRequestOptions = {};

const optionsWithoutJoins = new WeakMap<object, CrudRequestOptions>();

/** The same request without joined relations in its answer; its conditions may still name them. */
export function withoutJoins(request: CrudRequest): CrudRequest {
  const options = optionsOf(request) ?? NO_OPTIONS;
  let bare = Object.isFrozen(options) ? optionsWithoutJoins.get(options) : undefined;

  // Cached, since planning caches by the identity of options.
  if (!bare) {
    const join = Object.fromEntries(
      Object.entries(options.query?.join ?? {}).map(([path, option]) => [
        path,
        { ...option, eager: false, required: false },
      ]),
    );

    // Frozen, so that planning may cache.
    bare = { ...options, query: Object.freeze({ ...options.query, join, cache: false }) };
    optionsWithoutJoins.set(options, bare);
  }

  return { ...request, options: bare, parsed: { ...request.parsed, join: [] } };
}
