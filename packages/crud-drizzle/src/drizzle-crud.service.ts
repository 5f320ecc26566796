import type { HookContext } from '@nestwright/crud';
import {
  CATALOG,
  type Catalog,
  CHECK_START,
  LIBRARY,
  noteVerbs,
  type ResourceDefinition,
  STORE,
  StoreService,
} from '@nestwright/crud/adapter';
import { inTransaction } from '@nestwright/sql';
import type { InferInsertModel, InferSelectModel, Table } from 'drizzle-orm';
import { type DrizzleDatabase, knowDatabase } from './drizzle/database.js';
import { DrizzleStore } from './drizzle-store.js';
import type { DrizzleConnection } from './drizzle/connection.js';
import { untoldRelations } from './start-mistakes.js';
import { describeTable, type TableOptions } from './drizzle/table-options.js';

/** What a hook is given about the write that it is part of. */
export type ChangeContext<DB extends DrizzleDatabase = DrizzleDatabase> = HookContext<DB>;

/**
 * Serves one table of Drizzle. Relations are those of `relations()`, if `drizzle()` was given the schema.
 *
 * @example
 * @Injectable()
 * export class UsersService extends DrizzleCrudService<typeof users> {
 *   constructor(@Inject(DB) db: NodePgDatabase<typeof schema>) {
 *     super(db, users, { deletedAt: 'deletedAt' });
 *   }
 * }
 */
export class DrizzleCrudService<T extends Table, DB extends DrizzleDatabase = DrizzleDatabase> extends StoreService<
  InferSelectModel<T>,
  Partial<InferInsertModel<T>>,
  DB
> {
  static {
    noteVerbs(this.prototype);
  }

  override readonly [STORE]: DrizzleStore;

  constructor(
    /** The database, as `drizzle()` has made it. */
    protected readonly db: DB,
    /** The table. */
    protected readonly table: T,
    options: TableOptions<T> = {},
  ) {
    super();
    describeTable(table, options);
    this[STORE] = new DrizzleStore(knowDatabase(db), db, table);
  }

  override get [CATALOG](): Catalog {
    return this[STORE].table.catalog;
  }

  override [LIBRARY](): object {
    return DrizzleCrudService.prototype;
  }

  override [CHECK_START](definition: ResourceDefinition): readonly string[] {
    return [...super[CHECK_START](definition), ...untoldRelations(definition, this[CATALOG], this.table)];
  }

  /**
   * This service in a transaction: its verbs join it, and are committed or rolled back with it.
   *
   * @example
   * await this.db.transaction(async (tx) => {
   *   const task = await this.within(tx).updateOne(request, { status: 'done' });
   *   await tx.insert(comments).values({ taskId: task.id, body: 'Done' });
   * });
   */
  within(manager: DrizzleDatabase): this {
    const store = new DrizzleStore(this[STORE].known, manager, this.table);

    return Object.create(this, { [STORE]: { value: store }, db: { value: manager } }) as this;
  }

  /**
   * Runs several calls in one transaction, which `service.within(manager)` joins. What fails undoes all of it; after a
   * deadlock or a serialization failure `work` is repeated.
   *
   * @example
   * await this.transaction(async (manager) => {
   *   await this.within(manager).updateOne(request, { status: 'done' });
   * });
   */
  transaction<R>(work: (manager: DB) => Promise<R>): Promise<R> {
    const { executor, hooks } = this[STORE];

    return inTransaction(executor, async (connection) => {
      await connection.open();

      return work(hooks.getManager(connection as DrizzleConnection as never) as DB);
    });
  }
}
