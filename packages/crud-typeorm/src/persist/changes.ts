/** Changed columns of one stored record go in and are written by one UPDATE, under the conditions given; the number of records written comes out. */
import type { EntityMetadata, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { execute } from './execute.js';
import { nowOf } from './now.js';
import { both, equal, type Predicate, setAt } from './values.js';

/** New values by column; {@link RESET} puts back the column's default. */
export type Changes = ReadonlyMap<ColumnMetadata, unknown>;

/** Stands for a column's default, or null where it has none. */
export const RESET: unique symbol = Symbol('reset');

/** One record to change: its key, and what else must hold of it. */
export interface StoredRow {
  readonly metadata: EntityMetadata;
  /** By property path. Undefined where nobody needs it: the condition alone finds the record. */
  readonly key?: Readonly<Record<string, unknown>>;
  readonly where?: Predicate;
  /** Whether the record is written though none of its values changes, as a PUT does. Default: `false`. */
  readonly always?: boolean;
  /** Relations that the body names, of which onlookers are told what was linked. Default: those whose foreign keys change. */
  readonly relations?: readonly RelationMetadata[];
  /** Where the record stands in the body. */
  readonly path: string;
}

/** The condition that a record has a key. */
export function keyPredicate(metadata: EntityMetadata, key: Readonly<Record<string, unknown>>): Predicate {
  return equal(
    metadata.primaryColumns,
    metadata.primaryColumns.map((column) => key[column.propertyPath]),
    'key',
  );
}

/** What the update builder is to set, the time of the update included; empty where there is nothing to write. */
export function settersOf(metadata: EntityMetadata, changes: Changes): ObjectLiteral {
  const set: ObjectLiteral = {};

  for (const [column, value] of changes) {
    if (isWritten(column)) {
      setAt(set, column.propertyPath, value === RESET ? () => defaultOf(column) : value);
    }
  }

  const now = Object.keys(set).length > 0 ? updateTime(metadata) : undefined;

  return now ? setAt(set, now.column.propertyPath, () => now.sql) : set;
}

/** Whether an UPDATE may name a column. */
export function isWritten({ isUpdate, isPrimary }: ColumnMetadata): boolean {
  return isUpdate && !isPrimary;
}

/**
 * Updates the given columns alone, and with them the version and the update date, where the record satisfies the condition.
 *
 * The answer is -1 where there was nothing to write, so that nothing was looked for.
 */
export async function writeRow(
  runner: QueryRunner,
  { metadata, key, where, path }: StoredRow,
  changes: Changes,
  condition?: Predicate,
): Promise<number> {
  const set = settersOf(metadata, changes);

  if (Object.keys(set).length === 0) {
    return -1;
  }

  const byKey = key && keyPredicate(metadata, key);
  const found = where ? both(where, byKey) : byKey;

  if (!found) {
    throw new Error(`An update of ${metadata.name} without a condition`);
  }

  const predicate = both(found, condition);

  const statement = runner.manager
    .createQueryBuilder()
    .update(metadata.target)
    .set(set)
    .where(predicate.sql, predicate.parameters);
  const context = { metadata, operation: 'store' as const, paths: [path], rows: [set] };
  const { affected } = await execute(runner, context, statement);

  return affected ?? 0;
}

/** The time of an update, where the column knows it better than TypeORM's own statement. */
function updateTime({ updateDateColumn: column }: EntityMetadata): { column: ColumnMetadata; sql: string } | undefined {
  const sql = column && nowOf(column);

  return column && sql ? { column, sql } : undefined;
}

/** The SQL of a column's default; SQLite has no word for it. */
function defaultOf(column: ColumnMetadata): string {
  return dialectOf(column.entityMetadata.connection).name === 'sqlite' ? defaultExpression(column) : 'DEFAULT';
}

/** What a column's default is, where DEFAULT cannot stand. */
export function defaultExpression(column: ColumnMetadata): string {
  const { driver } = column.entityMetadata.connection;

  return column.default === undefined || column.default === null ? 'NULL' : String(driver.normalizeDefault(column));
}
