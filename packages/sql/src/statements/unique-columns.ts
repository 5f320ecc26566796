import { nameProperty } from '../errors/blame.js';
import type { Column, Table } from '../database/database.js';

/**
 * The columns of the names, if exactly these form a unique constraint, an unconditional unique index, or a key that
 * clients own; otherwise what is wrong with the names.
 *
 * @example
 * uniqueColumns(metadata, ['company', 'code']); // the columns companyId and code
 */
export function uniqueColumns(table: Table, names: readonly string[]): readonly Column[] | string {
  const columns: Column[] = [];

  for (const name of names) {
    const { joinColumns = [] } = table.relations.find(({ propertyPath }) => propertyPath === name) ?? {};
    const named =
      joinColumns.length > 0 ? joinColumns : table.columns.filter(({ propertyPath }) => propertyPath === name);

    if (named.length === 0) return `${table.name} has no such column or link`;
    columns.push(...named);
  }

  const wanted = new Set(columns);
  const constraints = listConstraints(table);
  if (constraints.some((over) => over.length === wanted.size && over.every((column) => wanted.has(column))))
    return [...wanted];

  const known = constraints.map((over) => over.map(nameProperty).join(' + ')).join(', ') || 'none';

  return `no unique constraint of ${table.name} is over exactly these; there are: ${known}`;
}

function listConstraints({ constraints, primaryColumns }: Table): (readonly Column[])[] {
  return [
    ...(primaryColumns.some(({ generation }) => generation) ? [] : [primaryColumns]),
    ...constraints.filter(({ isUnique }) => isUnique).map(({ columns }) => columns),
  ];
}
