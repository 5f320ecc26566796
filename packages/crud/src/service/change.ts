/** What a service's hooks and listeners receive of a stored row, and the transactions around it. */
import { Logger } from '@nestjs/common';
import type { CrudRequest } from '../crud-request.js';
import type { BaseRouteName } from '../routes/route-table.js';

/** What becomes of a row: a PUT that creates is a `create`, soft deletion a `delete`. */
export type ChangeKind = 'create' | 'update' | 'replace' | 'delete' | 'recover';

/** What every change has. */
interface Changed<T> {
  /** Name of the row's entity; rows that a body carries beside the record (cascades) have their own. */
  readonly model: string;
  /**
   * The row with all its columns, hidden ones too, without related records: in `beforeChange` as it is to be, in
   * `afterChange` and `afterCommit` as it is stored. Of `delete` it is the row that goes.
   */
  readonly record: T;
}

/** A new row. */
export interface CreateChange<T> extends Changed<T> {
  readonly kind: 'create';
  /** There was none. */
  readonly before?: undefined;
}

/** A row that was there. */
interface ChangedBefore<T> extends Changed<T> {
  /** The row as it was, a copy. Default: it is not there, unless `needsBefore` asks for it. */
  readonly before?: Readonly<T>;
}

/** A row of which some columns, or links to others, change. */
export interface UpdateChange<T> extends ChangedBefore<T> {
  readonly kind: 'update';
}

/** A row that another takes the place of. */
export interface ReplaceChange<T> extends ChangedBefore<T> {
  readonly kind: 'replace';
}

/** A row that is removed, or marked as deleted. */
export interface DeleteChange<T> extends ChangedBefore<T> {
  readonly kind: 'delete';
}

/** A soft-deleted row that comes back. */
export interface RecoverChange<T> extends ChangedBefore<T> {
  readonly kind: 'recover';
}

/**
 * What becomes of one stored row.
 *
 * @example
 * if (change.kind === 'create') change.record.createdBy = context.request.auth.id;
 */
// Without a type, rows of any entity: those of cascades are of others.
export type Change<T = any> = CreateChange<T> | UpdateChange<T> | ReplaceChange<T> | DeleteChange<T> | RecoverChange<T>;

/** What hooks receive of the write that they are part of. `Manager` is what the adapter runs statements with. */
export interface HookContext<Manager> {
  /** The request of the verb that writes. */
  readonly request: CrudRequest;
  /**
   * In `beforeChange` and `afterChange` it is in the transaction of the write; what it does is committed, or undone,
   * with the change. In `afterCommit` it is in none.
   */
  readonly manager: Manager;
  /** The route of the verb, also if another handler calls the verb. */
  readonly route: BaseRouteName;
}

/** The part of an EventEmitter2 that is used. */
export interface ChangeEmitter {
  /** Calls the listeners of an event. */
  emitAsync(event: string, ...values: unknown[]): Promise<unknown>;
}

/** By service, and by class for request-scoped services. */
const emitters = new WeakMap<object, ChangeEmitter>();

/** Sets the emitter of a service, or of all services of a class. */
export function setEmitter(service: object, emitter: ChangeEmitter): void {
  emitters.set(service, emitter);
}

/**
 * The emitter of a service's changes; undefined if events are off. A service that is bound to a transaction inherits
 * from the one that was given its emitter.
 */
export function emitterOf(service: object): ChangeEmitter | undefined {
  return (
    emitters.get(service) ?? emitters.get(Object.getPrototypeOf(service) as object) ?? emitters.get(service.constructor)
  );
}

/**
 * Emits committed changes in order, as `crud.<Model>.<kind>`, if the global option `events` asks for
 * them. Listeners are not awaited; their errors are logged.
 */
export function emitChanges(emitter: ChangeEmitter, changes: readonly Change[]): void {
  for (const change of changes) void emit(emitter, `crud.${change.model}.${change.kind}`, change);
}

async function emit(emitter: ChangeEmitter, event: string, change: Change): Promise<void> {
  try {
    await emitter.emitAsync(event, change);
  } catch (error) {
    const stack = error instanceof Error ? error.stack : undefined;
    new Logger('Crud').error(`A listener of ${event} failed: ${String(error)}`, stack);
  }
}

/** Transactions that the application has opened by `@nestjs-cls/transactional`; only its own store knows them. */

/** The part of a `TransactionHost` that is used. */
export interface TransactionHost {
  readonly tx: unknown;
  isTransactionActive(): boolean;
}

const hosts = new Set<WeakRef<TransactionHost>>();
const known = new WeakSet<TransactionHost>();

/** Registers a host of an application. */
export function registerTransactionHost(host: TransactionHost): void {
  if (known.has(host)) return;

  known.add(host);
  hosts.add(new WeakRef(host));
}

/**
 * For adapters: the handles (TypeORM's entity managers …) of the transactions that the caller is part of; each adapter
 * recognizes its own.
 */
export function outerTransactions(): readonly unknown[] {
  const found: unknown[] = [];
  for (const reference of hosts) {
    const host = reference.deref();
    if (!host) hosts.delete(reference);
    else if (host.isTransactionActive()) found.push(host.tx);
  }

  return found;
}
