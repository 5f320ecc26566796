import { getOrInsert } from '@nestwright/crud/adapter';
import type { EntityMetadata, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { tableSql, VALUE } from '../sql/index.js';
import { type Changes, isWritten, keyOfRecord, RESET, rowOfChanges, setText } from './changes.js';
import { defaultExpression, preparedValue } from './column-sql.js';
import { differencePredicate } from './difference.js';
import { execute } from './execute.js';
import { batches, comparable, type Key, positional } from './values.js';

/**
 * Maximum number of records per statement: SQLite limits the depth of expressions to a thousand, and the cost is
 * quadratic.
 */
const MAX_RECORDS = 334;

interface ChangedRecord {
  readonly key: Key;
  readonly path: string;
  readonly changes: Changes;
}

/**
 * Updates records, including version and update date: records with the same columns by one statement.
 *
 * @param always Whether records are written that have all values already.
 */
export async function updateBatch(
  runner: QueryRunner,
  metadata: EntityMetadata,
  records: readonly ChangedRecord[],
  always: boolean,
): Promise<void> {
  const sets = new Map<string, ChangedRecord[]>();

  for (const record of records) {
    const columns = writtenColumns(record);
    if (columns.length === 0) continue;

    const name = columns.map(({ databaseName }) => databaseName).join();
    getOrInsert(sets, name, () => []).push(record);
  }

  for (const set of sets.values()) {
    const size = sizeOf(metadata, writtenColumns(set[0]!).length);

    for (const part of batches(set, size)) await writeSet(runner, metadata, part, always);
  }
}

/** How many records fit into one statement: each column has parameters for its value, its comparison and the key. */
function sizeOf({ connection, primaryColumns }: EntityMetadata, columns: number): number {
  const values = columns * (primaryColumns.length + 2) + 2 * primaryColumns.length;

  return Math.max(1, Math.min(MAX_RECORDS, Math.floor(dialectOf(connection).parameterLimit / values)));
}

function writtenColumns({ changes }: ChangedRecord): ColumnMetadata[] {
  return [...changes].flatMap(([column, value]) => (isWritten(column) && value !== undefined ? [column] : []));
}

async function writeSet(
  runner: QueryRunner,
  metadata: EntityMetadata,
  records: readonly ChangedRecord[],
  always: boolean,
): Promise<void> {
  const context = {
    metadata,
    operation: 'store' as const,
    paths: records.map(({ path }) => path),
    rows: records.map(({ changes }) => rowOfChanges(changes)),
  };

  await execute(runner, context, () => {
    const text = new BatchUpdateText(metadata, records);
    const set = text.setClause(writtenColumns(records[0]!));
    const where = always ? text.anyKey() : `${text.anyKey()} AND (${text.anyDifference()})`;

    return {
      sql: `UPDATE ${tableSql(metadata)} SET ${set} WHERE ${where}`,
      parameters: text.parameters,
    };
  });
}

/** Builds the parts of a statement; values are collected in the order in which the parts are built. */
class BatchUpdateText {
  readonly parameters: unknown[] = [];

  constructor(
    private readonly metadata: EntityMetadata,
    private readonly records: readonly ChangedRecord[],
  ) {}

  setClause(columns: readonly ColumnMetadata[]): string {
    const { connection } = this.metadata;
    const automatic = setText(this.metadata, new Map()).sql;
    const given = columns.map((column) => {
      const name = connection.driver.escape(column.databaseName);
      const cases = this.records.map((record) => `WHEN ${this.hasKey(record)} THEN ${this.given(column, record)}`);

      return `${name} = CASE ${cases.join(' ')} ELSE ${name} END`;
    });

    return [...given, ...(automatic ? [automatic] : [])].join(', ');
  }

  anyKey(): string {
    const [only, ...others] = this.metadata.primaryColumns;
    if (!only || others.length > 0) return `(${this.records.map((record) => this.hasKey(record)).join(' OR ')})`;

    const keys = this.records.map(({ key }) => this.place(comparable(only, key[only.propertyPath])));

    return `${this.metadata.connection.driver.escape(only.databaseName)} IN (${keys.join(', ')})`;
  }

  /**
   * The condition that a record does not have all values yet; columns that the database cannot compare count as
   * changed.
   */
  anyDifference(): string {
    const records = this.records.map((record) => {
      const key = this.hasKey(record);
      const difference = differencePredicate(record.changes);

      return difference ? `(${key} AND (${positional(this.metadata, difference, this.parameters)}))` : `(${key})`;
    });

    return records.join(' OR ');
  }

  private hasKey({ key }: ChangedRecord): string {
    const { primaryColumns, connection } = this.metadata;
    const parts = primaryColumns.map(
      (column) =>
        `${connection.driver.escape(column.databaseName)} = ${this.place(comparable(column, key[column.propertyPath]))}`,
    );

    return parts.join(' AND ');
  }

  private given(column: ColumnMetadata, { changes }: ChangedRecord): string {
    const given = changes.get(column);
    if (given === RESET) return defaultExpression(column);

    const value = preparedValue(column, keyOfRecord(column, given));
    if (typeof value === 'function') return String((value as () => unknown)());

    return dialectOf(this.metadata.connection)
      .stored(VALUE, column)
      .replaceAll(VALUE, () => this.place(value));
  }

  private place(value: unknown): string {
    const { bound } = dialectOf(this.metadata.connection);
    this.parameters.push(bound(value));

    return this.metadata.connection.driver.createParameter('p', this.parameters.length - 1);
  }
}
