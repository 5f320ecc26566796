import type { Column, Connection, Entity, Relation } from '../database/database.js';
import { referencedColumns } from '../database/records.js';
import { findRecords } from '../statements/find.js';
import { equal, isValue } from '../statements/values.js';
import { findLinks } from './many-to-many.js';

/**
 * The keys of the records of a relation: an object with the key, a list of such for to-many relations, null if there is
 * none.
 *
 * @param values What is stored in the columns of the record.
 */
export async function readRelatedKeys(
  connection: Connection,
  relation: Relation,
  values: ReadonlyMap<Column, unknown>,
): Promise<Entity | Entity[] | null> {
  const read = (columns: readonly Column[]) => columns.map((column) => values.get(column));
  if (relation.junction) {
    const { own, other } = relation.junction;
    const links = await findLinks(connection, relation.junction, read(referencedColumns(own)));

    return links.map((link) => makeKey(other, link));
  }
  if (relation.isWithJoinColumn) return makeKeyOrNull(relation.joinColumns, read(relation.joinColumns));

  const { inverseTable, inverseRelation } = relation;
  const columns = inverseRelation!.joinColumns;
  const where = equal(columns, read(referencedColumns(columns)));
  const found = await findRecords(connection, inverseTable, inverseTable.primaryColumns, { where });

  return relation.isToMany ? found : (found[0] ?? null);
}

function makeKeyOrNull(columns: readonly Column[], values: readonly unknown[]): Entity | null {
  return values.every(isValue) ? makeKey(columns, values) : null;
}

/** An object with what foreign key columns refer to. */
function makeKey(columns: readonly Column[], values: readonly unknown[]): Entity {
  const key: Entity = {};
  columns.forEach(({ referencedColumn }, index) => referencedColumn!.write(key, values[index]));

  return key;
}
