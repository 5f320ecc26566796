import type { StatementContext } from '../errors/statement-error.js';
import { type LinkKey, requireJunction } from '../scope/link-keys.js';
import { joinAll, sql, tableSql } from '../select/index.js';
import { type BoundSql, execute, placeSql } from '../statements/execute.js';
import { insertSql, bindEntity } from '../statements/insert-text.js';
import { anyEqual, batches, equal, keyText, readValues } from '../statements/values.js';
import { findRows } from '../statements/find.js';
import { referencedColumns } from '../database/records.js';
import type { Connection, Entity, Junction, Relation } from '../database/database.js';

/** Values of the columns that the related records are linked by. */
export function readLinkedKeys(connection: Connection, junction: Junction, record: Entity): Promise<unknown[][]> {
  return findLinks(connection, junction, readValues(referencedColumns(junction.own), record));
}

/** As {@link readLinkedKeys}, by what the junction refers to in the record. */
export function findLinks(connection: Connection, junction: Junction, key: LinkKey): Promise<unknown[][]> {
  const { table, own, other } = junction;

  return findRows(connection, table, other, (name) => name, { where: equal(own, key), locked: true });
}

interface Replaced {
  readonly path: string;
  /** What the record is linked to now, as {@link readLinkedKeys} has it; nothing if it is new. */
  readonly linked: readonly LinkKey[];
  /** Whether a link that is not in the new list may be removed. */
  readonly isRemovable: (link: LinkKey) => boolean;
}

/** What changes if a record's links become those to the given values and no others. */
export function linkChanges(
  values: readonly LinkKey[],
  { linked, isRemovable }: Pick<Replaced, 'linked' | 'isRemovable'>,
): { readonly added: readonly LinkKey[]; readonly removed: readonly LinkKey[] } {
  const present = new Map(linked.map((link) => [keyText(link), link]));
  const wanted = new Map(values.map((link) => [keyText(link), link]));

  return {
    added: [...wanted].filter(([text]) => !present.has(text)).map(([, link]) => link),
    removed: [...present].filter(([text, link]) => !wanted.has(text) && isRemovable(link)).map(([, link]) => link),
  };
}

/** Makes a record's links those to the given values and no others. */
export async function replaceLinks(
  connection: Connection,
  relation: Relation,
  record: Entity,
  values: readonly LinkKey[],
  { path, ...replaced }: Replaced,
): Promise<void> {
  const junction = requireJunction(relation);
  const { added, removed } = linkChanges(values, replaced);
  const context: StatementContext = {
    table: relation.table,
    operation: 'store',
    paths: [path],
    rows: [],
    field: relation.propertyPath,
  };

  const ownKey = readValues(referencedColumns(junction.own), record);

  for (const some of batches(removed)) await execute(connection, context, () => deleteSql(junction, ownKey, some));
  for (const some of batches(added)) await execute(connection, context, () => addSql(junction, ownKey, some));
}

function deleteSql({ table, own, other }: Junction, ownKey: LinkKey, links: readonly LinkKey[]): BoundSql {
  const where = joinAll([equal(own, ownKey), anyEqual(other, links)]);

  return placeSql(table.database, sql`DELETE FROM ${tableSql(table)} WHERE ${where}`);
}

function addSql({ table, own, other }: Junction, ownKey: LinkKey, links: readonly LinkKey[]): BoundSql {
  const rows = links.map((link) => {
    const row: Entity = {};
    own.forEach(({ propertyName }, index) => (row[propertyName] = ownKey[index]));
    other.forEach(({ propertyName }, index) => (row[propertyName] = link[index]));

    return bindEntity(table, row);
  });

  return insertSql(table.database, rows);
}
