/** PostgreSQL's row: comparison is exact, lists are array parameters, JSON in text columns is cast. */
import type { ColumnForm, ColumnKind } from '@nestwright/crud/adapter';
import type { Aggregates, ColumnType, Compared, Dialect, JsonValue, SortValues, Totals } from '../database/dialect.js';
import { AVERAGE_DIGITS, BYTES, likePattern, type Periods, readScale, validText } from './shared.js';

/**
 * The value at the end of the keys, as `jsonb` or as text. Keys name properties only, never places of an array, as on
 * the other databases.
 */
function at({ column, storedColumn, keys, constant }: JsonValue, asText: boolean): string {
  const document = storedColumn.type === 'jsonb' ? column : `${column}::jsonb`;
  const last = keys.length - 1;

  return keys.reduce(
    (sql, key, index) => `${sql} ${asText && index === last ? '->>' : '->'} ${constant(key)}::text`,
    document,
  );
}

const SPATIAL: ReadonlySet<unknown> = new Set(['geometry', 'geography']);

function whenType(value: JsonValue, type: string, cast: string): string {
  return `CASE WHEN jsonb_typeof(${at(value, false)}) = '${type}' THEN (${at(value, true)})::${cast} END`;
}

/** A number of a document, which may exceed the range or precision of a double. */
function documentNumberText(value: JsonValue): string {
  const text = at(value, true);

  return (
    `CASE WHEN (${text})::numeric = 0 OR abs((${text})::numeric) BETWEEN 5e-324 AND 1.7976931348623157e308 ` +
    `THEN ${postgresNumberText(`(${text})::float8`)} ELSE ${text} END`
  );
}

/**
 * The text of a floating-point number as JSON prints it: the fewest digits that mean the number, an exponent from 1e21
 * on and below 1e-6. From PostgreSQL 12 on, the text of a number has nearly the fewest digits: one or two less are tried
 * out, and the text is made of what is left. Numbers that are beyond a double keep their digits.
 */
function postgresNumberText(value: string): string {
  const plain = (text: string) => `CASE WHEN ${text} LIKE '%.%' THEN rtrim(rtrim(${text}, '0'), '.') ELSE ${text} END`;
  // Rounded up, the largest doubles would be none any more.
  const fewest = [15, 16].map(
    (digits) =>
      `WHEN size < 1e308 AND round(size::text::numeric, ${digits - 1} - places)::float8 = size THEN ` +
      `round(size::text::numeric, ${digits - 1} - places)`,
  );
  const numbers =
    'SELECT number, size, CASE WHEN size = 0 OR size > 1e308 THEN 0 ELSE floor(log(size))::int END AS places ' +
    `FROM (SELECT number, abs(number) AS size FROM (SELECT ${value} AS number) AS given) AS sized`;
  const rounded =
    `SELECT number, size, (CASE ${fewest.join(' ')} ELSE size::text::numeric END)::text AS text FROM ` +
    `(${numbers}) AS placed`;
  const parts =
    `SELECT number, size, text, rtrim(ltrim(replace(text, '.', ''), '0'), '0') AS digits, ` +
    `CASE WHEN size >= 1 THEN length(split_part(text, '.', 1)) - 1 ` +
    "ELSE length(ltrim(split_part(text, '.', 2), '0')) - length(split_part(text, '.', 2)) - 1 END AS " +
    `exponent FROM (${rounded}) AS rounded`;

  return (
    "(SELECT CASE WHEN number < 0 THEN '-' ELSE '' END || CASE WHEN size < 1e21 AND (size >= 1e-6 OR size = " +
    `0) THEN ${plain('text')} ` +
    `ELSE left(digits, 1) || CASE WHEN length(digits) > 1 THEN '.' ELSE '' END || substr(digits, 2) || ` +
    `'e' || CASE WHEN exponent > 0 THEN '+' ELSE '' END || exponent END FROM (${parts}) AS parts)`
  );
}

