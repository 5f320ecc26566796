/** What planning the write of one record needs beside it, and how keys are read in bodies. */
import type { BodyScope } from './body-scope.js';
import type { Catalog, CatalogColumn, CatalogRelation } from './catalog.js';
import { isRecord, readOwnPath } from '../definition/plain-objects.js';
import { Refusal, type WriteFaults, wrongType } from './refusal.js';
import { checkValue } from './write-checks.js';
import type { PlannedKey, PlannedValue, WriteMode, WritePlan } from './write-plan.js';

export interface WriteContext {
  readonly mode: WriteMode;
  /** Precedes property paths in messages. */
  readonly prefix: string;
  readonly faults: WriteFaults;
  readonly depth: number;
  /** Columns and relations that a nested record may not set: those that refer to its parent. */
  readonly fixed: ReadonlySet<string>;
  /** What is put into nested records. */
  readonly scope?: BodyScope | undefined;
  /** Plans a nested record as its parent is planned. */
  readonly planNested: (catalog: Catalog, entity: object, context: WriteContext) => WritePlan;
}

/** Values by column, not by path: foreign keys without a property may share the path of their relation. */
export type ColumnValues = Map<CatalogColumn, unknown>;

/** A relation and what a body says of it. */
export interface CarriedRelation {
  readonly relation: CatalogRelation;
  readonly raw: unknown;
}

/** The relation from nested records back to the record that they are nested in. */
export function findInverse({ target, inverse }: CatalogRelation): CatalogRelation | undefined {
  return inverse === undefined ? undefined : target.relations.get(inverse);
}

/**
 * Paths of the relation and the foreign keys from nested records back to their parent. The parent decides them: a body
 * could otherwise move the records elsewhere.
 */
export function listBackReferences(relation: CatalogRelation): ReadonlySet<string> {
  const back = findInverse(relation);

  return new Set(back && [back.path, ...back.references.map(({ column }) => column.path)]);
}

/**
 * Whether a value is the `0` that front ends send as the key of a new record, where the database counts keys from 1.
 */
export function isUnassignedKey({ primary, autoIncrement }: CatalogColumn, value: unknown): boolean {
  return primary && autoIncrement && (value === 0 || value === '0');
}

/** Whether a body may set a column at all; a key is set by an insert alone. */
export function isWritable(column: CatalogColumn, { mode, fixed }: Pick<WriteContext, 'mode' | 'fixed'>): boolean {
  if (column.source !== 'client' || fixed.has(column.path)) return false;

  return mode === 'insert' ? column.insertable : column.updatable && !column.primary;
}

/**
 * The key that a body names a related record by: the bare id, or a record with the id; undefined if none is given,
 * `refused` if a part is wrong or missing.
 */
export function readKey(
  columns: readonly CatalogColumn[],
  raw: unknown,
  path: string,
  { faults }: WriteContext,
): PlannedKey | undefined | 'refused' {
  const [only] = columns;
  const bare = typeof raw === 'string' || typeof raw === 'number' || typeof raw === 'bigint';
  if (bare && columns.length > 1) {
    faults.add(path, wrongType('must be an object'));
    return 'refused';
  }

  const given = bare && only ? [raw] : isRecord(raw) ? columns.map((column) => readOwnPath(raw, column.path)) : [];
  if (given.every((value) => value === undefined || value === null)) return undefined;
  if (columns.some((column, index) => isUnassignedKey(column, given[index]))) {
    if (isRecord(raw) && hasMore(raw, columns)) return undefined;
    faults.add(path, wrongType('must name a record: 0 is no key'));
    return 'refused';
  }

  const key: PlannedValue[] = [];
  columns.forEach((column, index) => {
    const part = given[index] ?? undefined;
    const value = part === undefined ? wrongType('is required') : checkValue(column, part);
    if (value instanceof Refusal) faults.add(bare ? path : `${path}.${column.path}`, value);
    else key.push({ column, value });
  });

  return key.length === columns.length ? key : 'refused';
}

/** Whether a record has anything besides the given columns. */
function hasMore(record: object, columns: readonly CatalogColumn[]): boolean {
  const names = new Set(columns.map(({ path }) => path.split('.')[0]));

  return Object.entries(record).some(([name, value]) => value !== undefined && !names.has(name));
}

/** One text for equal keys. */
export function printKey(key: PlannedKey): string {
  return JSON.stringify(
    key.map(({ value }) => (value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value))),
  );
}
