/**
 * The row of MySQL and MariaDB: comparison ignores case, accents and trailing blanks unless the bytes are compared, and
 * long numbers in quotes would be read as doubles.
 */
import type { CatalogColumn, ColumnForm } from '@nestwright/crud/adapter';
import type {
  Aggregates,
  ColumnType,
  Compared,
  Dialect,
  JsonValue,
  Server,
  SortValues,
  Totals,
} from '../database/dialect.js';
import {
  AVERAGE_DIGITS,
  BYTES,
  isSimple,
  jsonPath,
  likePattern,
  pageSql,
  type Periods,
  readScale,
  VALID_TEXTS,
  validText,
} from './shared.js';

/** The largest possible LIMIT, which OFFSET requires. */
const ALL_ROWS = '18446744073709551615';
/** In seconds. */
const DAY = 86_400;
const TYPED: ReadonlyMap<string, string> = new Map([
  ['bigint', 'DECIMAL(65)'],
  ['decimal', 'DECIMAL(65, 30)'],
]);

const SPATIAL_TYPES = [
  'geometry',
  'point',
  'linestring',
  'polygon',
  'multipoint',
  'multilinestring',
  'multipolygon',
  'geometrycollection',
];
const SPATIAL: ReadonlySet<unknown> = new Set(SPATIAL_TYPES);

const FLOATS = /^(float|double|real)/i;
const NUMBERS = /^((tiny|small|medium|big)?int|dec|numeric|fixed|bool|year)/i;

/** A function's name. */
function spatial({ hasOldSpatialNames }: Server, name: string): string {
  return hasOldSpatialNames ? name : `ST_${name}`;
}

function extracted({ column, keys, constant }: JsonValue): string {
  return `JSON_EXTRACT(${column}, ${constant(jsonPath(keys))})`;
}

const JSON_NUMBERS = `'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'`;

function castNumber(value: JsonValue): string {
  return `(JSON_UNQUOTE(${extracted(value)}) + 0e0)`;
}

/**
 * The bytes of a text. Not a binary collation: MariaDB's is padded with blanks, MySQL's unpadded one has another name.
 */
