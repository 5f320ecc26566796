import { getOrInsert, type PlannedKey, type WritePlan } from '@nestwright/crud/adapter';
import type { LinkConditions } from './link-conditions.js';
import { isValue } from '../statements/values.js';
import { getColumn, getRelation, getTable } from '../database/links.js';
import { referencedColumns } from '../database/records.js';
import type { Column, Junction, Relation } from '../database/database.js';

/** The key that a related record is named by: values of {@link namingColumns}. */
export type LinkKey = readonly unknown[];

/**
 * The columns by which the records of a relation are named: those that a foreign key or a junction refers to; children
 * by their primary key.
 */
export function namingColumns(relation: Relation): readonly Column[] {
  if (relation.isWithJoinColumn) return referencedColumns(relation.joinColumns);
  if (!relation.junction) return relation.inverseTable.primaryColumns;

  return referencedColumns(relation.junction.other);
}

/** The junction of a many-to-many relation, from either of its sides. */
export function requireJunction({ junction, table, propertyPath }: Relation): Junction {
  if (!junction) throw new Error(`${table.name}.${propertyPath} has no junction table`);

  return junction;
}

/** The values that a key has for some columns; undefined for those that it does not name. */
export function valuesInKey(key: PlannedKey, columns: readonly Column[]): unknown[] {
  return columns.map((column) => key.find((part) => getColumn(part.column) === column)?.value);
}

/**
 * The keys of relations under a condition that a planned record and its nested records name. For a stored record only
 * those of nested records, since most of its own are stored already.
 */
export function namedKeys(
  { catalog, values, links, cascades }: WritePlan,
  mode: 'insert' | 'update',
  conditions: LinkConditions,
): NamedKeys[] {
  const held = new Map(values.map(({ column, value }) => [getColumn(column), value]));
  const owned = mode === 'insert' ? conditions.listOwnedRelations(getTable(catalog)) : [];

  return [
    ...owned.flatMap((relation) => {
      const key = relation.joinColumns.map((column) => held.get(column));

      return key.every((value) => isValue(value) && typeof value !== 'symbol') ? [{ relation, keys: [key] }] : [];
    }),
    ...links.flatMap(({ relation: planned, keys }) => {
      const relation = getRelation(planned);
      if (conditions.on(relation) === undefined) return [];
      const columns = namingColumns(relation);

      return [{ relation, keys: keys.map((key) => valuesInKey(key, columns)) }];
    }),
    ...cascades.flatMap(({ items }) =>
      items.flatMap(({ plan, update }) =>
        [plan, ...(update ? [update] : [])].flatMap((nested) => namedKeys(nested, 'insert', conditions)),
      ),
    ),
  ];
}

/** Keys of several records of one relation. */
export interface NamedKeys {
  readonly relation: Relation;
  readonly keys: readonly LinkKey[];
}

/** The keys of each relation together. */
export function byRelation(named: readonly NamedKeys[]): ReadonlyMap<Relation, readonly LinkKey[]> {
  const together = new Map<Relation, LinkKey[]>();

  for (const { relation, keys } of named) getOrInsert(together, relation, () => []).push(...keys);

  return together;
}

/** Foreign-key columns that are null because the body sets the relation to null. */
export function unlinkedColumns({ unlinks = [] }: WritePlan, relation: Relation): ReadonlySet<Column> {
  const own = unlinks.filter((unlink) => getRelation(unlink.relation) === relation);

  return new Set(own.flatMap(({ columns }) => columns.map(getColumn)));
}
