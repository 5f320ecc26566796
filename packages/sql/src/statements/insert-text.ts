/** The text of an INSERT: cached per shape of a row, so that later requests only bind values. */
import { getOrInsert } from '@nestwright/crud/adapter';
import { flatText } from '../flat-text.js';
import { LruCache } from '../lru-cache.js';
import { getObjectNumber } from '../number-of.js';
import { type Sql, tableSql, VALUE, withPlaceholders } from '../select/index.js';
import { OBJECT_BYTES, textBytes } from '../weight.js';
import type { BoundSql } from './execute.js';
import { defaultSql, preparedValue } from './column-sql.js';
import type { Column, Database, Entity, Table } from '../database/database.js';

/** The text of an INSERT up to its values, and that of one row, whose values are not placed yet. */
export interface RowTemplate {
  readonly head: string;
  readonly row: string;
  /** The INSERT of this row alone, its values placed. */
  readonly alone: string;
  readonly columns: readonly Column[];
}

export interface BoundRow {
  readonly template: RowTemplate;
  readonly values: readonly unknown[];
  /** Whether the text contains SQL of the application. */
  readonly hasSql: boolean;
}

/** Whether the database or the client makes an auto-increment key. */
export type KeyMaker = 'database' | 'client';

type Columns = Record<KeyMaker, readonly Column[]>;

const inserted = new WeakMap<Table, Columns>();

/** The columns that an INSERT of an entity names, in their order. */
export function insertedColumns(table: Table, keyMaker: KeyMaker = 'database'): readonly Column[] {
  const known = getOrInsert(inserted, table, () => ({
    database: columnsToInsert(table, 'database'),
    client: columnsToInsert(table, 'client'),
  }));

  return known[keyMaker];
}

function columnsToInsert({ columns, primaryColumns, database }: Table, keyMaker: KeyMaker) {
  const { namesAutoIncrement, namesGenerated } = database.dialect;
  const named = columns.filter(
    (column) =>
      column.isInsert &&
      (namesGenerated || !column.isComputed) &&
      (namesAutoIncrement || keyMaker === 'client' || column.generation !== 'counter'),
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
export function bindEntity(table: Table, entity: Entity, keyMaker: KeyMaker = 'database'): BoundRow {
  const { bound } = table.database.dialect;
  const columns = insertedColumns(table, keyMaker);
  const prepared: unknown[] = [];
  const values: unknown[] = [];
  let shape = '';
  let hasSql = false;

  // One loop, since most requests that write pass it.
  for (const column of columns) {
    const value = prepareValue(table, column, entity);
    prepared.push(value);
    shape += value === undefined ? '0' : '1';
    if (typeof value === 'function') hasSql = true;
    else if (value !== undefined) values.push(bound(value));
  }

  const template = hasSql ? makeTemplate(table, columns, prepared) : findTemplate(table, columns, prepared, shape);

  return { template, values, hasSql };
}

function prepareValue(table: Table, column: Column, entity: Entity): unknown {
  const given: unknown = column.isDiscriminator ? table.discriminatorValue : column.read(entity);

  return given === undefined && !column.isTransformed ? undefined : preparedValue(column, given);
}

function findTemplate(
  table: Table,
  columns: readonly Column[],
  values: readonly unknown[],
  shape: string,
): RowTemplate {
  // Several classes may have one table, and each two lists of columns.
  return templates.get(table.database, `${getObjectNumber(columns)} ${shape}`, (weigh) => {
    const made = makeTemplate(table, columns, values);

    weigh(textBytes(made.head) + textBytes(made.row) + textBytes(made.alone) + 2 * OBJECT_BYTES);

    return made;
  });
}

function makeTemplate(table: Table, columns: readonly Column[], values: readonly unknown[]): RowTemplate {
  const { database } = table;
  const names = columns.map(({ databaseName }) => database.quote(databaseName));
  const row = flatText(`(${columns.map((column, index) => valueSql(column, values[index])).join(', ')})`);
  const head = `INSERT INTO ${tableSql(table)}(${names.join(', ')}) VALUES `;

  return {
    head,
    row,
    alone: flatText(head + withPlaceholders(database, row)),
    columns: columns.filter((_, index) => isBound(values[index])),
  };
}

function isBound(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function';
}

function valueSql(column: Column, value: unknown): string {
  if (value === undefined) return column.isVersion ? '1' : defaultSql(column);

  return typeof value === 'function'
    ? String((value as () => unknown)())
    : column.table.database.dialect.stored(VALUE, column);
}

/** An INSERT of rows, with the list of what it returns. */
export function insertSql(database: Database, rows: readonly BoundRow[], returning?: Sql): BoundSql {
  const parameters: unknown[] = [];
  // Faster than flatMap, by a microsecond a row.
  for (const { values } of rows) for (const value of values) parameters.push(value);

  const text = insertText(
    database,
    rows.map(({ template }) => template),
  );
  if (!returning) return { sql: text, parameters };

  const { length } = returning.values;
  const list = length === 0 ? returning.text : withPlaceholders(database, returning.text, parameters.length);
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
export function insertText(database: Database, rows: readonly RowTemplate[]): string {
  const first = rows[0]!;
  if (rows.length === 1) return first.alone;
  if (rows.some((row) => row !== first)) return writeRows(database, rows);

  return texts.get(database, `${getObjectNumber(first)} ${rows.length}`, (weigh) => {
    const text = flatText(writeRows(database, rows));
    weigh(textBytes(text));

    return text;
  });
}

function writeRows(database: Database, rows: readonly RowTemplate[]): string {
  let text = rows[0]!.head;
  let values = 0;

  rows.forEach(({ row, columns }, index) => {
    text += `${index === 0 ? '' : ', '}${withPlaceholders(database, row, values)}`;
    values += columns.length;
  });

  return text;
}
