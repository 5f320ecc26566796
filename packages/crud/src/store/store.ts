/**
 * What an adapter does for its services: it executes plans. Everything else that a verb does is in this room, the same
 * for every adapter.
 */
import type { CustomOperators } from '@nestwright/crud-request';
import { readOwnPath } from '../definition/plain-objects.js';
import type { AggregatePlan } from '../aggregate/plan.js';
import type { CrudRequest } from '../crud-request.js';
import { type BodyScope, copyOf } from '../plan/body-scope.js';
import type { Catalog } from '../plan/catalog.js';
import type { ReadPlan } from '../plan/read-plan.js';
import type { WritePlan } from '../plan/write-plan.js';
import type { Client } from '../response/request-state.js';
import type { ListExport, NeedsRecords } from '../response/result.js';
import type { AggregateResponseRow } from '../service/crud.service.js';
import type { Change, ChangeKind } from '../service/change.js';

/** For adapters: name of the property under which a service has its store. */
export const STORE = Symbol('store');

/** A primary key by property path. */
export type Key = Readonly<Record<string, unknown>>;

/** What every read is given besides its plan. */
export interface ReadOptions {
  /** `operators.custom` of the resource. Default: none. */
  readonly operators?: CustomOperators | undefined;
  /** The client: nothing is read if it has disconnected. Default: nobody waits. */
  readonly client?: Client | undefined;
}

/** What a read is given besides its plan. */
export interface ReadUse extends ReadOptions {
  /** Records beyond it are dropped, before anything is read for them. Default: none are. */
  readonly most?: number | undefined;
  /** The answer to values that only the database refuses, those of a forged cursor. Default: that of the fault. */
  readonly refusedValue?: (cause: unknown) => Error;
}

/** Records that were read, which can be taken once, in one form. */
export interface Rows<T> {
  /** The number of records. */
  readonly length: number;
  /** Whether there were more than `most`. */
  readonly cut: boolean;
  /** The sort values of its first and last record; undefined if it has none, or is not read by a cursor. */
  readonly edges?: Edges | undefined;
  /** The records, of the entity's class. */
  records(): T[] | Promise<T[]>;
  /** The records as JSON, or why records are needed. */
  texts(): string[] | Promise<string[]> | NeedsRecords;
}

/** Sort values as a cursor holds them. */
export interface Edges {
  /** Those of the first record. */
  readonly first: readonly (string | null)[];
  /** Those of the last record. */
  readonly last: readonly (string | null)[];
}

/** What a store needs of a request to write. */
export interface WriteContext<S = Store, Connection = never> {
  /** The store, in the caller's transaction if there is one. */
  readonly store: S;
  /** The entity. */
  readonly catalog: Catalog;
  /** The request, with the condition of its records and their scope. */
  readonly request: CrudRequest;
  /** Refuses the request because its record does not exist: a 404. */
  readonly notFound: () => never;
  /** The hooks of the service. Default: it has none. */
  readonly hooks?: WriteHooks<Connection> | undefined;
}

/** The hooks of one write, be it of one record or of many. `Connection` is what the store runs statements with. */
export interface WriteHooks<Connection = never> {
  /** Scoped values, which hooks cannot change. */
  readonly scope: BodyScope;
  /** Whether changes of a kind include the previous row. */
  readonly needsBefore: (kind: ChangeKind) => boolean;
  /** Whether any hook is called after a row is stored. */
  readonly callsAfter: boolean;
  /** May change the record that is to be stored, or refuse the write. */
  readonly before: (change: Change, connection: Connection) => Promise<void>;
  /** Called for a row once it is stored. */
  readonly after: (change: Change, connection: Connection) => Promise<void>;
  /** Called with the changes of a committed transaction; never fails. */
  readonly committed: (changes: readonly Change[]) => Promise<void>;
}

/** One record that a write is about. */
export interface WriteItem<Context = WriteContext> {
  /** The context of a request for this record alone. */
  readonly context: Context;
  /** Its path in the body; empty if it is the body. */
  readonly path: string;
  /** The record's key. Default: the path's. */
  readonly key?: Key;
  /** What to store, and the version that the client expects to find. */
  readonly plan: WritePlan;
  /** Of a PUT: the plan of a new record, called only if there is no record yet. */
  readonly insert?: () => WritePlan;
  /**
   * Of a PUT: `false` if a hook of the application hides the record, so that one can only be created. Default: `true`.
   */
  readonly replaceable?: boolean;
}

/** One write, of one record or of many: all or none. */
export interface Write<Context = WriteContext> {
  /** What becomes of the records: POST, PATCH, PUT, DELETE, or recovery. */
  readonly verb: 'insert' | 'update' | 'replace' | 'remove' | 'recover';
  /** The context of the request. */
  readonly context: Context;
  /** The records, at least one. */
  readonly items: readonly WriteItem<Context>[];
  /** What is answered: the records with their joined relations, without them, or nothing. */
  readonly answer: 'full' | 'shallow' | 'none';
  /** Whether removed records stay, marked as deleted. Default: `false`. */
  readonly soft?: boolean | undefined;
  /** Whether a body may carry a new key that the database otherwise generates. Default: `false`. */
  readonly allowGeneratedKey?: boolean | undefined;
  /** Whether records that the request does not match are left out. Default: a missing record is a 404. */
  readonly skipsMissing?: boolean;
}

