/**
 * The text of an UPDATE, of one record or of many; statements of one that returns its row are cached in
 * returning/update-returning.
 */
import { getOrInsert } from '@nestwright/crud/adapter';
import { bindValue, concatSql, joinAll, joinAny, type Sql, sql, tableSql, VALUE } from '../select/index.js';
import { type Changes, isWritten, makeChangedRow, RESET } from './changes.js';
import { columnName, defaultExpression, defaultSql, preparedValue } from './column-sql.js';
import { differencePredicate } from './difference.js';
import { execute, placeSql } from './execute.js';
import { batches, type Key, keyPredicate, keysPredicate } from './values.js';
import type { Column, Connection, Table } from '../database/database.js';

/**
 * Maximum number of records per statement: the cost is quadratic, and with keys of several columns SQLite plans for
 * seconds.
 */
const MAX_RECORDS = 334;
const MAX_RECORDS_BY_COMPOSITE_KEY = 100;

interface ChangedRecord {
  readonly key: Key;
  /** What else must hold of a record that is written alone. Default: nothing. */
  readonly where?: Sql | undefined;
  readonly path: string;
  readonly changes: Changes;
}

/**
 * Updates records, including version and update date: those with the same columns by one statement.
 *
 * Returns the number of records written, or -1 if there was nothing to write and so no statement.
 *
 * @param always Whether records are written that have all values already.
 */
export async function updateRows(
  connection: Connection,
  table: Table,
  records: readonly ChangedRecord[],
  always: boolean,
): Promise<number> {
  const sets = new Map<string, ChangedRecord[]>();

  for (const record of records) {
    const columns = findWritten(record.changes);
    if (columns.length === 0) continue;

    const name = columns.map(({ databaseName }) => databaseName).join();
    getOrInsert(sets, name, () => []).push(record);
  }

  let affected = sets.size === 0 ? -1 : 0;
  for (const set of sets.values()) {
    const size = countPerStatement(table, findWritten(set[0]!.changes).length);

    for (const part of batches(set, size)) affected += await updateSet(connection, table, part, always);
  }

  return affected;
}

/** How many records fit into one statement: each column has parameters for its value, its comparison and the key. */
function countPerStatement({ database, primaryColumns }: Table, columns: number): number {
  const values = columns * (primaryColumns.length + 2) + 2 * primaryColumns.length;

  const most = primaryColumns.length > 1 ? MAX_RECORDS_BY_COMPOSITE_KEY : MAX_RECORDS;

  return Math.max(1, Math.min(most, Math.floor(database.dialect.parameterLimit / values)));
}

/** The columns that an UPDATE sets. */
export function findWritten(changes: Changes): Column[] {
  return [...changes].flatMap(([column, value]) => (isWritten(column) && value !== undefined ? [column] : []));
}

async function updateSet(
  connection: Connection,
  table: Table,
  records: readonly ChangedRecord[],
  always: boolean,
): Promise<number> {
  const context = {
    table,
    operation: 'store' as const,
    paths: records.map(({ path }) => path),
    rows: records.map(({ changes }) => makeChangedRow(changes)),
  };
  const { affected } = await execute(connection, context, () => {
    const [only, ...others] = records as readonly [ChangedRecord];
    const set = others.length === 0 ? writeAssignments(table, only.changes) : writeCases(table, records);

    return placeSql(table.database, writeUpdate(table, set, writeWhere(table, records, always)));
  });

  return affected;
}

/** An UPDATE of the entity's rows that satisfy a condition. */
export function writeUpdate(table: Table, set: Sql, where: Sql): Sql {
  return sql`UPDATE ${tableSql(table)} SET ${set} WHERE ${limitToClass(table, where)}`;
}

/** The condition of records to change. Columns that the database cannot compare count as changed. */
function writeWhere(table: Table, records: readonly ChangedRecord[], always: boolean): Sql {
  const [{ key, where, changes }, ...others] = records as readonly [ChangedRecord];
  if (others.length === 0)
    return joinAll([where, keyPredicate(table, key), always ? undefined : differencePredicate(changes)]);

  const keys = keysPredicate(
    table,
    records.map((record) => record.key),
  );
  if (always) return keys;
  const differences = records.map((record) =>
    joinAll([keyPredicate(table, record.key), differencePredicate(record.changes)]),
  );

  return joinAll([keys, joinAny(differences)]);
}

/** A SET clause of the same values for all rows, including version and update date. */
export function writeAssignments(table: Table, changes: Changes): Sql {
  const given = findWritten(changes).map(
    (column) => sql`${columnName(column)} = ${writeValue(column, changes.get(column), defaultSql)}`,
  );

  return concatSql([...given, ...writeAutomatic(table, changes)], ', ');
}

/** A SET clause that gives each record its own values of the same columns. */
function writeCases(table: Table, records: readonly ChangedRecord[]): Sql {
  const keys = records.map(({ key }) => keyPredicate(table, key));
  const given = findWritten(records[0]!.changes).map((column) => {
    const cases = records.map(
      ({ changes }, index) =>
        sql`WHEN ${keys[index]!} THEN ${writeValue(column, changes.get(column), defaultExpression)}`,
    );

    return sql`${columnName(column)} = CASE ${concatSql(cases, ' ')} ELSE ${columnName(column)} END`;
  });

  return concatSql([...given, ...writeAutomatic(table, records[0]!.changes)], ', ');
}

/** What a column is set to; SQL of the application as it stands. */
function writeValue(column: Column, given: unknown, reset: (column: Column) => string): Sql {
  const value = given === RESET ? () => reset(column) : preparedValue(column, given);

  return typeof value === 'function'
    ? sql`${String((value as () => unknown)())}`
    : bindValue(value, column.table.database.dialect.stored(VALUE, column));
}

/** What every UPDATE sets: version and update date, unless they are among its changes. */
export function writeAutomatic({ versionColumn, updateDateColumn, database }: Table, changes: Changes): string[] {
  const isGiven = (column: Column) => changes.has(column) && isWritten(column);
  const now = updateDateColumn?.isUpdate ? database.dialect.now(updateDateColumn) : undefined;
  const updated =
    updateDateColumn && !isGiven(updateDateColumn)
      ? [`${columnName(updateDateColumn)} = ${now ?? 'CURRENT_TIMESTAMP'}`]
      : [];
  const version =
    versionColumn && !isGiven(versionColumn) ? [`${columnName(versionColumn)} = ${columnName(versionColumn)} + 1`] : [];

  return now ? [...updated, ...version] : [...version, ...updated];
}

/** The condition, and that a record is of the entity's class, if several share the table. */
export function limitToClass({ discriminatorColumn, parent, children, discriminatorValue }: Table, where: Sql): Sql {
  if (!discriminatorColumn || !(parent as Table | undefined)) return where;

  const values = [...children.map((child) => child.discriminatorValue), discriminatorValue];
  const classes = concatSql(
    values.map((value) => bindValue(value)),
    ', ',
  );

  return joinAll([where, sql`${columnName(discriminatorColumn)} IN (${classes})`]);
}
