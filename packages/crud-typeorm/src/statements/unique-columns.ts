import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { nameProperty } from '../errors/blame.js';

/**
 * The columns of the names, if exactly these form a unique constraint, an unconditional unique index, or a key that
 * clients own; otherwise what is wrong with the names.
 *
 * @example
 * uniqueColumns(metadata, ['company', 'code']); // the columns companyId and code
 */
export function uniqueColumns(metadata: EntityMetadata, names: readonly string[]): readonly ColumnMetadata[] | string {
  const columns: ColumnMetadata[] = [];

  for (const name of names) {
    const column = metadata.findColumnWithPropertyPath(name);
    const relation = metadata.findRelationWithPropertyPath(name);
    const named = relation && relation.joinColumns.length > 0 ? relation.joinColumns : column ? [column] : [];

    if (named.length === 0) return `${metadata.name} has no such column or link`;
    columns.push(...named);
  }

  const wanted = new Set(columns);
  const constraints = listConstraints(metadata);
  if (constraints.some((over) => over.length === wanted.size && over.every((column) => wanted.has(column))))
    return [...wanted];

  const known = constraints.map((over) => over.map(nameProperty).join(' + ')).join(', ') || 'none';

  return `no unique constraint of ${metadata.name} is over exactly these; there are: ${known}`;
}

function listConstraints({ uniques, indices, primaryColumns }: EntityMetadata): (readonly ColumnMetadata[])[] {
  return [
    ...(primaryColumns.some(({ isGenerated }) => isGenerated) ? [] : [primaryColumns]),
    ...uniques.map(({ columns }) => columns),
    // A partial index allows equal values elsewhere.
    ...indices.filter(({ isUnique, where }) => isUnique && !where).map(({ columns }) => columns),
  ];
}
