/**
 * Finds the row and column that a failed statement is about, if the database did not name them: queries which values
 * exist already, or which referenced records are missing.
 */
import { blamedColumns, nameProperty } from '../errors/blame.js';
import { readFault } from '../errors/fault.js';
import { StatementError, type StatementContext } from '../errors/statement-error.js';
import { serialized } from '../connections/queue.js';
import { anyEqual, batches, isConstant, keyText, readValues } from './values.js';
import { findRecords } from './find.js';
import {
  type Column,
  type Connection,
  type Entity,
  type Executor,
  isConnection,
  type Table,
} from '../database/database.js';
import { holdConnection } from '../connections/hold.js';

interface Located {
  readonly row: number;
  readonly columns: readonly Column[];
}

/**
 * Completes a statement's error; call it after the statement's transaction has ended. If this fails, the original
 * error is returned.
 */
export async function locate(executor: Executor, error: unknown): Promise<unknown> {
  if (!(error instanceof StatementError) || error.context.field !== undefined) return error;

  const { context, cause } = error;
  const find = (connection: Connection) => search(connection, context, cause);
  const found = await (
    isConnection(executor) ? find(executor) : serialized(executor, () => holdConnection(executor, 'write', find))
  ).catch(() => undefined);

  if (!found) return error;

  const { row, columns } = found;
  const field = columns[0] && nameProperty(columns[0]);
  const isKnown = blamedColumns(readFault(cause) ?? { kind: 'check' }, context.table).length > 0;

  return new StatementError(cause, {
    ...context,
    paths: context.paths.slice(row, row + 1),
    rows: context.rows.slice(row, row + 1),
    ...(!isKnown && field !== undefined && { field }),
  });
}

async function search(connection: Connection, context: StatementContext, cause: unknown): Promise<Located | undefined> {
  const fault = readFault(cause);
  if (!fault) return undefined;

  const columns = blamedColumns(fault, context.table);

  if (fault.kind === 'unique' && columns.length > 0 && context.rows.length > 1)
    return duplicate(connection, context, columns);

  return fault.kind === 'foreignKey' && (columns.length === 0 || context.rows.length > 1)
    ? findMissingReference(connection, context, columns)
    : undefined;
}

/** The first row whose values occur in an earlier row or in the table. */
async function duplicate(
  connection: Connection,
  { table, rows }: StatementContext,
  columns: readonly Column[],
): Promise<Located | undefined> {
  const texts = rows.map((row) => printUniqueValues(columns, row));
  const repeated = texts.findIndex((text, index) => text !== undefined && texts.indexOf(text) < index);

  if (repeated >= 0) return { row: repeated, columns };

  const stored = await storedTexts(connection, table, columns, columns, rows);
  const row = texts.findIndex((text) => text !== undefined && stored.has(text));

  return row < 0 ? undefined : { row, columns };
}

/** The first row with a foreign key whose record is missing. */
async function findMissingReference(
  connection: Connection,
  { table, rows }: StatementContext,
  blamed: readonly Column[],
): Promise<Located | undefined> {
  for (const { columns, referencedColumns, referencedTable } of table.foreignKeys) {
    if (blamed.length > 0 && columns[0] !== blamed[0]) continue;

    const stored = await storedTexts(connection, referencedTable, referencedColumns, columns, rows);
    const row = rows.findIndex((record) => {
      const text = printUniqueValues(columns, record);

      return text !== undefined && !stored.has(text);
    });

    if (row >= 0) return { row, columns };
  }

  return undefined;
}

/** The values of the rows' columns that some columns of a table hold. */
async function storedTexts(
  connection: Connection,
  table: Table,
  held: readonly Column[],
  columns: readonly Column[],
  rows: readonly Entity[],
): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const [column] = columns;
  const [stored] = held;

  if (!column || !stored) return texts;

  const values = [...new Set(rows.map((row): unknown => column.read(row)).filter(isConstant))];

  for (const some of batches(values)) {
    const where = anyEqual(
      [stored],
      some.map((value) => [value]),
    );

    for (const record of await findRecords(connection, table, held, { where }))
      texts.add(foldedText(readValues(held, record)));
  }

  return texts;
}

/** One text for a row's values; undefined if one of them is missing, null or SQL, so that no constraint applies. */
function printUniqueValues(columns: readonly Column[], row: Entity): string | undefined {
  const values = readValues(columns, row);

  return values.every(isConstant) ? foldedText(values) : undefined;
}

/** Constraints may ignore case, so the first row that is equal without case is blamed. */
function foldedText(values: readonly unknown[]): string {
  return keyText(values).toLowerCase();
}
