import { crudError } from '@nestwright/crud/adapter';
import type { EntityMetadata, ObjectLiteral, QueryRunner } from 'typeorm';
import { type ColumnMetadata, referencedColumns } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { tableSql } from '../sql/index.js';
import { valuesOf } from '../statements/values.js';

/** A record and its new parent, as rows with their keys and tree columns. */
interface Placement {
  readonly record: ObjectLiteral;
  /** Undefined if the record is to be a root. */
  readonly parent: ObjectLiteral | undefined;
  /** What is to blame for a refusal. */
  readonly field: string;
}

type TreeType = NonNullable<EntityMetadata['treeType']>;
type MoveSubtree = (runner: QueryRunner, metadata: EntityMetadata, placement: Placement) => Promise<void>;

/** How a subtree moves, by kind of tree. */
export const SUBTREE_MOVES = {
  'adjacency-list': async () => {},
  'materialized-path': movePath,
  'closure-table': moveClosure,
  'nested-set': moveSet,
} satisfies Record<TreeType, MoveSubtree> as Record<TreeType, MoveSubtree>;

/** Error of a second root in a nested set. */
export function secondRoot(field: string): Error {
  return crudError('CRUD_UNIQUE_VIOLATION', { field, message: [`${field} must be given: a nested set has one root`] });
}

/** Puts the new beginning before the rest of every path that begins as the record's does. */
async function movePath(runner: QueryRunner, metadata: EntityMetadata, { record, parent }: Placement): Promise<void> {
  const column = metadata.materializedPathColumn;
  if (!column) return;

  const dialect = dialectOf(metadata.connection);
  const { sql, bind, values } = statementOn(metadata);
  const old = String(column.getEntityValue(record));
  const ids = parentIds(metadata, record).join('_');
  const beginning = `${parent ? String(column.getEntityValue(parent)) : ''}${ids}.`;
  const path = sql.column(column);
  const table = tableSql(metadata);
  const startsWith = (pattern: string) => dialect.like(path, pattern);

  // Records added below it in the meantime are only seen by the next statement.
  if (!dialect.sharedConnection) {
    const locking = statementOn(metadata);

    await runner.query(
      `SELECT ${path} FROM ${table} WHERE ${startsWith(locking.bind(dialect.pattern(old, 'starts')))} FOR UPDATE`,
      locking.values,
    );
  }

  const moved = dialect.concat(bind(beginning), `SUBSTR(${path}, ${bind([...old].length + 1)})`);

  await runner.query(
    `UPDATE ${table} SET ${path} = ${moved} WHERE ${startsWith(bind(dialect.pattern(old, 'starts')))}`,
    values,
  );
}

/** Detaches the subtree from its old ancestors and attaches it to the new ones. */
async function moveClosure(
  runner: QueryRunner,
  metadata: EntityMetadata,
  { record, parent }: Placement,
): Promise<void> {
  const { ancestorColumns, descendantColumns } = metadata.closureJunctionTable;
  const detach = statementOn(metadata);
  const { sql } = detach;
  const table = tableSql(metadata.closureJunctionTable);
  const ancestors = ancestorColumns.map(sql.column);
  const descendants = descendantColumns.map(sql.column);
  const holding = (
    bind: (value: unknown) => string,
    { columns, alias, of }: { columns: readonly ColumnMetadata[]; alias: string; of: ObjectLiteral },
  ) =>
    columns
      .map((column) => `${alias}${sql.column(column)} = ${bind(column.referencedColumn?.getEntityValue(of))}`)
      .join(' AND ');
  // Wrapped in a derived table, since MySQL cannot read the table that it deletes from.
  const subtree = () =>
    `(SELECT ${descendants.join(', ')} FROM (SELECT ${descendants.join(', ')} FROM ${table} ` +
    `WHERE ${holding(detach.bind, { columns: ancestorColumns, alias: '', of: record })}) ${sql.name('moved')})`;

  await runner.query(
    `DELETE FROM ${table} WHERE (${descendants.join(', ')}) IN ${subtree()} AND (${ancestors.join(', ')}) NOT IN ${subtree()}`,
    detach.values,
  );

  if (!parent) return;

  const attach = statementOn(metadata);
  const [upper, lower] = [`${sql.name('upper')}.`, `${sql.name('lower')}.`];

  await runner.query(
    `INSERT INTO ${table} (${[...ancestors, ...descendants].join(', ')}) ` +
      `SELECT ${[...ancestors.map((name) => upper + name), ...descendants.map((name) => lower + name)].join(', ')} ` +
      `FROM ${table} ${sql.name('upper')} CROSS JOIN ${table} ${sql.name('lower')} ` +
      `WHERE ${holding(attach.bind, { columns: descendantColumns, alias: upper, of: parent })} ` +
      `AND ${holding(attach.bind, { columns: ancestorColumns, alias: lower, of: record })}`,
    attach.values,
  );
}

/** Swaps the subtree with everything between it and the end of its new parent. */
async function moveSet(
  runner: QueryRunner,
  metadata: EntityMetadata,
  { record, parent, field }: Placement,
): Promise<void> {
  const { nestedSetLeftColumn: leftColumn, nestedSetRightColumn: rightColumn } = metadata;

  if (!parent) throw secondRoot(field);
  if (!leftColumn || !rightColumn) return;

  const left = Number(leftColumn.getEntityValue(record));
  const right = Number(rightColumn.getEntityValue(record));
  const end = Number(rightColumn.getEntityValue(parent));
  const width = right - left + 1;
  // The rows that the subtree passes, and the distance that each part moves.
  const [from, to, own, others] =
    end > right ? [right + 1, end - 1, end - 1 - right, -width] : [end, left - 1, end - left, width];
  const { sql, bind, values } = statementOn(metadata);
  const placed = (column: ColumnMetadata) => {
    const name = sql.column(column);

    return (
      `${name} = CASE WHEN ${name} BETWEEN ${bind(left)} AND ${bind(right)} THEN ${name} + ${bind(own)} ` +
      `WHEN ${name} BETWEEN ${bind(from)} AND ${bind(to)} THEN ${name} + ${bind(others)} ELSE ${name} END`
    );
  };

  const set = `${placed(leftColumn)}, ${placed(rightColumn)}`;
  const touched = [leftColumn, rightColumn].map(
    (column) => `${sql.column(column)} BETWEEN ${bind(Math.min(left, from))} AND ${bind(Math.max(right, to))}`,
  );

  await runner.query(`UPDATE ${tableSql(metadata)} SET ${set} WHERE ${touched.join(' OR ')}`, values);
}

/** What a path calls a record: the columns that its children refer to. */
function parentIds(metadata: EntityMetadata, record: ObjectLiteral): unknown[] {
  return valuesOf(referencedColumns(metadata.treeParentRelation?.joinColumns ?? []), record);
}

/** Escaped names and bound values for a statement; values are bound in the order in which the text names them. */
function statementOn({ connection: { driver } }: EntityMetadata) {
  const values: unknown[] = [];

  return {
    values,
    bind: (value: unknown) => driver.createParameter('p', values.push(value) - 1),
    sql: {
      name: (name: string) => driver.escape(name),
      column: ({ databaseName }: ColumnMetadata) => driver.escape(databaseName),
    },
  };
}
