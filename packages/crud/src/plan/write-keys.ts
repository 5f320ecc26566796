/** Keys of related records in bodies: the bare id, or a record with the id. */
import { isRecord, valueAt } from './property-paths.js';
import type { Catalog, CatalogColumn, CatalogReference } from './catalog.js';
import { Refusal, wrongType } from './refusal.js';
import { checkValue } from './write-checks.js';
import { isUnassignedKey, type WriteContext } from './write-context.js';
import type { PlannedKey } from './write-plan.js';

/**
 * The values of the columns that a foreign key refers to, in their order; undefined if none is given, `refused` if one
 * is wrong or some are missing.
 */
export function readKey(
  references: readonly CatalogReference[],
  raw: unknown,
  path: string,
  context: WriteContext,
): readonly unknown[] | undefined | 'refused' {
  return readColumns(
    references.map((reference) => reference.references),
    raw,
    path,
    context,
  );
}

/** The primary key that a body names. */
export function readPrimary(
  { primary }: Catalog,
  raw: unknown,
  path: string,
  context: WriteContext,
): PlannedKey | undefined | 'refused' {
  const values = readColumns(primary, raw, path, context);

  return Array.isArray(values) ? primary.map((column, index) => ({ column, value: values[index] })) : values;
}

/** The values of columns that a body names: bare if there is one column, otherwise as a record. */
export function readColumns(
  columns: readonly CatalogColumn[],
  raw: unknown,
  path: string,
  { faults }: WriteContext,
): unknown[] | undefined | 'refused' {
  const [only] = columns;
  const bare = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint';
  if (bare && columns.length > 1) {
    faults.add(path, wrongType('must be an object'));
    return 'refused';
  }

  const given = bare && only ? [raw] : isRecord(raw) ? columns.map((column) => valueAt(raw, column.path)) : [];
  if (given.every((value) => value === undefined || value === null)) return undefined;
  if (columns.some((column, index) => isUnassignedKey(column, given[index]))) {
    if (isRecord(raw) && hasMore(raw, columns)) return undefined;
    faults.add(path, wrongType('must name a record: 0 is no key'));
    return 'refused';
  }

  let fine = true;
  const values = columns.map((column, index) => {
    const value = given[index] ?? undefined;
    const checked = value === undefined ? wrongType('is required') : checkValue(column, value);
    if (!(checked instanceof Refusal)) return checked;
    faults.add(bare ? path : `${path}.${column.path}`, checked);
    fine = false;
    return undefined;
  });

  return fine ? values : 'refused';
}

/** Whether a record has anything besides the given columns. */
function hasMore(record: object, columns: readonly CatalogColumn[]): boolean {
  const names = new Set(columns.map(({ path }) => path.split('.')[0]));

  return Object.entries(record).some(([name, value]) => value !== undefined && !names.has(name));
}

/** One text for equal keys. */
export function textOfKey(key: PlannedKey): string {
  return JSON.stringify(
    key.map(({ value }) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value))),
  );
}
