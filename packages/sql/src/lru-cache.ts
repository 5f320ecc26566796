import { getOrInsert } from '@nestwright/crud/adapter';
import { OBJECT_BYTES, textBytes } from './weight.js';
import type { Database } from './database/database.js';

/** Adds bytes to the weight of an entry, while it is made or later, when it grows. */
export type Weigh = (bytes: number) => void;

/** An entry that weighs more than this part of the budget is not kept. */
const LARGEST_SHARE = 1 / 16;

/** Memory of the key, the place in the Map, the entry itself and its weigh function. */
const ENTRY_BYTES = 4 * OBJECT_BYTES;

interface Entry<T> {
  readonly value: T;
  bytes: number;
  /** When it was used last, by the budget's clock. */
  used: number;
}

/** The entries of one cache for one database, those used last at the end, as a Map keeps the order of insertion. */
type Entries<T> = Map<string, Entry<T>>;

interface Store<T> {
  readonly entries: Entries<T>;
  readonly budget: Budget;
  /** When an entry of it was used last: the one at the end. */
  lastUse: number;
}

/**
 * A cache by key, with at most `statementCache` entries for each database; all caches of a database share its
 * `statementCacheBytes`.
 */
export class LruCache<T> {
  private readonly stores = new WeakMap<Database, Store<T>>();

  /**
   * The value under a key: kept, or made now.
   *
   * @param make Weighs what its value retains, besides the key.
   */
  get(database: Database, key: string, make: (weigh: Weigh) => T): T {
    const store = this.getStore(database);

    return (use(store, key) ?? this.add(store, key, make)).value;
  }

  find(database: Database, key: string): T | undefined {
    return use(this.getStore(database), key)?.value;
  }

  private add(store: Store<T>, key: string, make: (weigh: Weigh) => T): Pick<Entry<T>, 'value'> {
    const { entries, budget } = store;
    let bytes = ENTRY_BYTES + textBytes(key);
    let entry = undefined as Entry<T> | undefined;

    const value = make((more) => {
      if (entry === undefined) {
        bytes += more;
      } else if (entries.get(key) === entry) {
        entry.bytes += more;
        budget.add(more);
        if (entry.bytes > budget.largest) budget.drop(entries, key);
        budget.enforceLimits(entries);
      }
    });

    if (bytes > budget.largest) {
      budget.enforceLimits(entries);

      return { value };
    }

    entry = { value, bytes, used: budget.tick() };
    entries.set(key, entry);
    store.lastUse = entry.used;
    budget.add(bytes);
    budget.enforceLimits(entries);

    return entry;
  }

  private getStore(database: Database): Store<T> {
    let store = this.stores.get(database);

    if (!store) {
      store = { entries: new Map(), budget: getBudget(database), lastUse: 0 };
      store.budget.share(store.entries);
      this.stores.set(database, store);
    }

    return store;
  }
}

/** The entry of a key, which becomes the most recently used. */
function use<T>(store: Store<T>, key: string): Entry<T> | undefined {
  const { entries, budget } = store;
  const entry = entries.get(key);
  if (!entry) return undefined;

  if (entry.used !== store.lastUse) {
    entries.delete(key);
    entries.set(key, entry);
  }
  entry.used = store.lastUse = budget.tick();

  return entry;
}

/** The memory budget that all caches of a database share. */
class Budget {
  bytes = 0;
  private clock = 0;
  private readonly caches = new Set<Entries<unknown>>();

  constructor(private readonly database: Database) {}

  get largest(): number {
    return this.options.statementCacheBytes * LARGEST_SHARE;
  }

  private get options() {
    return this.database.options;
  }

  tick(): number {
    return (this.clock += 1);
  }

  add(bytes: number): void {
    this.bytes += bytes;
  }

  share(entries: Entries<unknown>): void {
    this.caches.add(entries);
  }

  drop(entries: Entries<unknown>, key: string): void {
    this.bytes -= entries.get(key)!.bytes;
    entries.delete(key);
  }

  /**
   * Drops least recently used entries until the cache is within its number of entries, and all caches are within the
   * budget.
   */
  enforceLimits(entries: Entries<unknown>): void {
    const { statementCache, statementCacheBytes } = this.options;

    while (entries.size > statementCache) this.drop(entries, entries.keys().next().value!);

    while (this.bytes > statementCacheBytes) {
      const oldest = this.oldest();
      if (!oldest) return;
      this.drop(...oldest);
    }
  }

  private oldest(): [Entries<unknown>, string] | undefined {
    let oldest: [Entries<unknown>, string] | undefined;
    let used = Infinity;

    for (const entries of this.caches) {
      const [first] = entries;

      if (first && first[1].used < used) {
        oldest = [entries, first[0]];
        ({ used } = first[1]);
      }
    }

    return oldest;
  }
}

const budgets = new WeakMap<Database, Budget>();

function getBudget(database: Database): Budget {
  return getOrInsert(budgets, database, () => new Budget(database));
}

/** The estimated size of a database's caches, in bytes. */
export function cachedBytes(database: Database): number {
  return getBudget(database).bytes;
}
