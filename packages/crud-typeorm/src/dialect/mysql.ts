/** The row of MySQL and MariaDB: comparison ignores case, accents and trailing blanks unless the bytes are compared, and long numbers in quotes would be read as doubles. */
import { type Dialect, type JsonValue, jsonPath, likePattern } from './dialect.js';

/** Largest number of rows there is: OFFSET cannot stand without LIMIT. */
const ALL_ROWS = '18446744073709551615';
const TYPED: ReadonlyMap<string, string> = new Map([
  ['bigint', 'DECIMAL(65)'],
  ['decimal', 'DECIMAL(65, 30)'],
]);

function extracted({ column, keys, constant }: JsonValue): string {
  return `JSON_EXTRACT(${column}, ${constant(jsonPath(keys))})`;
}

export const MYSQL: Dialect = {
  name: 'mysql',
  sharedConnection: false,
  wideInteger: false,
  listParameter: false,
  listLimit: 8192,
  namedStatements: false,
  // The driver puts the values into the text itself.
  parameterLimit: Number.POSITIVE_INFINITY,
  // MariaDB returns inserted rows; MySQL none.
  returns: ({ driver }) => ({ insert: driver.isReturningSqlSupported('insert'), update: false }),
  namesCounted: true,
  bound: (value) => value,
  textMoments: false,
  looseText: true,
  defaultLength: ({ type }) => (type === String || type === 'varchar' ? 255 : 0),
  // Bytes, not a binary collation: MariaDB's is padded with blanks, MySQL's unpadded one has another name.
  exact: (text) => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`,
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '!'`,
  concat: (left, right) => `CONCAT(${left}, ${right})`,
  pattern: likePattern,
  textOf: (value, { kind, transformed }) =>
    kind === 'decimal' && transformed ? `CAST(${value} + 0e0 AS CHAR)` : `CAST(${value} AS CHAR)`,
  typed: (placeholder, { kind }) => {
    const type = TYPED.get(kind);

    return type ? `CAST(${placeholder} AS ${type})` : placeholder;
  },
  selected: (value) => value,
  jsonText: (value) =>
    `CASE WHEN JSON_TYPE(${extracted(value)}) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN JSON_UNQUOTE(${extracted(value)}) END`,
  jsonNumber: (value) =>
    `CASE WHEN JSON_TYPE(${extracted(value)}) IN ('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL') ` +
    `THEN JSON_UNQUOTE(${extracted(value)}) + 0e0 END`,
  jsonBoolean: (value) =>
    `CASE WHEN JSON_TYPE(${extracted(value)}) = 'BOOLEAN' THEN JSON_UNQUOTE(${extracted(value)}) = 'true' END`,
  jsonBooleanValue: Number,
  jsonPresence: (value) => `NULLIF(JSON_TYPE(${extracted(value)}), 'NULL')`,
  listHas: (list, item) => {
    const bytes = (text: string) => `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;

    return `INSTR(${bytes(`CONCAT(',', ${list}, ',')`)}, ${bytes(`CONCAT(',', ${item}, ',')`)}) > 0`;
  },
  page: (limit, offset) => {
    if (limit === undefined && offset === undefined) {
      return '';
    }

    return ` LIMIT ${limit ?? ALL_ROWS}${offset === undefined ? '' : ` OFFSET ${offset}`}`;
  },
};
