/** SQLite's row: comparison is exact unless a column has a collation, LIKE is not, numbers are stored as they come, moments are text. */
import { around, type Dialect, type JsonValue, jsonPath } from './dialect.js';

/** A quotation mark cannot be written in SQLite's JSON paths; a null path finds nothing. */
function pathOf({ keys, constant }: JsonValue): string {
  return constant(keys.some((key) => key.includes('"')) ? null : jsonPath(keys));
}

function jsonCase(value: JsonValue, cases: (extracted: string) => string): string {
  const path = pathOf(value);

  return `CASE json_type(${value.column}, ${path}) ${cases(`json_extract(${value.column}, ${path})`)} END`;
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  sharedConnection: true,
  wideInteger: true,
  listParameter: false,
  listLimit: 4096,
  textMoments: true,
  looseText: false,
  defaultLength: () => 0,
  exact: (text, metadata) => (metadata?.collation ? `${text} COLLATE BINARY` : text),
  // SQLite's LIKE ignores case; GLOB does not, and uses an index for a leading text.
  like: (text, pattern) => `${text} GLOB ${pattern}`,
  pattern: (text, place) => around(text.replace(/[*?[]/g, '[$&]'), place, '*'),
  textOf: (value, { kind }) => {
    if (kind === 'float') {
      return `CASE WHEN ${value} = CAST(${value} AS INTEGER) THEN CAST(CAST(${value} AS INTEGER) AS TEXT) ELSE CAST(${value} AS TEXT) END`;
    }

    return `CAST(${value} AS TEXT)`;
  },
  typed: (placeholder) => placeholder,
  // sql.js reads integers as doubles, which lose digits.
  selected: (value, { type }) => (BIGINTS.has(type) ? `CAST(${value} AS TEXT)` : value),
  jsonText: (value) =>
    jsonCase(
      value,
      (extracted) =>
        `WHEN 'text' THEN ${extracted} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ` +
        `WHEN 'integer' THEN CAST(${extracted} AS TEXT) WHEN 'real' THEN CAST(${extracted} AS TEXT)`,
    ),
  jsonNumber: (value) =>
    jsonCase(value, (extracted) => `WHEN 'integer' THEN ${extracted} WHEN 'real' THEN ${extracted}`),
  jsonBoolean: (value) => jsonCase(value, () => `WHEN 'true' THEN 1 WHEN 'false' THEN 0`),
  jsonBooleanValue: Number,
  jsonPresence: (value) => `NULLIF(json_type(${value.column}, ${pathOf(value)}), 'null')`,
  listHas: (list, item) => `instr(',' || ${list} || ',', ',' || ${item} || ',') > 0`,
  page: (limit, offset) => {
    if (limit === undefined && offset === undefined) {
      return '';
    }

    return ` LIMIT ${limit ?? '-1'}${offset === undefined ? '' : ` OFFSET ${offset}`}`;
  },
};

const BIGINTS: ReadonlySet<unknown> = new Set(['bigint', 'int8', 'int64', 'unsigned big int']);
