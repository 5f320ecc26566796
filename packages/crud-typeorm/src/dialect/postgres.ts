/** PostgreSQL's row: comparison is exact, lists are array parameters, JSON in text columns is cast. */
import { type Dialect, type JsonValue, likePattern } from './dialect.js';

/** The value at the end of the keys, as `jsonb` or as text. Keys name properties only, never places of an array, as on the other databases. */
function at({ column, metadata, keys, constant }: JsonValue, asText: boolean): string {
  const document = metadata.type === 'jsonb' ? column : `${column}::jsonb`;
  const last = keys.length - 1;

  return keys.reduce(
    (sql, key, index) => `${sql} ${asText && index === last ? '->>' : '->'} ${constant(key)}::text`,
    document,
  );
}

function whenType(value: JsonValue, type: string, cast: string): string {
  return `CASE WHEN jsonb_typeof(${at(value, false)}) = '${type}' THEN (${at(value, true)})::${cast} END`;
}

/** A floating-point number as JSON prints it: PostgreSQL would turn to exponents earlier, and pads them. */
function numberText(value: string): string {
  const text = `${value}::text`;
  const exponential = `abs(${value}) >= 1e21 OR (abs(${value}) < 1e-6 AND ${value} <> 0)`;

  return `CASE WHEN ${exponential} THEN regexp_replace(${text}, 'e([+-])0', 'e\\1') ELSE ${text}::numeric::text END`;
}

export const POSTGRES: Dialect = {
  name: 'postgres',
  sharedConnection: false,
  wideInteger: false,
  listParameter: true,
  listLimit: Number.POSITIVE_INFINITY,
  namedStatements: true,
  parameterLimit: 65_535,
  returns: () => ({ insert: true, update: true }),
  namesCounted: false,
  bound: (value) => value,
  textMoments: false,
  looseText: false,
  defaultLength: () => 0,
  exact: (text, metadata) => (metadata?.type === 'citext' ? `${text}::text` : text),
  like: (text, pattern) => `${text} LIKE ${pattern} ESCAPE '!'`,
  concat: (left, right) => `${left} || ${right}`,
  pattern: likePattern,
  // Where a transformer makes numbers of decimals, their text has no trailing zeros.
  textOf: (value, { kind, transformed }) => {
    if (kind === 'float') return numberText(value);

    return kind === 'decimal' && transformed ? numberText(`${value}::float8`) : `${value}::text`;
  },
  typed: (placeholder) => placeholder,
  selected: (value) => value,
  jsonText: (value) =>
    `CASE WHEN jsonb_typeof(${at(value, false)}) NOT IN ('object', 'array') THEN ${at(value, true)} END`,
  jsonNumber: (value) => whenType(value, 'number', 'numeric'),
  jsonBoolean: (value) => whenType(value, 'boolean', 'boolean'),
  jsonBooleanValue: (value) => value,
  jsonPresence: (value) => `(${at(value, true)})`,
  listHas: (list, item) => `${item}::text = ANY(string_to_array(${list}, ','))`,
  page: (limit, offset) =>
    `${limit === undefined ? '' : ` LIMIT ${limit}`}${offset === undefined ? '' : ` OFFSET ${offset}`}`,
};
