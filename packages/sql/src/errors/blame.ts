import type { Fault } from './fault-types.js';
import type { Column, Table } from '../database/database.js';

/**
 * Columns to blame for a fault, in order; empty if metadata cannot tell.
 *
 * @example
 * blamedColumns({ kind: 'unique', constraint: 'UQ_97672ac88f789774dd47f7c8be3' }, metadata).map(nameProperty);
 * // ['email']
 */
export function blamedColumns(fault: Fault, table: Table): readonly Column[] {
  const byName = fault.constraint === undefined ? [] : findConstraintColumns(fault.constraint, table);

  return byName.length > 0 ? byName : columnsNamed(fault.columns ?? [], table);
}

/**
 * The relation to the records that keep this one from being removed: that of the foreign key which the database names,
 * or of the only one that could.
 */
export function referringRelation({ constraint }: Fault, table: Table): string | undefined {
  const [key, ...others] = table.referringKeys.filter(({ onDelete, name }) =>
    constraint === undefined ? !/CASCADE|SET/.test(onDelete ?? '') : name === constraint,
  );
  if (!key || others.length > 0) return undefined;

  return table.relations.find(({ inverseRelation }) => inverseRelation?.foreignKeys.includes(key))?.propertyPath;
}

/** The property path of a column for clients; for a foreign key without a property, its relation's. */
export function nameProperty(column: Column): string {
  return column.isVirtual && column.relation ? column.relation.propertyPath : column.propertyPath;
}

/** The name of a field for clients: its property below the place of its record in the body. */
export function nameField(path: string | undefined, property: string): string {
  return path ? `${path}.${property}` : property;
}

function columnsNamed(names: readonly string[], table: Table): Column[] {
  const columns = names.map((name) => table.columns.find(({ databaseName }) => databaseName === name));

  // Blaming only a part of a key would mislead.
  return columns.every((column) => column !== undefined) ? columns : [];
}

function findConstraintColumns(name: string, table: Table): readonly Column[] {
  const constraint = [...table.constraints, ...table.foreignKeys].find((item) => item.name === name);

  if (constraint) return constraint.columns;

  return isPrimaryKey(name, table) ? table.primaryColumns : findCheckColumns(name, table);
}

function isPrimaryKey(name: string, table: Table): boolean {
  // PostgreSQL's own name of a key that no one named, and MySQL's only one.
  return name === 'PRIMARY' || name === `${table.tableName}_pkey` || table.primaryKeyNames.includes(name);
}

/**
 * The columns that a check's expression mentions; MariaDB names a check at a column after the column, SQLite one
 * without a name by its expression.
 */
function findCheckColumns(name: string, table: Table): readonly Column[] {
  const expression = table.checks.find((check) => check.name === name)?.expression ?? name;
  const words = new Set(expression.match(/[\p{L}\p{N}_$]+/gu));

  return table.columns.filter((column) => words.has(column.databaseName));
}
