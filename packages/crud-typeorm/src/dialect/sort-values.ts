import type { CatalogColumn, ColumnKind } from '@nestwright/crud/adapter';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Dialect } from './dialect.js';

export interface SortValues {
  /** Whether nulls come last in ascending order. */
  readonly nullsLast: boolean;
  /** The column's value as it is selected. */
  selected(value: string, column: CatalogColumn, metadata: ColumnMetadata): string;
  /** The text of what was selected. */
  printSelected(selected: unknown): string;
  /** What a text of {@link printSelected} is bound as; undefined if it cannot be one. */
  bound(text: string, column: CatalogColumn): unknown;
  /** The column as it is compared. */
  compared(value: string, column: CatalogColumn, metadata: ColumnMetadata): string;
  /** The placeholder of a bound value. */
  placed(placeholder: string, column: CatalogColumn, metadata: ColumnMetadata): string;
}

const MOMENTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['date', 'time', 'datetime']);
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/;

/** Valid texts by kind, checked here since not every database refuses invalid ones. */
const VALID_TEXTS: Readonly<Partial<Record<ColumnKind, RegExp>>> = {
  integer: /^-?\d{1,20}$/,
  bigint: /^-?\d{1,20}$/,
  decimal: /^(?:-?\d+(?:\.\d+)?|NaN|-?Infinity)$/,
  float: /^(?:-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|NaN|-?Infinity)$/,
  boolean: /^(?:true|false|[01])$/,
  date: /^[-\d]{8,}(?: BC)?$|^-?infinity$/,
  time: /^-?[\d:.]{5,}(?:[+-][\d:]+)?$/,
  datetime: /^[-\d]{8,}[T ][\d:.]{5,}(?:[+-][\d:]+)?(?: BC)?$|^-?infinity$/,
};

function validText(text: string, { kind }: CatalogColumn): string | undefined {
  return (VALID_TEXTS[kind]?.test(text) ?? true) && !text.includes('\0') ? text : undefined;
}

const POSTGRES: SortValues = {
  nullsLast: true,
  // As JSON prints them, moments do not depend on the session's DateStyle.
  selected: (value, { kind }) => (MOMENTS.has(kind) ? `(to_json(${value}) #>> '{}')` : `${value}::text`),
  printSelected: String,
  bound: validText,
  compared: (value) => value,
  placed: (placeholder) => placeholder,
};

/**
 * Longer than the text of any double, whose end MariaDB cuts in temporary tables if no length is said
 * (`-1.2345678901234567e-100`).
 */
const DOUBLE_LENGTH = 32;

/** A FLOAT is read as the double that its bits say, an ENUM as its place in the list, by which it is sorted. */
function mysqlValue(value: string, { kind }: CatalogColumn, { type }: ColumnMetadata): string {
  if (kind === 'float') return `(${value} + 0e0)`;

  return type === 'enum' ? `(${value} + 0)` : value;
}

const MYSQL: SortValues = {
  nullsLast: false,
  selected: (value, column, metadata) => {
    if (column.kind === 'text') return value;
    const type = column.kind === 'float' ? `CHAR(${DOUBLE_LENGTH})` : 'CHAR';

    return `CAST(${mysqlValue(value, column, metadata)} AS ${type})`;
  },
  printSelected: String,
  bound: (text, column) => {
    // The place of an ENUM's value.
    if (column.kind === 'enum' && /^\d{1,5}$/.test(text)) return Number(text);
    if (column.kind === 'boolean' || column.kind === 'integer')
      return VALID_TEXTS.integer!.test(text) ? Number(text) : undefined;

    return validText(text, column);
  },
  compared: mysqlValue,
  placed: (placeholder, { kind, scale, assumed }) => {
    switch (kind) {
      case 'float':
        return `(${placeholder} + 0e0)`;
      case 'bigint':
        return `CAST(${placeholder} AS DECIMAL(65))`;
      case 'decimal':
        return `CAST(${placeholder} AS DECIMAL(65, ${scale ?? (assumed ? 30 : 0)}))`;
      default:
        return placeholder;
    }
  },
};

/** Columns of SQLite hold values of any type, which is a letter before the text. */
const SQLITE_TYPES: Readonly<Record<string, (text: string) => unknown>> = {
  i: (text) => {
    if (!/^-?\d{1,19}$/.test(text)) return undefined;

    // The column makes a number of it; JavaScript's would lose digits.
    return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  },
  r: (text) => (NUMBER.test(text) || /^-?Infinity$/.test(text) ? Number(text) : undefined),
  t: (text) => text,
  b: (text) => (/^(?:[\da-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : undefined),
};

const SQLITE: SortValues = {
  nullsLast: false,
  selected: (value) =>
    `CASE typeof(${value}) WHEN 'integer' THEN 'i' || ${value} WHEN 'text' THEN 't' || ${value} ELSE ${value} END`,
  printSelected: (selected) => {
    if (selected instanceof Uint8Array) return `b${Buffer.from(selected).toString('hex')}`;

    return typeof selected === 'number' ? `r${selected}` : String(selected);
  },
  bound: (text) => SQLITE_TYPES[text.slice(0, 1)]?.(text.slice(1)),
  compared: (value) => value,
  placed: (placeholder) => placeholder,
};

const ROWS: Readonly<Record<Dialect['name'], SortValues>> = { postgres: POSTGRES, mysql: MYSQL, sqlite: SQLITE };

export function getSortValues({ name }: Pick<Dialect, 'name'>): SortValues {
  return ROWS[name];
}
