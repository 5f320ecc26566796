import type { Change, ChangeKind } from '@nestwright/crud';
import { CATALOG } from '@nestwright/crud/adapter';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import type { DeepPartial, EntityManager, ObjectLiteral } from 'typeorm';
import { inAmbientTransaction, type TransactionOptions } from './ambient-transactions.js';
import type { ChangeContext } from './change-hooks.js';
import { makeBodyScope, scopedBody } from './persist/scoped-body.js';
import { TypeOrmReadService } from './typeorm-read.service.js';

/** The hooks around what a service writes, which services override, and its transactions. */
export abstract class TypeOrmHooksService<T extends ObjectLiteral> extends TypeOrmReadService<T> {
  /** Whether changes have the previous row as `before`, or the kinds that have it. Default: `false`. */
  declare readonly needsBefore?: boolean | readonly ChangeKind[];

  /**
   * Runs several calls in one transaction, which services of the data source join wherever `work` calls them, and
   * `service.within(manager)` joins anywhere. What fails undoes all of it; after a deadlock or a serialization failure
   * `work` is repeated. In a transaction that is open already it is a savepoint.
   *
   * @example
   * await this.transaction(async (manager) => {
   *   await this.updateOne(request, { status: 'done' });
   *   await manager.insert(Comment, { body: 'Done' });
   * }, { isolation: 'SERIALIZABLE', retries: 5 });
   */
  transaction<R>(work: (manager: EntityManager) => Promise<R>, options: TransactionOptions = {}): Promise<R> {
    return inAmbientTransaction(this.repo.manager, work, options);
  }

  /**
   * Called for each row before it is stored, in the transaction of the write: it may change `change.record`, or refuse
   * the write by throwing. What it changes is validated like a body; values of path and `persist` cannot be changed.
   * Override it; the default does nothing.
   *
   * @example
   * override beforeChange(change: Change<User>, { request }: ChangeContext) {
   *   if (change.kind === 'create') change.record.createdBy = request.auth.id;
   * }
   */
  beforeChange(_change: Change<T>, _context: ChangeContext): void | Promise<void> {
    return undefined;
  }

  /**
   * Called for each row once it is stored, in the transaction of the write; throwing undoes the write. Override it; the
   * default does nothing.
   */
  afterChange(_change: Change<T>, _context: ChangeContext): void | Promise<void> {
    return undefined;
  }

  /**
   * Called once for each call of a verb, with all its changes in their order, when the outermost transaction has
   * committed. Errors are logged and do not change the answer. Override it; the default does nothing.
   */
  afterCommit(_changes: readonly Change<T>[], _context: ChangeContext): void | Promise<void> {
    return undefined;
  }

  /**
   * The body of POST as it is to be stored; called for each record of a bulk. Override it to change a record before it
   * is planned; undefined refuses it as empty. Whatever it returns, path values and `persist` are put in again.
   */
  protected prepareEntityBeforeSave(dto: DeepPartial<T>, parsed: ParsedRequestParams): T | undefined {
    if (typeof dto !== 'object' || dto === null) return undefined;

    const entity = scopedBody(dto, makeBodyScope(parsed, this.getParamFilters(parsed), this[CATALOG]), this[CATALOG]);

    return Object.keys(entity).length > 0 ? (entity as unknown as T) : undefined;
  }

  /** Path values by field, which are set in every stored body. Override it to store others. */
  protected getParamFilters(parsed: ParsedRequestParams): ObjectLiteral {
    return Object.fromEntries((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  }
}
