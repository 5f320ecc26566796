import type { EntityMetadata, ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { DEFAULT_VALUE, type WritePlan } from '@nestwright/crud/adapter';
import { metadataOf } from '../catalog/catalog.js';
import { dialectOf } from '../dialect/dialect-of.js';
import type { StatementContext } from '../errors/statement-error.js';
import { execute } from './execute.js';
import { defaultSql, preparedValue } from './column-sql.js';
import { tableSql, VALUE, withPlaceholders } from '../sql/index.js';
import { both, equal, type Key, keyValues, positional, type Predicate, setAt } from './values.js';

/** New values by column; {@link RESET} puts back the column's default. */
export type Changes = ReadonlyMap<ColumnMetadata, unknown>;

/** The column's default, or null if it has none. */
export const RESET: unique symbol = Symbol('reset');

/** The record to change: its key, and further conditions. */
export interface StoredRow {
  readonly metadata: EntityMetadata;
  /** By property path. Undefined if not needed: the condition alone finds the record. */
  readonly key?: Key;
  readonly where?: Predicate;
  /** Whether to write the record even if no value changes, as a PUT does. Default: `false`. */
  readonly always?: boolean;
  /**
   * Relations in the body, reported to listeners and subscribers as changed. Default: those whose foreign keys change.
   */
  readonly relations?: readonly RelationMetadata[];
  /** Columns, by property path, that the options hide from reads: listeners and subscribers see only sent values of them. Default: none. */
  readonly unread?: () => ReadonlySet<string>;
  readonly path: string;
  /** As what errors are reported. Default: `store`. */
  readonly operation?: StatementContext['operation'];
  /** The record as it is stored, locked and with all its columns. Default: it was not read. */
  readonly known?: ObjectLiteral | undefined;
}

export function keyPredicate(metadata: EntityMetadata, key: Key): Predicate {
  return equal(metadata.primaryColumns, keyValues(metadata, key));
}

export function keysPredicate(metadata: EntityMetadata, keys: readonly Key[]): Predicate {
  const lists = keys.map((key) => keyValues(metadata, key));

  return anyEqual(metadata, metadata.primaryColumns, lists);
}

export function anyEqual(
  { connection }: EntityMetadata,
  columns: readonly ColumnMetadata[],
  lists: readonly (readonly unknown[])[],
): Predicate {
  const [only, ...others] = columns;
  const parts = lists.map((values, index) => equal(columns, values, `key${letters(index)}`));
  const parameters = Object.assign({}, ...parts.map((part) => part.parameters)) as ObjectLiteral;
  const names = Object.keys(parameters).map((name) => `:${name}`);
  const sql =
    only && others.length === 0
      ? `${connection.driver.escape(only.databaseName)} IN (${names.join(', ')})`
      : parts.map((part) => `(${part.sql})`).join(' OR ');

  return { sql, parameters };
}

/** A number in letters: names of parameters end in their column's number. */
function letters(index: number): string {
  return [...String(index)].map((digit) => String.fromCharCode(97 + Number(digit))).join('');
}

/** The values to write, by property, for error messages. */
export function rowOfChanges(changes: Changes): ObjectLiteral {
  const row: ObjectLiteral = {};

  for (const [column, value] of changes)
    if (isWritten(column) && value !== RESET) setAt(row, column.propertyPath, value);

  return row;
}

/** Whether an UPDATE may name a column. */
export function isWritten({ isUpdate, isPrimary }: ColumnMetadata): boolean {
  return isUpdate && !isPrimary;
}

/**
 * Updates the given columns, version and update date if the record satisfies the condition.
 *
 * Returns the number of records, or -1 if there was nothing to write and so no statement.
 */
export async function writeRow(
  runner: QueryRunner,
  { metadata, key, where, path, operation = 'store' }: StoredRow,
  changes: Changes,
  condition?: Predicate,
): Promise<number> {
  if (!changesAny(changes)) return -1;

  const byKey = key && keyPredicate(metadata, key);
  const found = where ? both(where, byKey) : byKey;

  if (!found) throw new Error(`An update of ${metadata.name} without a condition`);

  const predicate = both(found, condition);

  const context = { metadata, operation, paths: [path], rows: [rowOfChanges(changes)] };
  const { affected } = await execute(runner, context, () => {
    const { sql, values } = setText(metadata, changes);
    const parameters = [...values];
    const set = withPlaceholders(metadata.connection, sql);
    const where = positional(metadata, ofClass(metadata, predicate), parameters);

    return {
      sql: `UPDATE ${tableSql(metadata)} SET ${set} WHERE ${where}`,
      parameters,
    };
  });

  return affected ?? 0;
}

/** Whether an UPDATE has anything to write. */
function changesAny(changes: Changes): boolean {
  return [...changes].some(([column, value]) => isWritten(column) && value !== undefined);
}

/** A SET clause, including version and update date, its values not placed yet. */
interface SetText {
  readonly sql: string;
  /** The columns of the values, and the values. */
  readonly columns: readonly ColumnMetadata[];
  readonly values: readonly unknown[];
  /** Whether the text contains SQL of the application. */
  readonly hasSql: boolean;
}

export function setText(metadata: EntityMetadata, changes: Changes): SetText {
  const { connection, versionColumn, updateDateColumn } = metadata;
  const dialect = dialectOf(connection);
  const { bound, stored } = dialect;
  const assigned = (column: ColumnMetadata, sql: string) => `${connection.driver.escape(column.databaseName)} = ${sql}`;
  const clauses: string[] = [];
  const columns: ColumnMetadata[] = [];
  const values: unknown[] = [];
  let hasSql = false;

  for (const [column, given] of changes) {
    if (!isWritten(column) || given === undefined) continue;

    const value = given === RESET ? () => defaultSql(column) : preparedValue(column, keyOfRecord(column, given));

    if (typeof value === 'function') {
      hasSql ||= given !== RESET;
      clauses.push(assigned(column, String((value as () => unknown)())));
    } else {
      columns.push(column);
      values.push(bound(value));
      clauses.push(assigned(column, stored(VALUE, column)));
    }
  }

  const now = updateDateColumn && (updateDateColumn.isUpdate ? dialect.now(updateDateColumn) : undefined);
  const updated =
    updateDateColumn && !(changes.has(updateDateColumn) && isWritten(updateDateColumn))
      ? [assigned(updateDateColumn, now ?? 'CURRENT_TIMESTAMP')]
      : [];
  const version =
    versionColumn && !(changes.has(versionColumn) && isWritten(versionColumn))
      ? [assigned(versionColumn, `${connection.driver.escape(versionColumn.databaseName)} + 1`)]
      : [];

  clauses.push(...(now ? [...updated, ...version] : [...version, ...updated]));

  return {
    sql: clauses.join(', '),
    columns,
    values,
    hasSql,
  };
}

/** In place of a foreign key, an object means the related record. */
export function keyOfRecord({ referencedColumn }: ColumnMetadata, value: unknown): unknown {
  const isRecord =
    typeof value === 'object' && value !== null && !(value instanceof Date || value instanceof Uint8Array);

  return referencedColumn && isRecord ? referencedColumn.getEntityValue(value) : value;
}

/** The condition that a record is of the entity's class, if several share the table. */
function ofClass(
  { connection, discriminatorColumn, parentEntityMetadata, childEntityMetadatas, discriminatorValue }: EntityMetadata,
  where: Predicate,
): Predicate {
  if (!discriminatorColumn || !(parentEntityMetadata as EntityMetadata | undefined)) return where;

  const values = [...childEntityMetadatas.map((child) => child.discriminatorValue), discriminatorValue];
  const names = values.map((_, index) => `:class${index}`);
  const parameters = Object.fromEntries(values.map((value, index) => [`class${index}`, value]));

  return both(where, {
    sql: `${connection.driver.escape(discriminatorColumn.databaseName)} IN (${names.join(', ')})`,
    parameters,
  });
}

/** Whether a plan writes anything besides the record's own columns. */
export function hasRelations({ links, cascades }: WritePlan): boolean {
  return links.length + cascades.length > 0;
}

/** The changes that a plan has for a record's own columns. */
export function changesOf({ values }: WritePlan): Map<ColumnMetadata, unknown> {
  return new Map(values.map(({ column, value }) => [metadataOf(column), value === DEFAULT_VALUE ? RESET : value]));
}
