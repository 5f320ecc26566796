import type { ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import { type ColumnMetadata, referencedColumns } from '../column-metadata.js';
import type { StatementContext } from '../errors/statement-error.js';
import { type Junction, junctionOf, type LinkKey } from '../scope/link-keys.js';
import { tableSql } from '../sql/index.js';
import { type BoundSql, execute } from '../statements/execute.js';
import { insertSql, rowOf } from '../statements/insert-text.js';
import { batches, keyText, lock, valuesOf } from '../statements/values.js';

/** Values of the columns that the related records are linked by. */
export async function linkedTo(
  runner: QueryRunner,
  { metadata, own, other }: Junction,
  record: ObjectLiteral,
): Promise<unknown[][]> {
  const select = runner.manager.createQueryBuilder().from(metadata.tablePath, 'link');

  other.forEach((column, index) => select.addSelect(`link.${column.propertyName}`, `other${index}`));
  own.forEach((column, index) =>
    select.andWhere(`link.${column.propertyName} = :own${index}`, {
      [`own${index}`]: column.referencedColumn?.getEntityValue(record),
    }),
  );

  lock(select);

  const rows = await select.getRawMany<ObjectLiteral>();

  return rows.map((row) => other.map((_, index): unknown => row[`other${index}`]));
}

interface Replaced {
  readonly path: string;
  /** What the record is linked to now, as {@link linkedTo} has it; nothing if it is new. */
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
  const junction = junctionOf(relation);
  const { added, removed } = linkChanges(values, replaced);
  const context: StatementContext = {
    metadata: relation.entityMetadata,
    operation: 'store',
    paths: [path],
    rows: [],
    field: relation.propertyPath,
  };

  const ownKey = valuesOf(referencedColumns(junction.own), record);

  for (const some of batches(removed)) await execute(runner, context, () => deleteSql(junction, ownKey, some));
  for (const some of batches(added)) await execute(runner, context, () => addSql(junction, ownKey, some));
}

function deleteSql({ metadata, own, other }: Junction, ownKey: LinkKey, links: readonly LinkKey[]): BoundSql {
  const { driver } = metadata.connection;
  const parameters: unknown[] = [];
  const holds = (columns: readonly ColumnMetadata[], values: LinkKey) =>
    columns
      .map(({ databaseName }, index) => {
        const place = driver.createParameter('p', parameters.push(values[index]) - 1);

        return `${driver.escape(databaseName)} = ${place}`;
      })
      .join(' AND ');
  const of = holds(own, ownKey);
  const any = links.map((link) => `(${holds(other, link)})`).join(' OR ');
  const table = tableSql(metadata);

  return { sql: `DELETE FROM ${table} WHERE ${of} AND (${any})`, parameters };
}

function addSql({ metadata, own, other }: Junction, ownKey: LinkKey, links: readonly LinkKey[]): BoundSql {
  const rows = links.map((link) => {
    const row: ObjectLiteral = {};
    own.forEach(({ propertyName }, index) => (row[propertyName] = ownKey[index]));
    other.forEach(({ propertyName }, index) => (row[propertyName] = link[index]));

    return rowOf(metadata, row);
  });

  return insertSql(metadata.connection, rows);
}
