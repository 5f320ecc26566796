/** Where the values of a statement's rows stand and which of them are still the database's own text: by name, as drivers give them, or by position. */

/** The form of the rows of one statement. */
export interface RowForm {
  /** Equal for equal forms. */
  readonly signature: string;
  /** Property of a row that holds the value of a name. */
  key(name: string): string | number;
  /** Number of the database's type, where the value is unparsed text. */
  rawType(name: string): number | undefined;
  /** The driver's parser of such text. */
  parserOf(type: number): (text: string) => unknown;
}

/** Rows as TypeORM's drivers give them: objects of parsed values. */
export const NAMED_ROWS: RowForm = {
  signature: '',
  key: (name) => name,
  rawType: () => undefined,
  parserOf: () => (text) => text,
};
