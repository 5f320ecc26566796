import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';
import {
  type Client,
  clientOf,
  givenNames,
  optionsOf,
  refuseGone,
  type Store,
  type Upsert as AdapterUpsert,
  type UpsertItem as AdapterUpsertItem,
  type Write as AdapterWrite,
  type WriteContext as AdapterContext,
  type WriteItem as AdapterItem,
} from '@nestwright/crud/adapter';
import { toCrudError } from '../errors/to-crud-error.js';
import type { ReadOptions } from '../select/index.js';
import { type Connection, type Executor, isConnection, type WriteHooks } from '../database/database.js';
import { locate } from './locate.js';
import { findThenTransact } from './transaction.js';
import { getTable } from '../database/links.js';

/** What a write is given. The store's connection may be in a transaction, which is joined. */
export type WriteContext = AdapterContext<Store & { readonly executor: Executor }, Connection>;

/** A write of a store, with its connections. */
export type Write = AdapterWrite<WriteContext>;
export type WriteItem = AdapterItem<WriteContext>;
/** An upsert of a store, with its connections. */
export type Upsert = AdapterUpsert<WriteContext>;
export type UpsertItem = AdapterUpsertItem<WriteContext>;
export type { WriteHooks };
export type { Written } from '@nestwright/crud/adapter';

/** Runs a write in a transaction; database errors become exceptions with code and field. */
export function runWrite<T>(context: WriteContext, work: (connection: Connection) => Promise<T>): Promise<T> {
  return findThenWrite(context, () => Promise.resolve(), work);
}

/** As {@link runWrite}, with what `find` returns, called before the transaction begins. */
export async function findThenWrite<Found, T>(
  { store: { executor }, catalog, request }: WriteContext,
  find: (connection: Connection) => Promise<Found>,
  work: (connection: Connection, found: Found) => Promise<T>,
): Promise<T> {
  try {
    const client = isConnection(executor) ? undefined : clientOf(request);

    return await findThenTransact(executor, unlessClientGone(client, find), work);
  } catch (error) {
    const { join } = request.options?.query ?? {};
    throw toCrudError(await locate(executor, error), getTable(catalog), 'write', givenNames(request), join);
  }
}

/** Work that is not started if the client disconnects while waiting for a connection; started work is finished. */
export function unlessClientGone<T>(
  client: Client | undefined,
  work: (connection: Connection) => Promise<T>,
): (connection: Connection) => Promise<T> {
  return client
    ? async (connection) => {
        await connection.open();
        refuseGone(client);

        return work(connection);
      }
    : work;
}

export function readOptions({ options }: CrudRequest): ReadOptions {
  return { operators: options?.operators?.custom };
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
