/**
 * The columns of the table of database differences: every function takes SQL made by the rooms of this package and
 * gives SQL back.
 */
import type { CatalogColumn } from '@nestwright/crud/adapter';
import type { DataSource, QueryRunner } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';

/** Where a pattern's text must be found. */
export type PatternPlace = 'starts' | 'ends' | 'cont';

/** A value of a JSON document: the column and the keys that lead to it. */
export interface JsonValue {
  readonly column: string;
  readonly metadata: ColumnMetadata;
  readonly keys: readonly string[];
  /** Gives the placeholder of a value that belongs to the statement. */
  constant(value: unknown): string;
}

/** Everything that differs from one database to another. */
export interface Dialect {
  /** Name of the row, for messages. */
  readonly name: 'sqlite' | 'postgres' | 'mysql';
  /** Whether all statements of a data source share one connection, so that nothing runs side by side. */
  readonly sharedConnection: boolean;
  /** Whether `integer` holds more than 32 bits. */
  readonly wideInteger: boolean;
  /** Whether a list is one parameter (`= ANY($1)`), so that the text does not depend on its length. */
  readonly listParameter: boolean;
  /** Most keys in the list of one statement; more are read in several. */
  readonly listLimit: number;
  /** Most parameters of one statement. */
  readonly parameterLimit: number;
  /** Closes a runner's connection instead of returning it to the pool; does nothing if it is shared or not open. */
  closeConnection(runner: QueryRunner, reason: unknown): Promise<void>;
  /**
   * Returns a function that cancels the statement running on a runner's connection; get it before closing the
   * connection, call it after.
   */
  canceller(runner: QueryRunner): Promise<() => Promise<void>>;
  /**
   * Replaces a connection's limits on long statements and slow readers by one in milliseconds; Infinity: none. What it
   * returns restores them.
   */
  replaceTimeLimits(runner: QueryRunner, limit: number): Promise<() => Promise<void>>;
  /** Which statements can return the rows that they write. */
  returns(dataSource: DataSource): { readonly insert: boolean; readonly update: boolean };
  /** Whether TypeORM names an auto-increment column in an INSERT that leaves it to the database. */
  readonly namesAutoIncrement: boolean;
  /** Whether an INSERT may name a generated column, with its default as the value. */
  readonly namesGenerated: boolean;
  /** Whether DEFAULT may be used in place of a value. */
  readonly hasDefaultKeyword: boolean;
  /**
   * The present moment in a column's precision, if CURRENT_TIMESTAMP has whole seconds only, which can lie before the
   * creation of the record.
   */
  now(column: ColumnMetadata): string | undefined;
  /** A value that TypeORM prepared for a column, as its builders hand it to the driver. */
  bound(value: unknown): unknown;
  /** Whether the driver binds a value as one value, rather than as SQL or several values. */
  binds(value: unknown): boolean;
  /** Whether moments are stored as text with or without milliseconds, so that equal ones may differ as text. */
  readonly textMoments: boolean;
  /**
   * Whether a column's own comparison ignores case or trailing blanks, so that exact comparison is added to it, which
   * can use the index.
   */
  readonly looseText: boolean;
  /** Length that the database gives to a text column whose entity names none; 0: unbounded. */
  defaultLength(column: ColumnMetadata): number;
  /** Maximum nesting of JSON documents that the database can query. */
  jsonDepth(dataSource: DataSource): number;
  /** A text that compares character by character. */
  exact(text: string, metadata?: ColumnMetadata): string;
  like(text: string, pattern: string): string;
  /** Two texts as one. */
  concat(left: string, right: string): string;
  /** The pattern that finds a text literally. */
  pattern(text: string, place: PatternPlace): string;
  /** The value as text, as JSON prints it. */
  writeText(value: string, column: CatalogColumn): string;
  /** A placeholder whose value the database reads as the column's type if it would not by itself. */
  typed(placeholder: string, column: CatalogColumn): string;
  /** A placeholder as a column of a table stores its value. */
  stored(placeholder: string, column: ColumnMetadata): string;
  /** A column in a SELECT list. */
  selected(value: string, metadata: ColumnMetadata): string;
  /** The stored value of a column as a text that no other value has; for a number it may be a number. */
  distinctText(value: string, metadata: ColumnMetadata): string;
  jsonText(value: JsonValue): string;
  jsonNumber(value: JsonValue): string;
  jsonBoolean(value: JsonValue): string;
  /** What is bound to be compared with {@link jsonBoolean}. */
  jsonBooleanValue(value: boolean): unknown;
  /** A text that is null if the value is missing or JSON's null. */
  jsonPresence(value: JsonValue): string;
  /** Whether a list in a text column has an item; the database's own arrays are compared whole. */
  listHas(list: string, item: string): string;
  /** LIMIT and OFFSET; either may be missing. */
  page(limit: string | undefined, offset: string | undefined): string;
  /**
   * The locking clause of a SELECT: reads the rows of one table as committed now and locks them against changes until
   * the transaction ends.
   */
  shareLock(table: string): string;
}

/** TypeORM's types of whole numbers that a double cannot hold. */
export const BIGINT_TYPES: ReadonlySet<unknown> = new Set(['bigint', 'int8', 'int64', 'unsigned big int']);

/** LIMIT and OFFSET of a database whose OFFSET requires a LIMIT. */
export function pageSql(limit: string | undefined, offset: string | undefined, allRows: string): string {
  if (limit === undefined && offset === undefined) return '';

  return ` LIMIT ${limit ?? allRows}${offset === undefined ? '' : ` OFFSET ${offset}`}`;
}

/** Whether a value is no object or list but a moment or bytes. */
export function isSimple(value: unknown): boolean {
  return typeof value !== 'object' || value === null || value instanceof Date || value instanceof Uint8Array;
}

/**
 * Escapes the characters that have a meaning in LIKE; `!` is the escape character, which no SQL mode treats specially.
 */
export function likePattern(text: string, place: PatternPlace): string {
  return withWildcards(text.replace(/[!%_]/g, '!$&'), place, '%');
}

/** Adds the wildcards of a pattern. */
export function withWildcards(text: string, place: PatternPlace, wildcard: string): string {
  return `${place === 'starts' ? '' : wildcard}${text}${place === 'ends' ? '' : wildcard}`;
}

/** A path of JSON keys as SQLite and MySQL write it. */
export function jsonPath(keys: readonly string[]): string {
  return `$${keys.map((key) => `.${JSON.stringify(key)}`).join('')}`;
}
