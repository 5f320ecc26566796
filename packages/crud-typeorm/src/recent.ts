/** Data sources, keys and how to make what belongs to them in, the things out, each made once as long as it is in use; the one that was not used for longest gives way. */
import type { DataSource } from 'typeorm';
import { databaseOptionsOf } from './database-options.js';

/**
 * Things that are dear to make, so many for each data source as its option `statementCache` says.
 *
 * @example
 * const statements = new Recent<Statement>();
 * statements.get(dataSource, shape, () => compile(plan));
 */
export class Recent<T> {
  private readonly stores = new WeakMap<DataSource, Store<T>>();

  /** The thing under a key: kept, or made now. */
  get(dataSource: DataSource, key: string, make: () => T): T {
    let store = this.stores.get(dataSource);
    if (!store) this.stores.set(dataSource, (store = { entries: new Map() }));

    const { entries, latest } = store;
    if (latest?.key === key) return latest.thing;

    const known = entries.get(key);
    const thing = known ?? make();

    // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
    if (known !== undefined) entries.delete(key);
    entries.set(key, thing);
    store.latest = { key, thing };
    if (entries.size > databaseOptionsOf(dataSource).statementCache) entries.delete(entries.keys().next().value!);

    return thing;
  }
}

/** What is kept for a data source. */
interface Store<T> {
  readonly entries: Map<string, T>;
  /** The entry that was used last, whose place in the order is right. */
  latest?: { readonly key: string; readonly thing: T };
}
