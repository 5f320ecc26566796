/** Constraints, indices and foreign keys of Drizzle's tables. */
import type { Column, Constraint, ForeignKey, Table } from '@nestwright/sql';
import { type Column as DrizzleColumn, getTableColumns, type Table as DrizzleTable } from 'drizzle-orm';
import type { TableParts } from './table-parts.js';
import type { KnownTables } from './known-tables.js';

/** @param columns those of the table, in the order in which Drizzle has them */
export function constraintsOf(
  { uniqueConstraints, indexes }: TableParts,
  drizzle: DrizzleTable,
  columns: readonly Column[],
): Constraint[] {
  const declared = Object.values(getTableColumns(drizzle));
  const own = (some: readonly unknown[]) =>
    some.map((one) => columns[declared.findIndex(({ name }) => name === (one as DrizzleColumn).name)]!);

  return [
    ...declared.flatMap(({ isUnique, uniqueName }, at) =>
      isUnique ? [{ name: uniqueName!, columns: [columns[at]!], isUnique: true }] : [],
    ),
    ...uniqueConstraints.map((one) => ({ name: one.getName(), columns: own(one.columns), isUnique: true })),
    ...indexes
      // An index on an expression is about no column.
      .filter(({ config }) => config.columns.every((one) => typeof (one as { name?: unknown }).name === 'string'))
      .map(({ config: { name = '', columns: over, unique, where } }) => ({
        name,
        columns: own(over),
        // A partial index allows equal values elsewhere.
        isUnique: unique && !where,
      })),
  ];
}

export function foreignKeyOf(key: TableParts['foreignKeys'][number], table: Table, tables: KnownTables): ForeignKey {
  const { columns, foreignTable, foreignColumns } = key.reference();

  return {
    name: key.getName(),
    table,
    columns: tables.columnsOf(columns),
    get referencedTable() {
      return tables.find(foreignTable);
    },
    get referencedColumns() {
      return tables.columnsOf(foreignColumns);
    },
    onDelete: key.onDelete?.toUpperCase(),
  };
}

export function sameColumns(some: readonly Column[], others: readonly Column[]): boolean {
  return some.length === others.length && some.every((column) => others.includes(column));
}
