import { CATALOG, type Catalog, LIBRARY, noteVerbs, STORE, StoreService } from '@nestwright/crud/adapter';
import type { MemoryDatabase, MemoryTransaction } from './memory-database.js';
import { MemoryStore } from './memory-store.js';

/**
 * Serves one table in memory.
 *
 * @example
 * @Injectable()
 * export class BooksService extends MemoryCrudService<Book> {
 *   constructor(database: MemoryDatabase) {
 *     super(database, 'books');
 *   }
 * }
 */
export class MemoryCrudService<T extends object> extends StoreService<T, Partial<T>, MemoryTransaction> {
  static {
    noteVerbs(this.prototype);
  }

  override readonly [STORE]: MemoryStore;

  /** @throws Error if the database has no such table */
  constructor(
    /** The database. */
    protected readonly database: MemoryDatabase,
    /** The name of the table. */
    table: string,
  ) {
    super();
    this[STORE] = new MemoryStore(database, database.table(table));
  }

  override get [CATALOG](): Catalog {
    return this[STORE].table.catalog;
  }

  override [LIBRARY](): object {
    return MemoryCrudService.prototype;
  }

  /** This service in a transaction: its verbs join it, and are committed or undone with it. */
  within(transaction: MemoryTransaction): this {
    const { database, table } = this[STORE];

    return Object.create(this, { [STORE]: { value: new MemoryStore(database, table, transaction) } }) as this;
  }

  /** Runs several calls in one transaction. What fails undoes all of it. */
  transaction<R>(work: (transaction: MemoryTransaction) => Promise<R>): Promise<R> {
    return this.database.transaction(work);
  }
}