/** A record to insert, or to update if another has its values of a unique constraint. */
export interface UpsertItem<Context = WriteContext> extends WriteItem<Context> {
  /** Leaves of a plan what the constraint does not decide. */
  readonly update: (key: Key) => Promise<Pick<WriteItem<Context>, 'context' | 'plan'> | undefined>;
}

/** A write of records that are inserted, or updated if others have their unique values. */
export interface Upsert<Context = WriteContext> extends Write<Context> {
  /** The records. */
  readonly items: readonly UpsertItem<Context>[];
  /** The fields of a unique constraint. */
  readonly onConflict: readonly string[];
}

/** A record just written, shaped for the answer, and its key, which the answer may not include. */
export interface Written<T = object> {
  /** What is answered. */
  readonly record: T;
  /** Its key. */
  readonly key: Key;
  /** The record as JSON text, or why records are needed. Default: no text. */
  readonly json?: string | NeedsRecords;
}

/** What a write did. */
export interface Stored {
  /** How many records were written. */
  readonly affected: number;
  /** The records for the answer, if it has any, in the order of the items. */
  readonly written: readonly Written[];
}

/** What an upsert did. */
export interface Upserted {
  /** The records for the answer, in the order of the items. */
  readonly written: readonly Written[];
  /** Whether a record was inserted. */
  readonly created: boolean;
}

/** Rows of groups, whether more than the most were found, and how many there are on all pages, if that was asked. */
export interface AggregateRows {
  /** By the names in the request. */
  readonly rows: AggregateResponseRow[];
  /** Whether there were more than `most`. */
  readonly cut: boolean;
  /** The rows on all pages; undefined if nobody asked. */
  readonly total: number | undefined;
}

/** How a store calls the hooks of services. */
export interface StoreHooks {
  /** What hooks are given to run statements in the transaction of a write; without one, in none. */
  getManager(connection?: never): unknown;
  /** Calls {@link WriteHooks.committed} with the changes of a write once the outermost transaction has committed. */
  reportAfterCommit(connection: never, hooks: WriteHooks, change: Change): void;
}

/**
 * For adapters: executes plans, in the caller's transaction if there is one. Errors of the database become exceptions
 * with code and field (`crudError`); what may succeed if it is repeated is repeated.
 *
 * Three methods are enough; resources cannot have the routes and options of those that a store leaves out.
 */
export abstract class Store {
  /**
   * The records of a plan, with the related records of its joins. Every name in it is resolved, and the scope is part
   * of its condition.
   */
  abstract read<T>(plan: ReadPlan, use: ReadUse): Promise<Rows<T>>;

  /** How many records match a plan, whatever its page. */
  abstract count(plan: ReadPlan, use: ReadUse): Promise<number>;

  /**
   * Writes all records or none, in one transaction: finds the record of each item (its key, and the condition that
   * `planScope` makes of the item's request), locks it, stores what is planned, and reads it again by `planRecords`,
   * which refuses (400) what is out of scope by then.
   */
  abstract write(asked: Write): Promise<Stored>;

  /** {@link write} of records that may exist already: POST with `onConflict`. Default: resources cannot have it. */
  upsert?(asked: Upsert): Promise<Upserted>;

  /** The rows of groups: `GET /aggregate`. Default: resources cannot have the route. */
  aggregate?(plan: AggregatePlan, use: ReadUse & { readonly counts: boolean }): Promise<AggregateRows>;

  /** A list that is sent while it is read: `query.export`. Default: resources cannot have it. */
  export?(catalog: Catalog, request: CrudRequest): ListExport;

  /** How hooks are called. Default: they are not, and services cannot override them. */
  readonly hooks?: StoreHooks;

  /**
   * Reads one record, and notes its entity tag for the answer. Default: the tag is that of the response's body.
   */
  readTagged<T>(plan: ReadPlan, _context: Pick<WriteContext, 'catalog' | 'request'>, use: ReadUse): Promise<Rows<T>> {
    return this.read(plan, use);
  }

  /** Reads a page and its total. */
  async readPage<T>(plan: ReadPlan, use: ReadUse): Promise<{ readonly rows: Rows<T>; readonly total: number }> {
    return { rows: await this.read<T>(plan, use), total: await this.count(plan, use) };
  }

  /** The keys of a plan's records as they are stored now, no replica's. */
  async readKeys(plan: ReadPlan, use: ReadUse): Promise<Key[]> {
    const records = await (await this.read<object>(plan, use)).records();

    return records.map((record) =>
      Object.fromEntries(plan.root.catalog.primary.map(({ path }) => [path, readOwnPath(record, path)])),
    );
  }

  /** Whether any record matches a plan. */
  async holdsAny(plan: ReadPlan, use: ReadUse): Promise<boolean> {
    return (await this.read({ ...plan, limit: 1 }, use)).length > 0;
  }

  /** A copy of a body, of its class, in which relations are own properties. */
  copyBody<B extends object>(body: B, _catalog: Catalog): B {
    return copyOf(body) as B;
  }
}