const PERIODS: Periods = {
  day: (moment) => `to_char(${moment}, 'YYYY-MM-DD')`,
  week: (moment) => `to_char(date_trunc('week', ${moment}), 'YYYY-MM-DD')`,
  month: (moment) => `to_char(${moment}, 'YYYY-MM')`,
  quarter: (moment) => `to_char(${moment}, 'YYYY-"Q"Q')`,
  year: (moment) => `to_char(${moment}, 'YYYY')`,
};

const AGGREGATES: Aggregates = {
  key: (value, { kind }, { type }) => (kind === 'text' && type === 'citext' ? `${value}::text` : value),
  period: (moment, unit, { kind }) =>
    PERIODS[unit](kind === 'date' ? `${moment}::timestamp` : `(${moment} AT TIME ZONE 'UTC')`),
  digits: (text) => `${text} COLLATE "C"`,
  double: (number) => `${number}::float8`,
  selectedDouble: (number) => `${number}::text`,
  placedDouble: (placeholder) => `${placeholder}::float8`,
  unknownZone: (storedColumn) =>
    storedColumn.type.startsWith('timestamp without')
      ? 'whose values are stored without an offset, in whatever time zone the process has: give the column the ' +
        'type timestamptz'
      : undefined,
};

/** If PostgreSQL's column has no scale, an average has as many digits as that of 16. */
const UNBOUNDED = 16;

const TOTALS: Totals = {
  sum: (value) => `SUM(${value})`,
  total: (sum) => `${sum}::numeric`,
  average: (sum, count, column) => {
    const digits = (readScale(column) ?? UNBOUNDED) + AVERAGE_DIGITS;
    const twice = `abs(${sum}::numeric) * 2${'0'.repeat(digits)} + ${count}`;

    return `(sign(${sum}::numeric) * div(${twice}, 2 * ${count}::numeric) * ${ulp(digits)})`;
  },
  double: (sum) => `${sum}::float8`,
  selected: (total) => `(${total})::text`,
  placed: (placeholder) => `${placeholder}::numeric`,
};

/** The smallest number above zero with so many digits behind the point. */
function ulp(digits: number): string {
  return digits === 0 ? '1' : `0.${'0'.repeat(digits - 1)}1`;
}

const MOMENTS: ReadonlySet<ColumnKind> = new Set<ColumnKind>(['date', 'time', 'datetime']);

const SORT_VALUES: SortValues = {
  nullsLast: true,
  // As JSON prints them, moments do not depend on the session's DateStyle.
  selected: (value, { kind }) => (MOMENTS.has(kind) ? `(to_json(${value}) #>> '{}')` : `${value}::text`),
  printSelected: String,
  bound: validText,
  compared: (value) => value,
  placed: (placeholder) => placeholder,
};

type Difference = (compared: Compared, column: ColumnType) => string | undefined;

function hasPrecision({ precision }: ColumnType): boolean {
  return precision !== undefined;
}

const differs: Difference = ({ name, value }, { collation }) =>
  `${name}${collation ? ' COLLATE "C"' : ''} IS DISTINCT FROM ${value}`;

/** Rounds the value as the column does. */
const differsRounded: Difference = ({ name, value }, column) =>
  `${name} IS DISTINCT FROM CAST(${value} AS ${column.fullType})`;

/** For types without equality, or whose equality ignores differences of the text. */
const differsAsText: Difference = ({ name, value }, column) =>
  `CAST(${name} AS text) IS DISTINCT FROM CAST(CAST(${value} AS ${column.fullType}) AS text)`;

const DIFFERENCES: ReadonlyMap<string, Difference> = new Map([
  ...['json', 'jsonpath', 'xml', 'citext', 'interval', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle'].map(
    (type) => [type, differsAsText] as const,
  ),
  ...['geometry', 'geography'].map((type) => [type, () => undefined] as const),
]);

const ROUNDED = /^(?:timestamp|time)(?:tz| with(?:out)? time zone)?$/;

