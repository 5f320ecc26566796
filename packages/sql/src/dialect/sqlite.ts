/**
 * SQLite's row: comparison is exact unless a column has a collation, LIKE is not, numbers are stored as they come,
 * moments are text.
 */
import type { Aggregates, Dialect, JsonValue, SortValues, Totals } from '../database/dialect.js';
import {
  averageDigits,
  BIGINT_TYPES,
  BYTES,
  isSimple,
  jsonPath,
  pageSql,
  type Periods,
  readScale,
  withWildcards,
} from './shared.js';

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

/**
 * The text of a floating-point number as JSON prints it. SQLite's own text has 15 digits or 17, by version: the fewest
 * are tried out, and the text is made of them.
 */
function sqliteNumberText(value: string): string {
  const printed = (digits: number) => `printf('%!.${digits - 1}e', size)`;
  const fewest =
    `CASE size WHEN CAST(${printed(15)} AS REAL) THEN ${printed(15)} ` +
    `WHEN CAST(${printed(16)} AS REAL) THEN ${printed(16)} ELSE ${printed(17)} END`;
  const mark = `instr(text, 'e')`;
  const parts =
    `SELECT number, rtrim(replace(substr(text, 1, ${mark} - 1), '.', ''), '0') AS digits, ` +
    `CAST(substr(text, ${mark} + 1) AS INTEGER) AS exponent ` +
    `FROM (SELECT number, ${fewest} AS text FROM (SELECT number, abs(number) AS size FROM (SELECT ${value} ` +
    'AS number) WHERE number IS NOT NULL))';

  return (
    `(SELECT CASE WHEN number = 0 THEN '0' ELSE CASE WHEN number < 0 THEN '-' ELSE '' END || CASE ` +
    `WHEN exponent >= 21 OR exponent < -6 THEN substr(digits, 1, 1) || ` +
    `CASE WHEN length(digits) > 1 THEN '.' ELSE '' END || substr(digits, 2) || ` +
    `'e' || CASE WHEN exponent > 0 THEN '+' ELSE '' END || exponent ` +
    `WHEN exponent < 0 THEN '0.' || substr('00000', 1, -exponent - 1) || digits ` +
    "WHEN length(digits) <= exponent + 1 THEN digits || substr('00000000000000000000', 1, exponent + 1 - " +
    'length(digits)) ' +
    `ELSE substr(digits, 1, exponent + 1) || '.' || substr(digits, exponent + 2) END END FROM (${parts}))`
  );
}

const PERIODS: Periods = {
  day: (moment) => `strftime('%Y-%m-%d', ${moment})`,
  // The Sunday of the week, and from there back to Monday.
  week: (moment) => `date(${moment}, 'weekday 0', '-6 days')`,
  month: (moment) => `strftime('%Y-%m', ${moment})`,
  quarter: (moment) => `(strftime('%Y', ${moment}) || '-Q' || ((CAST(strftime('%m', ${moment}) AS INTEGER) + 2) / 3))`,
  year: (moment) => `strftime('%Y', ${moment})`,
};

const AGGREGATES: Aggregates = {
  key: (value, { kind }, { collation }) => {
    // Milliseconds that are zero may be missing.
    if (kind === 'datetime')
      return `(CASE WHEN ${value} LIKE '%.000' THEN substr(${value}, 1, length(${value}) - 4) ELSE ${value} END)`;

    return kind === 'text' && collation ? `${value} COLLATE BINARY` : value;
  },
  period: (moment, unit) => PERIODS[unit](moment),
  digits: (text) => text,
  double: (number) => `CAST(${number} AS REAL)`,
  selectedDouble: (number) => number,
  placedDouble: (placeholder) => placeholder,
  unknownZone: () => undefined,
};

/** Its numbers are integers of 64 bits, whose sum is an error where it has more, and doubles. */
const TOTALS: Totals = {
  sum: (value, { kind, declared }) =>
    `SUM(${(declared?.kind ?? kind) === 'decimal' ? value : `CAST(${value} AS INTEGER)`})`,
  total: (sum, column) => (column.kind === 'decimal' ? rounded(sum, readScale(column)) : sum),
  average: (sum, count, column) => rounded(`${TOTALS.double(sum)} / ${count}`, averageDigits(column)),
  double: (sum) => `CAST(${sum} AS REAL)`,
  // Drivers read integers as doubles.
  selected: (total) => `CASE typeof(${total}) WHEN 'integer' THEN CAST(${total} AS TEXT) ELSE ${total} END`,
  placed: (placeholder) => `CAST(${placeholder} AS NUMERIC)`,
};

function rounded(number: string, digits: number | undefined): string {
  return digits === undefined ? number : `ROUND(${number}, ${digits})`;
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]\d+)?$/;

/** Columns of SQLite hold values of any type, which is a letter before the text. */
const STORED_TYPES: Readonly<Record<string, (text: string) => unknown>> = {
  i: (text) => {
    if (!/^-?\d{1,19}$/.test(text)) return undefined;

    // The column makes a number of it; JavaScript's would lose digits.
    return Number.isSafeInteger(Number(text)) ? Number(text) : text;
  },
  r: (text) => (NUMBER.test(text) || /^-?Infinity$/.test(text) ? Number(text) : undefined),
  t: (text) => text,
  b: (text) => (/^(?:[\da-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : undefined),
};

const SORT_VALUES: SortValues = {
  nullsLast: false,
  selected: (value) =>
    `CASE typeof(${value}) WHEN 'integer' THEN 'i' || ${value} WHEN 'text' THEN 't' || ${value} ELSE ${value} END`,
  printSelected: (selected) => {
    if (selected instanceof Uint8Array) return `b${Buffer.from(selected).toString('hex')}`;

    return typeof selected === 'number' ? `r${selected}` : String(selected);
  },
  bound: (text) => STORED_TYPES[text.slice(0, 1)]?.(text.slice(1)),
  compared: (value) => value,
  placed: (placeholder) => placeholder,
};

/** The dialect of SQLite. */
export const SQLITE: Dialect = {
  name: 'sqlite',
  sharedConnection: true,
  wideInteger: true,
  listParameter: false,
  listLimit: 4096,
  parameterLimit: 32_766,
  timeLimits: () => undefined,
  namesAutoIncrement: true,
  namesGenerated: false,
  hasDefaultKeyword: false,
  now: ({ type }) => (type === 'datetime' ? `strftime('%Y-%m-%d %H:%M:%f', 'now')` : undefined),
  bound: (value) => {
    if (value instanceof Date) return value.toISOString().replace('T', ' ').replace('Z', '');

    return typeof value === 'boolean' ? Number(value) : value;
  },
  binds: isSimple,
  textMoments: true,
  looseText: false,
  varcharLength: 0,
  jsonDepth: () => 1000,
  exact: (text, storedColumn) => (storedColumn?.collation ? `${text} COLLATE BINARY` : text),
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
  differs: ({ collation, type }, { name, value }) =>
    `${name}${collation ? ' COLLATE BINARY' : ''} IS NOT ${type === 'jsonb' ? `jsonb(${value})` : value}`,
  forms: new Map(BYTES),
  aggregates: AGGREGATES,
  totals: TOTALS,
  sortValues: SORT_VALUES,
};
