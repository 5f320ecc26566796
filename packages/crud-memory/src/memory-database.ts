/** Records in memory, and transactions over them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Change } from '@nestwright/crud';
import type { WriteHooks } from '@nestwright/crud/adapter';
import { MemoryTable, type Rows, type TableDefinition } from './tables.js';
import { type Row, textOf } from './values.js';

type TableRows = ReadonlyMap<string, Row>;

/** The transactions that the caller is in. One storage for all databases: on Node.js 20 each makes every promise of its process slower. */
const ambient = new AsyncLocalStorage<readonly MemoryTransaction[]>();

/** Hooks as they are called in a transaction in memory. */
export type MemoryHooks = WriteHooks<MemoryTransaction>;

/**
 * A database in memory, for tests and prototypes. Transactions run one after the other.
 *
 * @example
 * class Book {
 *   id!: number;
 *   title!: string;
 * }
 *
 * const database = new MemoryDatabase({
 *   books: {
 *     model: Book,
 *     columns: { id: { kind: 'integer', primary: true, counter: true }, title: { kind: 'text', unique: true } },
 *   },
 * });
 */
export class MemoryDatabase implements Rows {
  private readonly tables: ReadonlyMap<string, MemoryTable>;
  private committed!: ReadonlyMap<MemoryTable, TableRows>;
  private readonly counters = new Map<string, bigint>();
  private last: Promise<unknown> = Promise.resolve();

  /** @param definitions The tables by their names. */
  constructor(definitions: Readonly<Record<string, TableDefinition>>) {
    const find = (name: string) => this.table(name);
    this.tables = new Map(
      Object.entries(definitions).map(([name, definition]) => [name, new MemoryTable(name, definition, find)]),
    );
    this.clear();
  }

  /**
   * A table by its name.
   *
   * @throws Error if there is none
   */
  table(name: string): MemoryTable {
    const table = this.tables.get(name);
    if (!table) throw new Error(`There is no table ${name}: the database has ${[...this.tables.keys()].join(', ')}`);

    return table;
  }

  /** Removes all records; counters go on. */
  clear(): void {
    this.committed = new Map([...this.tables.values()].map((table) => [table, new Map()]));
  }

  /** All tables. */
  all(): Iterable<MemoryTable> {
    return this.tables.values();
  }

  /** The committed rows of a table. */
  of(table: MemoryTable): Iterable<Row> {
    return this.committed.get(table)!.values();
  }

  /** The transaction that the caller is in, if any. */
  current(): MemoryTransaction | undefined {
    return ambient.getStore()?.find(({ database }) => database === this);
  }

  /** Runs work in a transaction, or in a savepoint of the one that the caller is in. */
  async transaction<R>(work: (transaction: MemoryTransaction) => Promise<R>, own = this.current()): Promise<R> {
    if (own?.isOpen) return own.savepoint(work);

    // Whoever comes later waits.
    const before = this.last;
    let finish = (): void => undefined;
    this.last = new Promise<void>((resolve) => (finish = resolve));
    await before;
    const transaction = new MemoryTransaction(this, this.committed);

    try {
      const result = await ambient.run([transaction, ...(ambient.getStore() ?? [])], () => work(transaction));
      this.committed = transaction.close();
      finish();
      await transaction.report();

      return result;
    } finally {
      transaction.close();
      finish();
    }
  }

  /** The next value of a counter; what it has counted stays so, whatever becomes of the transaction. */
  count(counter: string, used?: bigint): bigint {
    const last = this.counters.get(counter) ?? 0n;
    const next = used ?? last + 1n;
    if (next > last) this.counters.set(counter, next);

    return next;
  }
}

/** A transaction: rows as it has changed them, which the database takes over when it commits. */
export class MemoryTransaction implements Rows {
  /** Whether it is neither committed nor undone. */
  isOpen = true;
  private readonly owned = new Map<MemoryTable, Map<string, Row>>();
  private pending: { readonly hooks: MemoryHooks; readonly change: Change }[] = [];

  constructor(
    /** The database. */
    readonly database: MemoryDatabase,
    private rows: ReadonlyMap<MemoryTable, TableRows>,
  ) {}

  /** The rows of a table, as the transaction has changed them. */
  of(table: MemoryTable): Iterable<Row> {
    return this.rows.get(table)!.values();
  }

  /** Stores a row under its key, in place of another if there is one. */
  put(table: MemoryTable, row: Row, former: Row = row): void {
    const rows = this.own(table);
    const [before, key] = [keyOf(table, former), keyOf(table, row)];
    if (before !== key) rows.delete(before);
    rows.set(key, row);
  }

  /** Removes a row. */
  remove(table: MemoryTable, row: Row): void {
    this.own(table).delete(keyOf(table, row));
  }

  /** The rows of a table, which nobody else has. */
  private own(table: MemoryTable): Map<string, Row> {
    const owned = this.owned.get(table);
    if (owned) return owned;
    const rows = new Map(this.rows.get(table));
    this.rows = new Map([...this.rows, [table, rows]]);
    this.owned.set(table, rows);

    return rows;
  }

  /** Undoes the work alone if it fails. */
  async savepoint<R>(work: (transaction: MemoryTransaction) => Promise<R>): Promise<R> {
    const { rows, pending } = this;
    this.owned.clear();

    try {
      return await work(this);
    } catch (error) {
      this.rows = rows;
      this.owned.clear();
      this.pending = pending;
      throw error;
    }
  }

  /** Notes a change for hooks that are called after the commit. */
  note(hooks: MemoryHooks, change: Change): void {
    this.pending = [...this.pending, { hooks, change }];
  }

  /** Calls what waits for the commit. */
  async report(): Promise<void> {
    const byWrite = new Map<MemoryHooks, Change[]>();
    for (const { hooks, change } of this.pending) byWrite.set(hooks, [...(byWrite.get(hooks) ?? []), change]);
    for (const [hooks, changes] of byWrite) await hooks.committed(changes);
  }

  /** Ends it; what it has made of the rows. */
  close(): ReadonlyMap<MemoryTable, TableRows> {
    this.isOpen = false;

    return this.rows;
  }
}

function keyOf({ primary, catalog }: MemoryTable, row: Row): string {
  return JSON.stringify(primary.map((path) => textOf(catalog.columns.get(path)!, row[path])));
}
