/** The keys that a record is to be linked to by a many-to-many relation go in, its junction rows are made the same; only links are made and removed, records never. */
import type { ObjectLiteral, QueryBuilder, QueryRunner, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import type { StatementContext } from '../errors/statement-error.js';
import { execute } from './execute.js';
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

/** The links that are replaced. */
export interface Replaced {
  /** Where the record stands in the body. */
  readonly path: string;
  /** What the record is linked to now, as {@link linkedTo} has it; nothing where it is new. */
  readonly linked: readonly (readonly unknown[])[];
  /** Whether a link may go that is not wanted any more. Default: all may. */
  readonly isRemovable?: (link: readonly unknown[]) => boolean;
}

/**
 * Makes a record's links those to the given values and no others.
 *
 * @example
 * await replaceLinks(runner, relation, user, [[1], [2]], { path: '', linked: [] });
 */
export async function replaceLinks(
  runner: QueryRunner,
  relation: RelationMetadata,
  record: ObjectLiteral,
  values: readonly (readonly unknown[])[],
  { path, linked, isRemovable = () => true }: Replaced,
): Promise<void> {
  const junction = junctionOf(relation);
  const present = new Map(linked.map((link) => [keyText(link), link]));
  const wanted = new Map(values.map((link) => [keyText(link), link]));
  const gone = [...present].filter(([text, link]) => !wanted.has(text) && isRemovable(link)).map(([, link]) => link);
  const added = [...wanted].filter(([text]) => !present.has(text)).map(([, link]) => link);
  const context: StatementContext = {
    metadata: relation.entityMetadata,
    operation: 'store',
    paths: [path],
    rows: [],
    field: relation.propertyPath,
  };

  for (let start = 0; start < gone.length; start += ROWS) {
    await execute(runner, context, removal(runner, junction, record, gone.slice(start, start + ROWS)));
  }

  for (let start = 0; start < added.length; start += ROWS) {
    await execute(runner, context, addition(runner, junction, record, added.slice(start, start + ROWS)));
  }
}

function removal(
  runner: QueryRunner,
  { table, own, other }: Junction,
  record: ObjectLiteral,
  links: readonly (readonly unknown[])[],
): QueryBuilder<ObjectLiteral> {
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

  return runner.manager
    .createQueryBuilder()
    .delete()
    .from(table)
    .where(`${mine.join(' AND ')} AND (${theirs.map((link) => `(${link})`).join(' OR ')})`, parameters);
}

function addition(
  runner: QueryRunner,
  { table, own, other }: Junction,
  record: ObjectLiteral,
  links: readonly (readonly unknown[])[],
): QueryBuilder<ObjectLiteral> {
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

  return runner.manager.createQueryBuilder().insert().into(table).values(rows).updateEntity(false);
}
