/**
 * SQLite's row: comparison is exact unless a column has a collation, LIKE is not, numbers are stored as they come,
 * moments are text.
 */
import { BIGINT_TYPES, type Dialect, isSimple, type JsonValue, jsonPath, pageSql, withWildcards } from './dialect.js';
import { sqliteNumberText } from './number-text.js';

/** Where a value of a document is found: its JSON type, and the value itself. */
interface Place {
  readonly type: string;
  readonly extracted: string;
}

function locateValue(value: JsonValue): Place {
  const { column, keys, constant } = value;
  if (keys.some((key) => key.includes('"'))) return placeBySteps(value);

  const path = constant(jsonPath(keys));

  return { type: `json_type(${column}, ${path})`, extracted: `json_extract(${column}, ${path})` };
}

/** A quotation mark cannot be written in the JSON paths of every SQLite: keys are compared one by one instead. */
function placeBySteps({ column, keys, constant }: JsonValue): Place {
  const steps = keys.map((_, index) => {
    const { type, value } = entry(index - 1);

    return `json_each(${index === 0 ? column : `CASE ${type} WHEN 'object' THEN ${value} END`}) AS json_step${index}`;
  });
  const from = () =>
    `FROM ${steps.join(', ')} WHERE ` +
    `${keys.map((key, index) => `json_step${index}.key = ${constant(key)}`).join(' AND ')}`;
  const last = entry(keys.length - 1);

  return {
    type: `(SELECT ${last.type} ${from()} LIMIT 1)`,
    extracted: `(SELECT ${last.value} ${from()} LIMIT 1)`,
  };
}

function entry(index: number): { readonly type: string; readonly value: string } {
  return { type: `json_step${index}.type`, value: `json_step${index}.value` };
}

function jsonCase(value: JsonValue, cases: (extracted: string) => string): string {
  const { type, extracted } = locateValue(value);

  return `CASE ${type} ${cases(extracted)} END`;
}

export const SQLITE: Dialect = {
  name: 'sqlite',
  sharedConnection: true,
  wideInteger: true,
  listParameter: false,
  listLimit: 4096,
  parameterLimit: 32_766,
  // TypeORM's `sqlite` driver discards the rows of a writing statement.
  closeConnection: async () => undefined,
  // Statements run synchronously, so there is nothing to cancel.
  canceller: async () => async () => undefined,
  replaceTimeLimits: async () => async () => undefined,
  returns: ({ options }) => ({ insert: options.type !== SQLITE3, update: options.type !== SQLITE3 }),
  namesAutoIncrement: true,
  namesGenerated: false,
  hasDefaultKeyword: false,
  now: ({ type }) => (type === 'datetime' || type === Date ? `strftime('%Y-%m-%d %H:%M:%f', 'now')` : undefined),
  bound: (value) => {
    if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');

    return typeof value === 'boolean' ? Number(value) : value;
  },
  binds: isSimple,
  textMoments: true,
  looseText: false,
  defaultLength: () => 0,
  jsonDepth: () => 1000,
  exact: (text, metadata) => (metadata?.collation ? `${text} COLLATE BINARY` : text),
  // SQLite's LIKE ignores case; GLOB does not, and uses an index for a leading text.
  like: (text, pattern) => `${text} GLOB ${pattern}`,
  concat: (left, right) => `${left} || ${right}`,
  pattern: (text, place) => withWildcards(text.replace(/[*?[]/g, '[$&]'), place, '*'),
  // A decimal is stored as a double.
  writeText: (value, { kind }) =>
    kind === 'float' || kind === 'decimal' ? sqliteNumberText(`CAST(${value} AS REAL)`) : `CAST(${value} AS TEXT)`,
  typed: (placeholder) => placeholder,
  stored: (placeholder, { type }) => (type === 'jsonb' ? `jsonb(${placeholder})` : placeholder),
  // sql.js reads integers as doubles, which lose digits.
  selected: (value, { type }) => (BIGINT_TYPES.has(type) ? `CAST(${value} AS TEXT)` : value),
  // All digits of numbers, and bytes as hexadecimal digits.
  distinctText: (value) => `CASE typeof(${value}) WHEN 'text' THEN ${value} ELSE quote(${value}) END`,
  jsonText: (value) =>
    jsonCase(
      value,
      (extracted) =>
        `WHEN 'text' THEN ${extracted} WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' ` +
        `WHEN 'integer' THEN ${sqliteNumberText(`CAST(${extracted} AS REAL)`)} WHEN 'real' THEN ` +
        `${sqliteNumberText(extracted)}`,
    ),
  jsonNumber: (value) =>
    jsonCase(value, (extracted) => `WHEN 'integer' THEN ${extracted} WHEN 'real' THEN ${extracted}`),
  jsonBoolean: (value) => jsonCase(value, () => `WHEN 'true' THEN 1 WHEN 'false' THEN 0`),
  jsonBooleanValue: Number,
  jsonPresence: (value) => `NULLIF(${locateValue(value).type}, 'null')`,
  listHas: (list, item) => `instr(',' || ${list} || ',', ',' || ${item} || ',') > 0`,
  page: (limit, offset) => pageSql(limit, offset, '-1'),
  shareLock: () => '',
};

const SQLITE3: string = 'sqlite';
