/** What `persist` says of a record's key: a record that has another key is not written. */
import { applyScope, bodyScope, namesColumn } from './body-scope.js';
import type { Catalog, CatalogColumn } from './catalog.js';
import { isRecord, valueAt } from './property-paths.js';
import { Refusal } from './refusal.js';
import { checkValue } from './write-checks.js';

/**
 * The key columns that `persist` names, by column or by the relation that holds them, and their values;
 * undefined for a value that the column cannot store.
 *
 * @example
 * readPersistedKey({ id: 'break' }, users); // Map { id => undefined }
 */
export function readPersistedKey(persist: object | undefined, catalog: Catalog): ReadonlyMap<CatalogColumn, unknown> {
  const fields = Object.keys(persist ?? {});
  const columns = catalog.primary.filter(
    (column) => fields.some((field) => namesColumn(field, column, catalog)) && !isLeftOut(column, persist as object),
  );
  if (columns.length === 0) return new Map();

  const body: Record<string, unknown> = {};
  applyScope(body, bodyScope({ path: [], persist }, catalog));

  return new Map(
    columns.map((column) => {
      const raw = readColumn(column, body, catalog) ?? null;
      const value = checkValue(column, raw);

      return [column, value instanceof Refusal ? undefined : value];
    }),
  );
}

/** Whether `persist` has the embedded object of a column, but not the column. */
function isLeftOut({ path }: CatalogColumn, persist: object): boolean {
  if (Object.hasOwn(persist, path)) return false;

  let holder: unknown = persist;
  for (const name of path.split('.')) {
    if (!isRecord(holder)) return false;
    if (!(name in holder)) return holder !== persist;
    holder = (holder as Readonly<Record<string, unknown>>)[name];
  }

  return false;
}

function readColumn(column: CatalogColumn, body: object, { relations }: Catalog): unknown {
  const own = valueAt(body, column.path);
  if (own !== undefined && !relations.has(column.path)) return own;

  for (const { path, references } of relations.values()) {
    const reference = references.find((one) => one.column === column);
    const related = reference && valueAt(body, path);
    if (related !== undefined) return isRecord(related) ? valueAt(related, reference!.references.path) : related;
  }

  return undefined;
}