/** How values of a column are compared. */
function findDifference(column: ColumnType): Difference {
  const type = column.type;

  // A number without a scale keeps the zeros at its end.
  if (type === 'numeric' || type === 'decimal') return hasPrecision(column) ? differsRounded : differsAsText;
  if (ROUNDED.test(type)) return hasPrecision(column) ? differsRounded : differs;

  return DIFFERENCES.get(type) ?? differs;
}

const FORMS: ReadonlyMap<unknown, ColumnForm> = new Map<unknown, ColumnForm>([
  ...BYTES,
  ['point', 'point'],
  ['circle', 'circle'],
  ['interval', 'interval'],
  ['hstore', 'pairs'],
  ['ltree', 'text'],
  ['cube', 'numbers'],
  ['vector', 'numbers'],
  ['halfvec', 'numbers'],
  ['geometry', 'geojson'],
  ['geography', 'geojson'],
]);

/** The dialect of PostgreSQL. */
export const POSTGRES: Dialect = {
  name: 'postgres',
  sharedConnection: false,
  wideInteger: false,
  listParameter: true,
  listLimit: Number.POSITIVE_INFINITY,
  parameterLimit: 65_535,
  // Its limits apply to each part, which is a statement.
  timeLimits: () => undefined,
  namesAutoIncrement: false,
  namesGenerated: true,
  hasDefaultKeyword: true,
  now: () => undefined,
  bound: (value) => value,
  // The driver prints objects as JSON, and lists as arrays.
  binds: () => true,
  textMoments: false,
  looseText: false,
  varcharLength: 0,
  // Several thousand, by the size of the server's stack; deeper ones would be an error of every condition.
  jsonDepth: () => 1000,
  exact: (text, storedColumn) => (storedColumn?.type === 'citext' ? `${text}::text` : text),
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '!'`,
  concat: (left, right) => `${left} || ${right}`,
  pattern: likePattern,
  // If a transformer makes numbers of decimals, their text has no trailing zeros.
  writeText: (value, { kind, transformed }) => {
    if (kind === 'float') return postgresNumberText(value);

    return kind === 'decimal' && transformed ? postgresNumberText(`${value}::float8`) : `${value}::text`;
  },
  typed: (placeholder) => placeholder,
  // GeoJSON, as bodies carry it.
  stored: (placeholder, { type, srid }) => {
    if (!SPATIAL.has(type)) return placeholder;
    const geometry = `ST_GeomFromGeoJSON(${placeholder})`;

    return `${srid === undefined ? geometry : `ST_SetSRID(${geometry}, ${srid})`}::${type}`;
  },
  selected: (value, { type }) => (SPATIAL.has(type) ? `ST_AsGeoJSON(${value})::json` : value),
  distinctText: (value) => `CAST(${value} AS text)`,
  jsonText: (value) =>
    `CASE jsonb_typeof(${at(value, false)}) WHEN 'object' THEN NULL WHEN 'array' THEN NULL ` +
    `WHEN 'number' THEN ${documentNumberText(value)} ELSE ${at(value, true)} END`,
  jsonNumber: (value) => whenType(value, 'number', 'numeric'),
  jsonBoolean: (value) => whenType(value, 'boolean', 'boolean'),
  jsonBooleanValue: (value) => value,
  jsonPresence: (value) => `(${at(value, true)})`,
  listHas: (list, item) => `${item}::text = ANY(string_to_array(${list}, ','))`,
  // The joined side of an outer join cannot be locked.
  shareLock: (table) => ` FOR SHARE OF ${table}`,
  page: (limit, offset) =>
    `${limit === undefined ? '' : ` LIMIT ${limit}`}${offset === undefined ? '' : ` OFFSET ${offset}`}`,
  differs: (column, compared) => findDifference(column)(compared, column),
  forms: FORMS,
  aggregates: AGGREGATES,
  totals: TOTALS,
  sortValues: SORT_VALUES,
};
