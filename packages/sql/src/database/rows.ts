/**
 * Where the values are in a statement's rows (by name, as drivers return them, or by position), and which are still the
 * database's text.
 */

/** A raw row: an object of the driver's values, or a list of texts. */
export type Row = Readonly<Record<string, unknown>>;

/** A value that comes as the database's text. */
export interface TextFormat {
  /** The driver's parser; undefined if its value is the text itself. */
  readonly parse?: (text: string) => unknown;
  /** How the text becomes JSON without being parsed. */
  readonly raw?: DirectText;
}

/** JSON of a value's text; undefined if the driver's parser must read it. */
export type RawJson = (text: string) => string | undefined;

/** How the text of a type becomes JSON, and how it becomes a value, without the driver's parser. */
export interface DirectText {
  readonly json: RawJson;
  /** The driver's value; undefined if its parser must read the text. */
  readonly value: (text: string) => unknown;
  /** Types of columns that hold such values unchanged. */
  readonly columnTypes: ReadonlySet<string>;
  /** Whether the columns are arrays. Default: `false`. */
  readonly isArray?: boolean;
}

/** The format of the rows of one statement. */
export interface RowFormat {
  /** Equal for equal formats. */
  readonly signature: string;
  /** Property of a row that holds the value of a name. */
  key(name: string): string | number;
  /** How the text under a name is parsed; undefined if the driver has parsed it. */
  findTextFormat(name: string): TextFormat | undefined;
}

/** The rows of a statement, and where in them the values are. */
export interface StatementRows {
  /** The rows, in the order of the statement. */
  readonly rows: readonly Row[];
  /** Where the values are in each row, and which are still texts. */
  readonly format: RowFormat;
}

/** Rows as drivers give them: objects of parsed values. */
export const NAMED_FORMAT: RowFormat = {
  signature: '',
  key: (name) => name,
  findTextFormat: () => undefined,
};