function bytes(text: string): string {
  return `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;
}

/**
 * The text of a floating-point number as JSON prints it. MySQL's text has the fewest digits; exponents come from 1e15
 * on, without a plus, and for small numbers only if the digits would take too much room.
 */
function mysqlNumberText(value: string): string {
  const size = `ABS(${value})`;
  const text = `CAST(${size} AS CHAR)`;
  const exponent = `CAST(SUBSTRING_INDEX(${text}, 'e', -1) AS SIGNED)`;
  const digits = `REPLACE(SUBSTRING_INDEX(${text}, 'e', 1), '.', '')`;
  const large =
    `CASE WHEN CHAR_LENGTH(${digits}) > ${exponent} + 1 ` +
    `THEN CONCAT(LEFT(${digits}, ${exponent} + 1), '.', SUBSTRING(${digits}, ${exponent} + 2)) ` +
    `ELSE RPAD(${digits}, ${exponent} + 1, '0') END`;
  const fraction = `SUBSTRING(${text}, 3)`;
  const rest = `TRIM(LEADING '0' FROM ${fraction})`;
  const small =
    `CONCAT(LEFT(${rest}, 1), CASE WHEN CHAR_LENGTH(${rest}) > 1 THEN '.' ELSE '' END, SUBSTRING(${rest}, 2), ` +
    `'e-', CHAR_LENGTH(${fraction}) - CHAR_LENGTH(${rest}) + 1)`;

  return (
    `CONCAT(CASE WHEN ${value} < 0 THEN '-' ELSE '' END, CASE ` +
    `WHEN ${text} LIKE '%e-%' THEN ${text} ` +
    `WHEN ${size} >= 1e21 THEN REPLACE(${text}, 'e', 'e+') ` +
    `WHEN ${text} LIKE '%e%' THEN ${large} ` +
    `WHEN ${size} > 0 AND ${size} < 1e-6 THEN ${small} ` +
    `ELSE ${text} END)`
  );
}

const PERIODS: Periods = {
  day: (moment) => `DATE_FORMAT(${moment}, '%Y-%m-%d')`,
  week: (moment) => `DATE_FORMAT(${moment} - INTERVAL WEEKDAY(${moment}) DAY, '%Y-%m-%d')`,
  month: (moment) => `DATE_FORMAT(${moment}, '%Y-%m')`,
  quarter: (moment) => `CONCAT(DATE_FORMAT(${moment}, '%Y-Q'), QUARTER(${moment}))`,
  year: (moment) => `DATE_FORMAT(${moment}, '%Y')`,
};

const AGGREGATES: Aggregates = {
  key: (value, { kind }) => (kind === 'text' ? bytes(value) : value),
  period: (moment, unit) => PERIODS[unit](moment),
  digits: (text) => text,
  double: (number) => `(${number} + 0e0)`,
  selectedDouble: (number) => number,
  placedDouble: (placeholder) => `(${placeholder} + 0e0)`,
  unknownZone: ({ server }) =>
    server.isUtc
      ? undefined
      : 'whose values are stored in the time zone of the connection, which is not UTC: give the data source ' +
        "the option timezone: 'Z'",
};

/** Digits of a decimal. */
const MOST_DIGITS = 65;

/** Digits by which the sum of a table may be longer than its values. */
const COUNTED_DIGITS = 18;

const TOTALS: Totals = {
  sum: (value) => `SUM(${value})`,
  total: (sum) => sum,
  average: (sum, count, column) => {
    const scale = readScale(column) ?? (column.assumed ? AVERAGE_DIGITS : 0);
    const digits = scale + AVERAGE_DIGITS;
    // MariaDB silently drops digits of long products, so the point is moved in the text.
    const text = `CAST(CAST(ABS(${sum}) AS DECIMAL(65, ${scale})) AS CHAR)`;
    const units = `CAST(REPLACE(${text}, '.', '') AS DECIMAL(65, 0))`;
    // Division keeps four digits more than its left side: the quotient is made whole before.
    const twice = `(${units} * 2${'0'.repeat(AVERAGE_DIGITS)} + ${count})`;
    const whole = `CAST((${twice} - ${twice} MOD (2 * ${count})) / (2 * ${count}) AS DECIMAL(65, 0))`;
    const padded = `CONCAT('${'0'.repeat(digits)}', ${whole})`;
    const average = `INSERT(${padded}, CHAR_LENGTH(${padded}) - ${digits - 1}, 0, '.')`;

    return `CAST(CONCAT(IF(${sum} < 0, '-', ''), ${average}) AS DECIMAL(65, ${digits}))`;
  },
  double: (sum) => `(${sum} + 0e0)`,
  selected: (total) => `CAST(${total} AS CHAR)`,
  placed: (placeholder) => `CAST(${placeholder} AS DECIMAL(65, 30))`,
  size: (value, column, isAverage) => {
    const { precision = 0 } = column;
    if (column.kind !== 'decimal' || precision + COUNTED_DIGITS + AVERAGE_DIGITS < MOST_DIGITS) return undefined;
    const whole = MOST_DIGITS - (readScale(column) ?? 0) - (isAverage ? AVERAGE_DIGITS + 1 : 0);

    return { part: `COUNT(${value}) * MAX(ABS(${value}) + 0e0)`, beyond: `1e${whole}` };
  },
};

/**
 * Longer than the text of any double, whose end MariaDB cuts in temporary tables if no length is said
 * (`-1.2345678901234567e-100`).
 */
const DOUBLE_LENGTH = 32;

/** A FLOAT is read as the double that its bits say, an ENUM as its place in the list, by which it is sorted. */
function mysqlValue(value: string, { kind }: CatalogColumn, { type }: ColumnType): string {
  if (kind === 'float') return `(${value} + 0e0)`;

  return type === 'enum' ? `(${value} + 0)` : value;
}

const SORT_VALUES: SortValues = {
  nullsLast: false,
  selected: (value, column, storedColumn) => {
    if (column.kind === 'text') return value;
    const type = column.kind === 'float' ? `CHAR(${DOUBLE_LENGTH})` : 'CHAR';

    return `CAST(${mysqlValue(value, column, storedColumn)} AS ${type})`;
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

type Difference = (compared: Compared, column: ColumnType) => string | undefined;

const differs: Difference = ({ name, value }) => `NOT (${name} <=> ${value})`;
const differsAsText: Difference = ({ name, value }) => `NOT (${bytes(name)} <=> ${bytes(value)})`;

const differsCast =
  (type: (column: ColumnType) => string): Difference =>
  ({ name, value }, column) =>
    `NOT (${name} <=> CAST(${value} AS ${type(column)}))`;

/** A column whose type was only assumed may be a decimal in the table. */
const differsInteger = differsCast(({ isAssumed, isUnsigned }) =>
  isAssumed ? 'DECIMAL(65, 30)' : isUnsigned ? 'UNSIGNED' : 'SIGNED',
);
const differsDecimal = differsCast(({ precision, scale }) => `DECIMAL(${precision ?? 10}, ${scale ?? 0})`);
const precise =
  (type: string) =>
  ({ precision }: ColumnType) =>
    precision ? `${type}(${precision})` : type;
const differsMoment = differsCast(precise('DATETIME'));

/** Trailing blanks of a fixed length are the column's, not the value's. */
const differsPadded: Difference = ({ name, value }, column) =>
  differsAsText({ name, value: `TRIM(TRAILING ' ' FROM ${value})` }, column);

/** MySQL normalizes stored documents. */
const differsJson: Difference = ({ name, value }, column) =>
  differsAsText({ name: `JSON_EXTRACT(${name}, '$')`, value: `JSON_EXTRACT(${value}, '$')` }, column);

const DIFFERENCES: ReadonlyMap<string, Difference> = new Map([
  ...['tinyint', 'smallint', 'mediumint', 'int', 'integer', 'bigint', 'bool', 'boolean'].map(
    (type) => [type, differsInteger] as const,
  ),
  ...['decimal', 'dec', 'numeric', 'fixed'].map((type) => [type, differsDecimal] as const),
  ['float', differsCast(() => 'FLOAT')],
  ['date', differsCast(() => 'DATE')],
  ['time', differsCast(precise('TIME'))],
  ['datetime', differsMoment],
  ['timestamp', differsMoment],
  ...['varchar', 'nvarchar', 'national varchar', 'text', 'tinytext', 'mediumtext', 'longtext', 'enum', 'set'].map(
    (type) => [type, differsAsText] as const,
  ),
  ...['char', 'nchar', 'national char'].map((type) => [type, differsPadded] as const),
  ['json', differsJson],
  ...[...SPATIAL_TYPES, 'vector'].map((type) => [type, () => undefined] as const),
]);

const FORMS: ReadonlyMap<unknown, ColumnForm> = new Map<unknown, ColumnForm>([
  ...BYTES,
  // Drivers return bits as bytes.
  ['bit', 'bits'],
  ...SPATIAL_TYPES.map((type) => [type, 'wkt'] as const),
]);

/** The dialect of MySQL and MariaDB. */
export const MYSQL: Dialect = {
  name: 'mysql',
  sharedConnection: false,
  wideInteger: false,
  listParameter: false,
  listLimit: 8192,
  // The driver puts the values into the text itself.
  parameterLimit: Number.POSITIVE_INFINITY,
  timeLimits: (limit, { isMariaDb }) => {
    const [time, perSecond] = isMariaDb ? ['max_statement_time', 1] : ['max_execution_time', 1000];
    const seconds = Number.isFinite(limit) ? Math.ceil(limit / 1000) + 1 : undefined;

    return {
      replace:
        `SET @nestwright_write = @@net_write_timeout, @nestwright_time = @@${time}, ` +
        `SESSION net_write_timeout = ${seconds ?? DAY}, SESSION ${time} = ${(seconds ?? 0) * perSecond}`,
      restore: `SET SESSION net_write_timeout = @nestwright_write, SESSION ${time} = @nestwright_time`,
    };
  },
  namesAutoIncrement: true,
  namesGenerated: true,
  hasDefaultKeyword: true,
  now: ({ precision }) => (precision ? `CURRENT_TIMESTAMP(${precision})` : undefined),
  bound: (value) => value,
  // JSON has no functions: a function is SQL of the application.
  binds: (value) => isSimple(value) || typeof (value as { toSqlString?: unknown }).toSqlString === 'function',
  textMoments: false,
  looseText: true,
  varcharLength: 255,
  jsonDepth: ({ isMariaDb }) => (isMariaDb ? 31 : 100),
  exact: bytes,
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '!'`,
  concat: (left, right) => `CONCAT(${left}, ${right})`,
  pattern: likePattern,
  writeText: (value, { kind, transformed }) =>
    // A FLOAT is read as what its text says, which is another number than its bits say.
    kind === 'float' || (kind === 'decimal' && transformed)
      ? mysqlNumberText(`(CAST(${value} AS CHAR) + 0e0)`)
      : `CAST(${value} AS CHAR)`,
  typed: (placeholder, { kind }) => {
    const type = TYPED.get(kind);

    return type ? `CAST(${placeholder} AS ${type})` : placeholder;
  },
  stored: (placeholder, column) =>
    SPATIAL.has(column.type)
      ? `${spatial(column.server, 'GeomFromText')}(${placeholder}${column.srid === undefined ? '' : `, ${column.srid}`})`
      : placeholder,
  selected: (value, column) => {
    const { type } = column;
    // As text, or some versions of the driver would parse it before the column does, and of "12" would be made 12.
    if (column.catalogColumn.kind === 'json' && type !== 'text') return `CAST(${value} AS CHAR)`;

    // Well-known text, as bodies carry it; the driver makes objects of its own of a shape.
    return SPATIAL.has(type) ? `${spatial(column.server, 'AsText')}(${value})` : value;
  },
  distinctText: (value, column) => {
    const type = column.type;
    // A float's own text has six digits; a text's bytes do not depend on the character set of the connection.
    if (FLOATS.test(type)) return `(${value} + 0e0)`;

    return NUMBERS.test(type) ? `CAST(${value} AS CHAR)` : `HEX(${value})`;
  },
  // The text of a number must not lend its own collation, which ignores case, to the texts compared with it.
  jsonText: (value) =>
    `CASE WHEN JSON_TYPE(${extracted(value)}) IN (${JSON_NUMBERS}) ` +
    `THEN CONVERT(${mysqlNumberText(castNumber(value))} USING utf8mb4) COLLATE utf8mb4_bin ` +
    `WHEN JSON_TYPE(${extracted(value)}) NOT IN ('OBJECT', 'ARRAY', 'NULL') THEN JSON_UNQUOTE(${extracted(value)}) END`,
  jsonNumber: (value) => `CASE WHEN JSON_TYPE(${extracted(value)}) IN (${JSON_NUMBERS}) THEN ${castNumber(value)} END`,
  jsonBoolean: (value) =>
    `CASE WHEN JSON_TYPE(${extracted(value)}) = 'BOOLEAN' THEN JSON_UNQUOTE(${extracted(value)}) = 'true' END`,
  jsonBooleanValue: Number,
  jsonPresence: (value) => `NULLIF(JSON_TYPE(${extracted(value)}), 'NULL')`,
  listHas: (list, item) => `INSTR(${bytes(`CONCAT(',', ${list}, ',')`)}, ${bytes(`CONCAT(',', ${item}, ',')`)}) > 0`,
  // Rows of all tables that the statement itself joins: MariaDB cannot name one.
  shareLock: () => ' LOCK IN SHARE MODE',
  page: (limit, offset) => pageSql(limit, offset, ALL_ROWS),
  differs: (column, compared) => (DIFFERENCES.get(column.type) ?? differs)(compared, column),
  forms: FORMS,
  aggregates: AGGREGATES,
  totals: TOTALS,
  sortValues: SORT_VALUES,
};
