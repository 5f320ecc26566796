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
  private readonly stores = new WeakMap<DataSource, Map<string, T>>();

  /** The thing under a key: kept, or made now. */
  get(dataSource: DataSource, key: string, make: () => T): T {
    let entries = this.stores.get(dataSource);
    if (!entries) this.stores.set(dataSource, (entries = new Map()));

    const known = entries.get(key);

    if (known !== undefined) {
      // A Map keeps the order of insertion: the first entry is the one that was not used for longest.
      entries.delete(key);
      entries.set(key, known);

      return known;
    }

    const made = make();

    entries.set(key, made);
    if (entries.size > databaseOptionsOf(dataSource).statementCache) entries.delete(entries.keys().next().value!);

    return made;
  }
}
