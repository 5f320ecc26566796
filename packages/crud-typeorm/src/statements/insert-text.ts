/** The text of an INSERT: cached per shape of a row, so that later requests only bind values. */
import { getOrInsert } from '@nestwright/crud/adapter';
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { getDialect } from '../dialect/dialect-of.js';
import { flatText } from '../flat-text.js';
import { LruCache } from '../lru-cache.js';
import { getObjectNumber } from '../number-of.js';
import { type Sql, tableSql, VALUE, withPlaceholders } from '../sql/index.js';
import { OBJECT_BYTES, textBytes } from '../weight.js';
import type { BoundSql } from './execute.js';
import { defaultSql, preparedValue } from './column-sql.js';

/** The text of an INSERT up to its values, and that of one row, whose values are not placed yet. */
export interface RowTemplate {
  readonly head: string;
  readonly row: string;
  readonly columns: readonly ColumnMetadata[];
}

export interface BoundRow {
  readonly template: RowTemplate;
  readonly values: readonly unknown[];
  /** Whether the text contains SQL of the application. */
  readonly hasSql: boolean;
}

/** Whether the database or the client makes an auto-increment key. */
export type KeyMaker = 'database' | 'client';

type Columns = Record<KeyMaker, readonly ColumnMetadata[]>;

const inserted = new WeakMap<EntityMetadata, Columns>();

/** The columns that an INSERT of an entity names, in their order. */
export function insertedColumns(metadata: EntityMetadata, keyMaker: KeyMaker = 'database'): readonly ColumnMetadata[] {
  const known = getOrInsert(inserted, metadata, () => ({
    database: columnsToInsert(metadata, 'database'),
    client: columnsToInsert(metadata, 'client'),
  }));

  return known[keyMaker];
}

function columnsToInsert({ columns, primaryColumns, connection }: EntityMetadata, keyMaker: KeyMaker) {
  const { namesAutoIncrement, namesGenerated } = getDialect(connection);
  const named = columns.filter(
    (column) =>
      column.isInsert &&
      (namesGenerated || column.asExpression === undefined) &&
      (namesAutoIncrement || keyMaker === 'client' || column.generationStrategy !== 'increment' || !column.isGenerated),
  );

  return named.length > 0 ? named : primaryColumns;
}

const templates = new LruCache<RowTemplate>();

/**
 * The row of an entity.
 *
 * @example
 * bindEntity(metadata, user); // { template: { row: '(\\0, DEFAULT, \\0)', … }, values: ['a@b.example', 3] }
 */
export function bindEntity(metadata: EntityMetadata, entity: ObjectLiteral, keyMaker: KeyMaker = 'database'): BoundRow {
  return bindRow(metadata, keyMaker, (column) => column.getEntityValue(entity));
}

/** The row whose columns have the values that are read. */
export function bindRow(
  metadata: EntityMetadata,
  keyMaker: KeyMaker,
  read: (column: ColumnMetadata, index: number) => unknown,
): BoundRow {
  const { bound } = getDialect(metadata.connection);
  const columns = insertedColumns(metadata, keyMaker);
  const last = latest.get(columns);
  const prepared: unknown[] = [];
  const values: unknown[] = [];
  let isAsLast = last !== undefined;
  let hasSql = false;

  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]!;
    const given = column.isDiscriminator ? metadata.discriminatorValue : read(column, index);
    const value = given === undefined && !column.transformer ? undefined : preparedValue(column, given);

    prepared.push(value);
    hasSql ||= typeof value === 'function';
    if (!isBound(value)) continue;

    isAsLast &&= last!.columns[values.length] === column;
    values.push(bound(value));
  }

  if (hasSql) return { template: makeTemplate(metadata, columns, prepared), values, hasSql };
  if (isAsLast && last!.columns.length === values.length) return { template: last!, values, hasSql };

  const template = findTemplate(metadata, columns, prepared);
  latest.set(columns, template);

  return { template, values, hasSql };
}

/** The template of the latest row, by the list of inserted columns: rows of a bulk are mostly alike. */
const latest = new WeakMap<readonly ColumnMetadata[], RowTemplate>();

function findTemplate(
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
  values: readonly unknown[],
): RowTemplate {
  // Several classes may have one table, and each two lists of columns.
  const shape = `${getObjectNumber(columns)} ${values.map((value) => (value === undefined ? '0' : '1')).join('')}`;

  return templates.get(metadata.connection, shape, (weigh) => {
    const made = makeTemplate(metadata, columns, values);

    weigh(textBytes(made.head) + textBytes(made.row) + 2 * OBJECT_BYTES);

    return made;
  });
}

function makeTemplate(
  metadata: EntityMetadata,
  columns: readonly ColumnMetadata[],
  values: readonly unknown[],
): RowTemplate {
  const { connection } = metadata;
  const names = columns.map(({ databaseName }) => connection.driver.escape(databaseName));
  const row = columns.map((column, index) => valueSql(column, values[index]));

  return {
    head: `INSERT INTO ${tableSql(metadata)}(${names.join(', ')}) VALUES `,
    row: flatText(`(${row.join(', ')})`),
    columns: columns.filter((_, index) => isBound(values[index])),
  };
}

function isBound(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function';
}

function valueSql(column: ColumnMetadata, value: unknown): string {
  if (value === undefined) return column.isVersion ? '1' : defaultSql(column);

  return typeof value === 'function'
    ? String((value as () => unknown)())
    : getDialect(column.entityMetadata.connection).stored(VALUE, column);
}

/** An INSERT of rows, with the list of what it returns. */
export function insertSql(connection: DataSource, rows: readonly BoundRow[], returning?: Sql): BoundSql {
  const parameters: unknown[] = [];
  // Faster than flatMap, by a microsecond a row.
  for (const { values } of rows) for (const value of values) parameters.push(value);

  const text = insertText(
    connection,
    rows.map(({ template }) => template),
  );
  if (!returning) return { sql: text, parameters };

  const list = withPlaceholders(connection, returning.text, parameters.length);
  parameters.push(...returning.values);

  return { sql: `${text} RETURNING ${list}`, parameters };
}

const texts = new LruCache<string>();

/**
 * The text of an INSERT of rows, in the order given. For rows of equal shape, as in a bulk, it is cached by their
 * number.
 *
 * @example
 * insertText(dataSource, [template, template]); // INSERT INTO "users"("email") VALUES ($1), ($2)
 */
export function insertText(connection: DataSource, rows: readonly RowTemplate[]): string {
  const first = rows[0]!;
  if (rows.length === 1 || rows.some((row) => row !== first)) return writeRows(connection, rows);

  return texts.get(connection, `${getObjectNumber(first)} ${rows.length}`, (weigh) => {
    const text = flatText(writeRows(connection, rows));
    weigh(textBytes(text));

    return text;
  });
}

function writeRows(connection: DataSource, rows: readonly RowTemplate[]): string {
  let text = rows[0]!.head;
  let values = 0;

  rows.forEach(({ row, columns }, index) => {
    text += `${index === 0 ? '' : ', '}${withPlaceholders(connection, row, values)}`;
    values += columns.length;
  });

  return text;
}
