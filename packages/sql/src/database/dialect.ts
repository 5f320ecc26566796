/**
 * The columns of the table of database differences: every function takes SQL made by the rooms of this package and
 * gives SQL back.
 */
import type { CatalogColumn, ColumnForm } from '@nestwright/crud/adapter';
import type { DateUnit } from '@nestwright/crud-request';

/** What a dialect must know of a column. */
export interface ColumnType {
  /** The column as the catalog describes it. */
  readonly catalogColumn: CatalogColumn;
  /** The type's name in the database, without length, precision and scale. */
  readonly type: string;
  /** The type as the schema has it: `numeric(10,2)`. */
  readonly fullType: string;
  /** Whether it is an array of PostgreSQL. */
  readonly isArray: boolean;
  /** Digits of a number, or of the fraction of a second, as the schema has it. */
  readonly precision: number | undefined;
  /** Digits behind the point. */
  readonly scale: number | undefined;
  /** Whether it stores no negative numbers. */
  readonly isUnsigned: boolean;
  /** Whether only its property's type says that it stores integers, so that the table may hold other numbers. */
  readonly isAssumed: boolean;
  /** Its collation, if it is not the database's. */
  readonly collation: string | undefined;
  /** Spatial reference of a geometry. */
  readonly srid: number | undefined;
  /** What is known of the server that stores it. */
  readonly server: Server;
}

/** What is known of the server and its client. */
export interface Server {
  /** Whether a server of the dialect of MySQL is MariaDB. */
  readonly isMariaDb: boolean;
  /** Whether moments without an offset are stored in UTC, as far as the client's options say. */
  readonly isUtc: boolean;
  /** Whether spatial functions have names without `ST_`. */
  readonly hasOldSpatialNames: boolean;
}

/** Where a pattern's text must be found. */
export type PatternPlace = 'starts' | 'ends' | 'cont';

/** A value of a JSON document: the column and the keys that lead to it. */
export interface JsonValue {
  readonly column: string;
  readonly storedColumn: ColumnType;
  readonly keys: readonly string[];
  /** Gives the placeholder of a value that belongs to the statement. */
  constant(value: unknown): string;
}

/** SQL of a column and of a value, which is used once. */
export interface Compared {
  readonly name: string;
  readonly value: string;
}

/** How groups are made and computed. */
export interface Aggregates {
  /** A group key: equal exactly for equal values of a column; for most columns the value itself. */
  key(value: string, column: CatalogColumn, storedColumn: ColumnType): string;
  /** The name of the part of the calendar that a moment or date lies in. */
  period(moment: string, unit: DateUnit, column: CatalogColumn, storedColumn: ColumnType): string;
  /** A text of digits, as it is ordered and compared. */
  digits(text: string): string;
  /** A number as a double. */
  double(number: string): string;
  /** A double, selected as text with all its digits. */
  selectedDouble(number: string): string;
  /** The placeholder of a double. */
  placedDouble(placeholder: string): string;
  /** Why the moments of a column cannot be converted to UTC, and how to fix it; undefined if they can. */
  unknownZone(storedColumn: ColumnType): string | undefined;
}

/** How one database adds up bigints and decimals; `sum` is a column of the grouping statement. */
export interface Totals {
  /** What is selected of each group for the sum of a column. */
  sum(value: string, column: CatalogColumn): string;
  /** The sum, as it is ordered and compared. */
  total(sum: string, column: CatalogColumn): string;
  /** The average, rounded half up, away from zero, to {@link AVERAGE_DIGITS} more digits than the column has. */
  average(sum: string, count: string, column: CatalogColumn): string;
  /** The sum as a double. */
  double(sum: string): string;
  /** An ordered total as a text. */
  selected(total: string): string;
  /** The placeholder of a number that is compared with a total. */
  placed(placeholder: string): string;
  /**
   * Where a total may have more digits than the database computes with, which then silently returns another number.
   * Default: it never does.
   */
  size?(value: string, column: CatalogColumn, isAverage: boolean): TotalSize | undefined;
}

