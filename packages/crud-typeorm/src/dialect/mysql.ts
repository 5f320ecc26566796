/**
 * The row of MySQL and MariaDB: comparison ignores case, accents and trailing blanks unless the bytes are compared, and
 * long numbers in quotes would be read as doubles.
 */
import type { DataSource, EntityMetadata, QueryRunner } from 'typeorm';
import { type Dialect, isSimple, type JsonValue, jsonPath, likePattern, pageSql } from './dialect.js';
import { mysqlNumberText } from './number-text.js';

/** The largest possible LIMIT, which OFFSET requires. */
const ALL_ROWS = '18446744073709551615';
/** In seconds. */
const DAY = 86_400;
const TYPED: ReadonlyMap<string, string> = new Map([
  ['bigint', 'DECIMAL(65)'],
  ['decimal', 'DECIMAL(65, 30)'],
]);

/** Members of TypeORM's runner that its public interface does not have. */
type MysqlRunner = QueryRunner & { readonly databaseConnection?: { destroy(): void } };

export const SPATIAL_TYPES = [
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

/** A function's name, as TypeORM's own statements spell it. */
function spatial({ connection: { driver } }: EntityMetadata, name: string): string {
  return (driver.options as { legacySpatialSupport?: boolean }).legacySpatialSupport ? name : `ST_${name}`;
}

function extracted({ column, keys, constant }: JsonValue): string {
  return `JSON_EXTRACT(${column}, ${constant(jsonPath(keys))})`;
}

const JSON_NUMBERS = `'INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL'`;

function castNumber(value: JsonValue): string {
  return `(JSON_UNQUOTE(${extracted(value)}) + 0e0)`;
}

/** The data source's type may be `mysql` for MariaDB, too; versions of MySQL have a one-digit major number. */
function isMariaDb({ options, driver: { version = '' } }: DataSource): boolean {
  return options.type === 'mariadb' || /^\d\d|mariadb/i.test(version);
}

/**
 * The bytes of a text. Not a binary collation: MariaDB's is padded with blanks, MySQL's unpadded one has another name.
 */
function bytes(text: string): string {
  return `CAST(CONVERT(${text} USING utf8mb4) AS BINARY)`;
}

export const MYSQL: Dialect = {
  name: 'mysql',
  sharedConnection: false,
  wideInteger: false,
  listParameter: false,
  listLimit: 8192,
  // The driver puts the values into the text itself.
  parameterLimit: Number.POSITIVE_INFINITY,
  // MariaDB returns inserted rows; MySQL none.
  closeConnection: async (runner) => (runner as MysqlRunner).databaseConnection?.destroy(),
  canceller: async (runner) => {
    const { threadId } = ((await runner.connect()) ?? {}) as { readonly threadId?: unknown };
    const { connection } = runner;
    // The connection may go to another server, where the id may be in use, too.
    const isKnown = Number.isInteger(threadId) && !connection.driver.isReplicated;

    return async () => {
      if (isKnown) await connection.query(`KILL QUERY ${String(threadId)}`);
    };
  },
  replaceTimeLimits: async (runner, limit) => {
    const time = isMariaDb(runner.connection) ? 'max_statement_time' : 'max_execution_time';
    const perSecond = time === 'max_statement_time' ? 1 : 1000;
    const seconds = Number.isFinite(limit) ? Math.ceil(limit / 1000) + 1 : undefined;
    await runner.query(
      `SET @nestwright_write = @@net_write_timeout, @nestwright_time = @@${time}, ` +
        `SESSION net_write_timeout = ${seconds ?? DAY}, SESSION ${time} = ${(seconds ?? 0) * perSecond}`,
    );

    return async () => {
      await runner.query(`SET SESSION net_write_timeout = @nestwright_write, SESSION ${time} = @nestwright_time`);
    };
  },
  returns: ({ driver }) => ({ insert: driver.isReturningSqlSupported('insert'), update: false }),
  namesAutoIncrement: true,
  namesGenerated: true,
  hasDefaultKeyword: true,
  now: ({ precision }) => (precision ? `CURRENT_TIMESTAMP(${precision})` : undefined),
  bound: (value) => value,
  // JSON has no functions: a function is SQL of the application.
  binds: (value) => isSimple(value) || typeof (value as { toSqlString?: unknown }).toSqlString === 'function',
  textMoments: false,
  looseText: true,
  defaultLength: ({ type }) => (type === String || type === 'varchar' ? 255 : 0),
  jsonDepth: (dataSource) => (isMariaDb(dataSource) ? 31 : 100),
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
  stored: (placeholder, { type, srid, entityMetadata }) =>
    SPATIAL.has(type)
      ? `${spatial(entityMetadata, 'GeomFromText')}(${placeholder}${(srid ?? null) === null ? '' : `, ${srid}`})`
      : placeholder,
  selected: (value, { type, entityMetadata }) => {
    // As text, or some versions of the driver would parse it before TypeORM does, and of "12" would be made 12.
    if (type === 'json') return `CAST(${value} AS CHAR)`;

    // Well-known text, as bodies carry it; the driver makes objects of its own of a shape.
    return SPATIAL.has(type) ? `${spatial(entityMetadata, 'AsText')}(${value})` : value;
  },
  distinctText: (value, column) => {
    const type = column.entityMetadata.connection.driver.normalizeType(column);
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
};
