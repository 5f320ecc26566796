import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Fault } from './fault-types.js';

/**
 * Columns to blame for a fault, in order; empty if metadata cannot tell.
 *
 * @example
 * blamedColumns({ kind: 'unique', constraint: 'UQ_97672ac88f789774dd47f7c8be3' }, metadata).map(nameProperty);
 * // ['email']
 */
export function blamedColumns(fault: Fault, metadata: EntityMetadata): readonly ColumnMetadata[] {
  const byName = fault.constraint === undefined ? [] : findConstraintColumns(fault.constraint, metadata);

  return byName.length > 0 ? byName : columnsNamed(fault.columns ?? [], metadata);
}

/**
 * The relation to the records that keep this one from being removed: that of the foreign key which the database names,
 * or of the only one that could.
 */
export function referringRelation({ constraint }: Fault, metadata: EntityMetadata): string | undefined {
  const [key, ...others] = metadata.connection.entityMetadatas
    .flatMap(({ foreignKeys }) => foreignKeys)
    .filter(
      ({ referencedEntityMetadata, onDelete, name }) =>
        referencedEntityMetadata === metadata &&
        (constraint === undefined ? !/^(CASCADE|SET )/.test(onDelete ?? '') : name === constraint),
    );
  if (!key || others.length > 0) return undefined;

  return metadata.relations.find(({ inverseRelation }) => inverseRelation?.foreignKeys.includes(key))?.propertyPath;
}

/** The property path of a column for clients; for a foreign key without a property, its relation's. */
export function nameProperty(column: ColumnMetadata): string {
  return column.isVirtual && column.relationMetadata ? column.relationMetadata.propertyPath : column.propertyPath;
}

/** The name of a field for clients: its property below the place of its record in the body. */
export function nameField(path: string | undefined, property: string): string {
  return path ? `${path}.${property}` : property;
}

function columnsNamed(names: readonly string[], metadata: EntityMetadata): ColumnMetadata[] {
  const columns = names.map((name) => metadata.findColumnWithDatabaseName(name));

  // Blaming only a part of a key would mislead.
  return columns.every((column) => column !== undefined) ? columns : [];
}

function findConstraintColumns(name: string, metadata: EntityMetadata): readonly ColumnMetadata[] {
  const constraint = [...metadata.uniques, ...metadata.indices, ...metadata.foreignKeys].find(
    (item) => item.name === name,
  );

  if (constraint) return constraint.columns;

  return isPrimaryKey(name, metadata) ? metadata.primaryColumns : findCheckColumns(name, metadata);
}

function isPrimaryKey(name: string, metadata: EntityMetadata): boolean {
  // PostgreSQL's own name of a key that no one named, and MySQL's only one.
  return (
    name === 'PRIMARY' ||
    name === `${metadata.tableName}_pkey` ||
    name === metadata.primaryColumns[0]?.primaryKeyConstraintName ||
    name ===
      metadata.connection.namingStrategy.primaryKeyName(
        metadata.tablePath,
        metadata.primaryColumns.map((column) => column.databaseName),
      )
  );
}

/**
 * The columns that a check's expression mentions; MariaDB names a check at a column after the column, SQLite one
 * without a name by its expression.
 */
function findCheckColumns(name: string, metadata: EntityMetadata): readonly ColumnMetadata[] {
  const expression = metadata.checks.find((check) => check.name === name)?.expression ?? name;
  const words = new Set(expression.match(/[\p{L}\p{N}_$]+/gu));

  return metadata.columns.filter((column) => words.has(column.databaseName));
}
