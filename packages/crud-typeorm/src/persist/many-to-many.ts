import type { ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { referencedColumns } from '../column-metadata.js';
import type { StatementContext } from '../errors/statement-error.js';
import { type Junction, type LinkKey, requireJunction } from '../scope/link-keys.js';
import { joinAll, sql, tableSql } from '../sql/index.js';
import { type BoundSql, execute, placeSql } from '../statements/execute.js';
import { insertSql, bindEntity } from '../statements/insert-text.js';
import { anyEqual, batches, equal, keyText, readValues } from '../statements/values.js';
import { findRows } from '../statements/find.js';

/** Values of the columns that the related records are linked by. */
export async function readLinkedKeys(
  runner: QueryRunner,
  { metadata, own, other }: Junction,
  record: ObjectLiteral,
): Promise<unknown[][]> {
  const where = equal(own, readValues(referencedColumns(own), record));

  return findRows(runner, metadata, other, (name) => name, { where, locked: true });
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
  runner: QueryRunner,
  relation: RelationMetadata,
  record: ObjectLiteral,
  values: readonly LinkKey[],
  { path, ...replaced }: Replaced,
): Promise<void> {
  const junction = requireJunction(relation);
  const { added, removed } = linkChanges(values, replaced);
  const context: StatementContext = {
    metadata: relation.entityMetadata,
    operation: 'store',
    paths: [path],
    rows: [],
    field: relation.propertyPath,
  };

  const ownKey = readValues(referencedColumns(junction.own), record);

  for (const some of batches(removed)) await execute(runner, context, () => deleteSql(junction, ownKey, some));
  for (const some of batches(added)) await execute(runner, context, () => addSql(junction, ownKey, some));
}

function deleteSql({ metadata, own, other }: Junction, ownKey: LinkKey, links: readonly LinkKey[]): BoundSql {
  const where = joinAll([equal(own, ownKey), anyEqual(other, links)]);

  return placeSql(metadata.connection, sql`DELETE FROM ${tableSql(metadata)} WHERE ${where}`);
}

function addSql({ metadata, own, other }: Junction, ownKey: LinkKey, links: readonly LinkKey[]): BoundSql {
  const rows = links.map((link) => {
    const row: ObjectLiteral = {};
    own.forEach(({ propertyName }, index) => (row[propertyName] = ownKey[index]));
    other.forEach(({ propertyName }, index) => (row[propertyName] = link[index]));

    return bindEntity(metadata, row);
  });

  return insertSql(metadata.connection, rows);
}
