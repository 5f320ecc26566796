/** The keys that a record is to be linked to by a many-to-many relation go in, its junction rows are made the same; only links are made and removed, records never. */
import type { ObjectLiteral, QueryRunner, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { attempt, type StatementContext } from '../errors/statement-error.js';
import { keyText, lock, valuesOf } from './values.js';

/** Most rows of one statement on a junction. */
const ROWS = 1000;

/** The two ends of a relation's junction, seen from the record that is written. */
export interface Junction {
  readonly table: string;
  /** Columns that refer to the record written, and to the related ones. */
  readonly own: readonly ColumnMetadata[];
  readonly other: readonly ColumnMetadata[];
}

/** The junction of a many-to-many relation, from either of its sides. */
export function junctionOf(relation: RelationMetadata): Junction {
  const junction = relation.junctionEntityMetadata;

  if (!junction) {
    throw new Error(`${relation.entityMetadata.name}.${relation.propertyPath} has no junction table`);
  }

  const [own, other] = relation.isOwning
    ? [junction.ownerColumns, junction.inverseColumns]
    : [junction.inverseColumns, junction.ownerColumns];

  return { table: junction.tablePath, own, other };
}

/** Values of the columns that the related records are linked by. */
export async function linkedTo(
  runner: QueryRunner,
  { table, own, other }: Junction,
  record: ObjectLiteral,
): Promise<unknown[][]> {
  const select = runner.manager.createQueryBuilder().from(table, 'link');

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

/**
 * Makes a record's links those to the given values and no others.
 *
 * @example
 * await replaceLinks(runner, relation, user, [[1], [2]], { path: '', fresh: false });
 */
export async function replaceLinks(
  runner: QueryRunner,
  relation: RelationMetadata,
  record: ObjectLiteral,
  values: readonly (readonly unknown[])[],
  { path, fresh }: { readonly path: string; readonly fresh: boolean },
): Promise<void> {
  const junction = junctionOf(relation);
  const present = new Map((fresh ? [] : await linkedTo(runner, junction, record)).map((link) => [keyText(link), link]));
  const wanted = new Map(values.map((link) => [keyText(link), link]));
  const gone = [...present].filter(([text]) => !wanted.has(text)).map(([, link]) => link);
  const added = [...wanted].filter(([text]) => !present.has(text)).map(([, link]) => link);
  const context: StatementContext = {
    metadata: relation.entityMetadata,
    operation: 'store',
    paths: [path],
    rows: [],
    field: relation.propertyPath,
  };

  for (let start = 0; start < gone.length; start += ROWS) {
    await attempt(context, () => removeLinks(runner, junction, record, gone.slice(start, start + ROWS)));
  }

  for (let start = 0; start < added.length; start += ROWS) {
    await attempt(context, () => addLinks(runner, junction, record, added.slice(start, start + ROWS)));
  }
}

async function removeLinks(
  runner: QueryRunner,
  { table, own, other }: Junction,
  record: ObjectLiteral,
  links: readonly (readonly unknown[])[],
): Promise<void> {
  const escape = (column: ColumnMetadata) => runner.manager.connection.driver.escape(column.databaseName);
  const parameters: ObjectLiteral = {};
  const mine = own.map((column, index) => {
    parameters[`own${index}`] = column.referencedColumn?.getEntityValue(record);

    return `${escape(column)} = :own${index}`;
  });
  const theirs = links.map((link, row) =>
    other
      .map((column, index) => {
        parameters[`other${row}_${index}`] = link[index];

        return `${escape(column)} = :other${row}_${index}`;
      })
      .join(' AND '),
  );

  await runner.manager
    .createQueryBuilder()
    .delete()
    .from(table)
    .where(`${mine.join(' AND ')} AND (${theirs.map((link) => `(${link})`).join(' OR ')})`, parameters)
    .callListeners(false)
    .execute();
}

async function addLinks(
  runner: QueryRunner,
  { table, own, other }: Junction,
  record: ObjectLiteral,
  links: readonly (readonly unknown[])[],
): Promise<void> {
  const mine = valuesOf(
    own.flatMap((column) => column.referencedColumn ?? []),
    record,
  );
  const rows = links.map((link) =>
    Object.fromEntries([
      ...own.map((column, index) => [column.propertyName, mine[index]]),
      ...other.map((column, index) => [column.propertyName, link[index]]),
    ]),
  );

  await runner.manager
    .createQueryBuilder()
    .insert()
    .into(table)
    .values(rows)
    .callListeners(false)
    .updateEntity(false)
    .execute();
}
