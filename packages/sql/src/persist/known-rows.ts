/**
 * The rows of a bulk as they are stored: read together, and once more if a hook has written to their table in the
 * meantime.
 */
import type { WriteHooks } from '../statements/write-context.js';
import type { WriteContext } from '../statements/write-context.js';
import { loadRows } from './loaded-row.js';
import type { Key } from '../statements/values.js';
import { getTable } from '../database/links.js';
import type { Connection, Entity } from '../database/database.js';

/** Rows whose hooks are called one after the other. */
interface KnownRows {
  /** The hooks, which are watched. */
  readonly hooks: WriteHooks;
  /** The row in this place, as it is now. */
  readonly at: (index: number) => Promise<Entity | undefined>;
}

/** Does work with the rows under some keys, which are locked. */
export async function withKnownRows<T>(
  { catalog, hooks }: WriteContext & { readonly hooks: WriteHooks },
  connection: Connection,
  keys: readonly Key[],
  work: (rows: KnownRows) => Promise<T>,
): Promise<T> {
  const table = getTable(catalog);
  let rows = await loadRows(connection, table, keys);
  let read = 0;
  let isStale = false;
  const watched = watchHooks(hooks);
  const restore = connection.intercept((sql, send) => {
    isStale ||= watched.running > 0 && mayChange(table.tableName, sql);

    return send();
  });

  try {
    return await work({
      hooks: watched.hooks,
      at: async (index) => {
        if (isStale) {
          isStale = false;
          rows = await loadRows(connection, table, keys.slice(index));
          read = index;
        }

        return rows[index - read];
      },
    });
  } finally {
    restore();
  }
}

/** Hooks that count how many of them are running. */
function watchHooks(hooks: WriteHooks): { readonly hooks: WriteHooks; running: number } {
  const watch =
    <Given extends unknown[]>(hook: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      watched.running += 1;
      try {
        await hook(...given);
      } finally {
        watched.running -= 1;
      }
    };
  const watched = { hooks: { ...hooks, before: watch(hooks.before), after: watch(hooks.after) }, running: 0 };

  return watched;
}

/** Whether a statement may change rows of a table; a foreign key takes changes of one table to others. */
function mayChange(table: string, sql: string): boolean {
  return !/^\s*(?:select|savepoint|release)\b/i.test(sql) && (!/^\s*insert\b/i.test(sql) || sql.includes(table));
}
