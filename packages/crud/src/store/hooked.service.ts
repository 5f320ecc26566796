import type { ObjectLiteral, ParsedRequestParams } from '@nestwright/crud-request';
import { CATALOG } from '../constants.js';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog } from '../plan/catalog.js';
import type { Change, ChangeKind, HookContext } from '../service/change.js';
import { CrudService } from '../service/crud.service.js';
import { readOne } from './reads.js';
import { copyScoped, makeBodyScope } from './scoped-body.js';
import { STORE, type Store } from './store.js';

/** For adapters: name of the property that tells whether a service overrides how single records are read. */
export const READS_BY_HOOK = Symbol('reads by hook');

/**
 * The hooks of a service over a store, which services override. `Manager` is what hooks are given to run statements.
 */
export abstract class HookedService<T, DTO = T | Partial<T>, Manager = unknown> extends CrudService<T, DTO> {
  /** Whether changes have the previous row as `before`, or the kinds that have it. Default: `false`. */
  declare readonly needsBefore?: boolean | readonly ChangeKind[];

  abstract override get [CATALOG](): Catalog;

  /** The store of the service, in the transaction that the service is bound to. */
  abstract get [STORE](): Store;

  /** Whether single records are read by the application's own hook; its filters then apply to writes too. */
  get [READS_BY_HOOK](): boolean {
    return this.getOneOrFail !== HookedService.prototype.getOneOrFail;
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
  beforeChange(_change: Change<T>, _context: HookContext<Manager>): void | Promise<void> {
    return undefined;
  }

  /**
   * Called for each row once it is stored, in the transaction of the write; throwing undoes the write. Override it; the
   * default does nothing.
   */
  afterChange(_change: Change<T>, _context: HookContext<Manager>): void | Promise<void> {
    return undefined;
  }

  /**
   * Called once for each call of a verb, with all its changes in their order, when the outermost transaction has
   * committed. Errors are logged and do not change the answer. Override it; the default does nothing.
   */
  afterCommit(_changes: readonly Change<T>[], _context: HookContext<Manager>): void | Promise<void> {
    return undefined;
  }

  /**
   * The body of POST as it is to be stored; called for each record of a bulk. Override it to change a record before it
   * is planned; undefined refuses it as empty. Whatever it returns, path values and `persist` are put in again.
   */
  protected prepareEntityBeforeSave(dto: DTO, parsed: ParsedRequestParams): T | undefined {
    if (typeof dto !== 'object' || dto === null) return undefined;

    const catalog = this[CATALOG];
    const scope = makeBodyScope(parsed, this.getParamFilters(parsed), catalog);
    const entity = copyScoped(this[STORE], dto as object, scope, catalog);

    return Object.keys(entity).length > 0 ? (entity as T) : undefined;
  }

  /** Path values by field, which are set in every stored body. Override it to store others. */
  protected getParamFilters(parsed: ParsedRequestParams): ObjectLiteral {
    return Object.fromEntries((parsed.paramsFilter ?? []).map(({ field, value }) => [field, value as unknown]));
  }

  /**
   * The one record that the request's condition describes; none is a 404, several are a 409.
   *
   * @param shallow Whether joined relations are left out. Default: `false`.
   * @param withDeleted Whether a soft-deleted record is found. Default: as the request says.
   */
  protected async getOneOrFail(request: CrudRequest, shallow = false, withDeleted = false): Promise<T> {
    return (await readOne<T>(this, request, { shallow, withDeleted })).records();
  }
}
