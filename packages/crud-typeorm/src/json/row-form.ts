/** Where the values of a statement's rows stand and which of them are still the database's own text: by name, as drivers give them, or by position. */
import type { RawJson } from './raw-text.js';

/** A value that comes as the database's text. */
export interface TextForm {
  /** What the driver would have made of it; undefined where that is the text itself. */
  readonly parse?: (text: string) => unknown;
  /** How it leaves without being parsed. */
  readonly raw?: DirectText;
}

/** A way from a type's text to JSON. */
export interface DirectText {
  readonly json: RawJson;
  /** TypeORM's types of columns that hold such values unchanged. */
  readonly columnTypes: ReadonlySet<unknown>;
  readonly isArray: boolean;
}

/** The form of the rows of one statement. */
export interface RowForm {
  /** Equal for equal forms. */
  readonly signature: string;
  /** Property of a row that holds the value of a name. */
  key(name: string): string | number;
  /** How the text under a name is read; undefined where the driver has done so. */
  textOf(name: string): TextForm | undefined;
}

/** Rows as TypeORM's drivers give them: objects of parsed values. */
export const NAMED_ROWS: RowForm = {
  signature: '',
  key: (name) => name,
  textOf: () => undefined,
};
