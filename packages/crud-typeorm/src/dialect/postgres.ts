/** PostgreSQL's row: comparison is exact, lists are array parameters, JSON in text columns is cast. */
import { setTimeout as delay } from 'node:timers/promises';
import type { QueryRunner } from 'typeorm';
import { type Dialect, type JsonValue, likePattern } from './dialect.js';
import { cancelRequest } from './postgres-cancel.js';
import { postgresNumberText } from './number-text.js';

/** Members of TypeORM's runner that its public interface does not have. */
type PostgresRunner = QueryRunner & {
  readonly databaseConnection?: { end(): Promise<void> };
  releasePostgresConnection?(reason: unknown): Promise<void>;
};

/** How long the closing of a connection is waited for, in milliseconds. */
const MAX_CLOSING = 100;

/**
 * The value at the end of the keys, as `jsonb` or as text. Keys name properties only, never places of an array, as on
 * the other databases.
 */
function at({ column, metadata, keys, constant }: JsonValue, asText: boolean): string {
  const document = metadata.type === 'jsonb' ? column : `${column}::jsonb`;
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

export const POSTGRES: Dialect = {
  name: 'postgres',
  sharedConnection: false,
  wideInteger: false,
  listParameter: true,
  listLimit: Number.POSITIVE_INFINITY,
  parameterLimit: 65_535,
  closeConnection: async (runner, reason) => {
    const { databaseConnection } = runner as PostgresRunner;
    // TypeORM's own `release()` does not pass the error to the pool.
    await (runner as PostgresRunner).releasePostgresConnection?.(reason);
    // Statements under way are rejected first; a server that does not answer is not waited for.
    await Promise.race([databaseConnection?.end(), delay(MAX_CLOSING, undefined, { ref: false })]);
  },
  canceller: async (runner) => cancelRequest(await runner.connect()),
  // Its limits apply to each part, which is a statement.
  replaceTimeLimits: async () => async () => undefined,
  returns: () => ({ insert: true, update: true }),
  namesAutoIncrement: false,
  namesGenerated: true,
  hasDefaultKeyword: true,
  now: () => undefined,
  bound: (value) => value,
  // The driver prints objects as JSON, and lists as arrays.
  binds: () => true,
  textMoments: false,
  looseText: false,
  defaultLength: () => 0,
  // Several thousand, by the size of the server's stack; deeper ones would be an error of every condition.
  jsonDepth: () => 1000,
  exact: (text, metadata) => (metadata?.type === 'citext' ? `${text}::text` : text),
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

    return `${(srid ?? null) === null ? geometry : `ST_SetSRID(${geometry}, ${srid})`}::${String(type)}`;
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
};
