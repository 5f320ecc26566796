/** The text of an INSERT: cached per shape of a row, so that later requests only bind values. */
import { getOrInsert } from '@nestwright/crud/adapter';
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { flatText } from '../flat-text.js';
import { LruCache } from '../lru-cache.js';
import { numberOf } from '../number-of.js';
import { tableSql, VALUE, withPlaceholders } from '../sql/index.js';
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
  const { namesAutoIncrement, namesGenerated } = dialectOf(connection);
  const named = columns.filter(
    (column) =>
      column.isInsert &&
      (namesGenerated || column.asExpression === undefined) &&
      (namesAutoIncrement || keyMaker === 'client' || column.generationStrategy !== 'increment' || !column.isGenerated),
  );

  return named.length > 0 ? named : primaryColumns;
}

/** The value of a column for the driver; undefined if the database fills it in, a function if it is SQL. */
function valueOf({ discriminatorValue }: EntityMetadata, column: ColumnMetadata, entity: ObjectLiteral): unknown {
  return column.isDiscriminator ? discriminatorValue : preparedValue(column, column.getEntityValue(entity));
}

const templates = new LruCache<RowTemplate>();

/**
 * The row of an entity.
 *
 * @example
 * rowOf(metadata, user); // { template: { row: '(\\0, DEFAULT, \\0)', … }, values: ['a@b.example', 3] }
 */
export function rowOf(metadata: EntityMetadata, entity: ObjectLiteral, keyMaker: KeyMaker = 'database'): BoundRow {
  const { connection } = metadata;
  const { bound } = dialectOf(connection);
  const columns = insertedColumns(metadata, keyMaker);
  const values = columns.map((column) => valueOf(metadata, column, entity));
  const given = values.filter(isBound).map(bound);

  if (values.some((value) => typeof value === 'function'))
    return { template: templateOf(metadata, columns, values), values: given, hasSql: true };

  // Several classes may have one table.
  const shape = `${keyMaker}${numberOf(metadata)} ${values.map((value) => (value === undefined ? '0' : '1')).join('')}`;
  const template = templates.get(connection, shape, (weigh) => {
    const made = templateOf(metadata, columns, values);

    weigh(textBytes(made.head) + textBytes(made.row) + 2 * OBJECT_BYTES);

    return made;
  });

  return { template, values: given, hasSql: false };
}

function templateOf(
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
    : dialectOf(column.entityMetadata.connection).stored(VALUE, column);
}

export function insertSql(connection: DataSource, rows: readonly BoundRow[], returning?: string): BoundSql {
  const templates = rows.map(({ template }) => template);
  const text = insertText(connection, templates);

  return {
    sql: returning === undefined ? text : `${text} RETURNING ${returning}`,
    parameters: rows.flatMap(({ values }) => values),
  };
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
  if (rows.length === 1 || rows.some((row) => row !== first)) return textOf(connection, rows);

  return texts.get(connection, `${numberOf(first)} ${rows.length}`, (weigh) => {
    const text = flatText(textOf(connection, rows));
    weigh(textBytes(text));

    return text;
  });
}

function textOf(connection: DataSource, rows: readonly RowTemplate[]): string {
  let text = rows[0]!.head;
  let values = 0;

  rows.forEach(({ row, columns }, index) => {
    text += `${index === 0 ? '' : ', '}${withPlaceholders(connection, row, values)}`;
    values += columns.length;
  });

  return text;
}
