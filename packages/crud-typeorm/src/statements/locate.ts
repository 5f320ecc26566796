/**
 * Finds the row and column that a failed statement is about, if the database did not name them: queries which values
 * exist already, or which referenced records are missing.
 */
import type { EntityManager, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { blamedColumns, nameProperty } from '../errors/blame.js';
import { readFault } from '../errors/fault.js';
import { StatementError, type StatementContext } from '../errors/statement-error.js';
import { serialized } from '../shared-connection.js';
import { anyEqual, batches, isConstant, keyText, readValues } from './values.js';
import { findRecords } from './find.js';

interface Located {
  readonly row: number;
  readonly columns: readonly ColumnMetadata[];
}

/**
 * Completes a statement's error; call it after the statement's transaction has ended. If this fails, the original
 * error is returned.
 */
export async function locate(manager: EntityManager, error: unknown): Promise<unknown> {
  if (!(error instanceof StatementError) || error.context.field !== undefined) return error;

  const { context, cause } = error;
  const find = () => search(manager, context, cause);
  const found = await (manager.queryRunner ? find() : serialized(manager.connection, find)).catch(() => undefined);

  if (!found) return error;

  const { row, columns } = found;
  const field = columns[0] && nameProperty(columns[0]);
  const isKnown = blamedColumns(readFault(cause) ?? { kind: 'check' }, context.metadata).length > 0;

  return new StatementError(cause, {
    ...context,
    paths: context.paths.slice(row, row + 1),
    rows: context.rows.slice(row, row + 1),
    ...(!isKnown && field !== undefined && { field }),
  });
}

async function search(manager: EntityManager, context: StatementContext, cause: unknown): Promise<Located | undefined> {
  const fault = readFault(cause);
  if (!fault || context.operation === 'remove') return undefined;

  const columns = blamedColumns(fault, context.metadata);

  if (fault.kind === 'unique' && columns.length > 0 && context.rows.length > 1)
    return duplicate(manager, context, columns);

  return fault.kind === 'foreignKey' && (columns.length === 0 || context.rows.length > 1)
    ? findMissingReference(manager, context, columns)
    : undefined;
}

/** The first row whose values occur in an earlier row or in the table. */
async function duplicate(
  manager: EntityManager,
  { metadata, rows }: StatementContext,
  columns: readonly ColumnMetadata[],
): Promise<Located | undefined> {
  const texts = rows.map((row) => printUniqueValues(columns, row));
  const repeated = texts.findIndex((text, index) => text !== undefined && texts.indexOf(text) < index);

  if (repeated >= 0) return { row: repeated, columns };

  const stored = await storedTexts(manager, metadata, columns, columns, rows);
  const row = texts.findIndex((text) => text !== undefined && stored.has(text));

  return row < 0 ? undefined : { row, columns };
}

/** The first row with a foreign key whose record is missing. */
async function findMissingReference(
  manager: EntityManager,
  { metadata, rows }: StatementContext,
  blamed: readonly ColumnMetadata[],
): Promise<Located | undefined> {
  for (const { columns, referencedColumns, referencedEntityMetadata } of metadata.foreignKeys) {
    if (blamed.length > 0 && columns[0] !== blamed[0]) continue;

    const stored = await storedTexts(manager, referencedEntityMetadata, referencedColumns, columns, rows);
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
  manager: EntityManager,
  metadata: EntityMetadata,
  held: readonly ColumnMetadata[],
  columns: readonly ColumnMetadata[],
  rows: readonly ObjectLiteral[],
): Promise<ReadonlySet<string>> {
  const texts = new Set<string>();
  const [column] = columns;
  const [stored] = held;

  if (!column || !stored) return texts;

  const values = [...new Set(rows.map((row): unknown => column.getEntityValue(row)).filter(isConstant))];

  for (const some of batches(values)) {
    const where = anyEqual(
      [stored],
      some.map((value) => [value]),
    );

    for (const record of await findRecords(manager, metadata, held, { where }))
      texts.add(foldedText(readValues(held, record)));
  }

  return texts;
}

/** One text for a row's values; undefined if one of them is missing, null or SQL, so that no constraint applies. */
function printUniqueValues(columns: readonly ColumnMetadata[], row: ObjectLiteral): string | undefined {
  const values = readValues(columns, row);

  return values.every(isConstant) ? foldedText(values) : undefined;
}

/** Constraints may ignore case, so the first row that is equal without case is blamed. */
function foldedText(values: readonly unknown[]): string {
  return keyText(values).toLowerCase();
}