/** How large a total may be. */
interface TotalSize {
  /** What is selected of each group: no total is larger. */
  readonly part: string;
  /** The bound from which a total is not sure to be right. */
  readonly beyond: string;
}

/** Sort values as cursors hold them. */
export interface SortValues {
  /** Whether nulls come last in ascending order. */
  readonly nullsLast: boolean;
  /** The column's value as it is selected. */
  selected(value: string, column: CatalogColumn, storedColumn: ColumnType): string;
  /** The text of what was selected. */
  printSelected(selected: unknown): string;
  /** What a text of {@link printSelected} is bound as; undefined if it cannot be one. */
  bound(text: string, column: CatalogColumn): unknown;
  /** The column as it is compared. */
  compared(value: string, column: CatalogColumn, storedColumn: ColumnType): string;
  /** The placeholder of a bound value. */
  placed(placeholder: string, column: CatalogColumn, storedColumn: ColumnType): string;
}

/** Everything that differs from one database to another. */
export interface Dialect {
  /** Name of the row, for messages. */
  readonly name: 'sqlite' | 'postgres' | 'mysql';
  /** Whether all statements of a database share one connection, so that nothing runs side by side. */
  readonly sharedConnection: boolean;
  /** Whether `integer` holds more than 32 bits. */
  readonly wideInteger: boolean;
  /** Whether a list is one parameter (`= ANY($1)`), so that the text does not depend on its length. */
  readonly listParameter: boolean;
  /** Most keys in the list of one statement; more are read in several. */
  readonly listLimit: number;
  /** Most parameters of one statement. */
  readonly parameterLimit: number;
  /**
   * The statements that replace a connection's limits on long statements and slow readers by one in milliseconds
   * (Infinity: none), and that restore them. Undefined if the limits need no change.
   */
  timeLimits(limit: number, server: Server): { readonly replace: string; readonly restore: string } | undefined;
  /** Whether an INSERT names an auto-increment column that it leaves to the database. */
  readonly namesAutoIncrement: boolean;
  /** Whether an INSERT may name a generated column, with its default as the value. */
  readonly namesGenerated: boolean;
  /** Whether DEFAULT may be used in place of a value. */
  readonly hasDefaultKeyword: boolean;
  /**
   * The present moment in a column's precision, if CURRENT_TIMESTAMP has whole seconds only, which can lie before the
   * creation of the record.
   */
  now(column: ColumnType): string | undefined;
  /** A value that a column's `encode` made, as it is handed to the driver. */
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
  /** Length of a `varchar` whose entity names none; 0: unbounded. */
  readonly varcharLength: number;
  /** Maximum nesting of JSON documents that the database can query. */
  jsonDepth(server: Server): number;
  /** A text that compares character by character. */
  exact(text: string, storedColumn?: ColumnType): string;
  /** The condition that a text matches a pattern of LIKE. */
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
  stored(placeholder: string, column: ColumnType): string;
  /** A column in a SELECT list. */
  selected(value: string, storedColumn: ColumnType): string;
  /** The stored value of a column as a text that no other value has; for a number it may be a number. */
  distinctText(value: string, storedColumn: ColumnType): string;
  /** A value of a JSON document as a text. */
  jsonText(value: JsonValue): string;
  /** A value of a JSON document as a number; of another type, null. */
  jsonNumber(value: JsonValue): string;
  /** A value of a JSON document as a boolean; of another type, null. */
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
  /**
   * The condition that writing a value would change a column, by stored forms, so that a collation or a type's own
   * equality does not treat different values as equal; undefined if the database cannot tell.
   *
   * @example
   * dialect.differs(emailColumn, { name: '"email"', value: '$1' }); // '"email" IS DISTINCT FROM $1'
   */
  differs(column: ColumnType, compared: Compared): string | undefined;
  /** What columns of kind `binary` store, by their type; other types take texts, numbers and booleans. */
  readonly forms: ReadonlyMap<unknown, ColumnForm>;
  /** How groups are made and computed. */
  readonly aggregates: Aggregates;
  /** How exact sums and averages are computed. */
  readonly totals: Totals;
  /** How values are selected and compared for cursors. */
  readonly sortValues: SortValues;
}
