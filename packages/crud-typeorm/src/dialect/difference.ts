/**
 * SQL conditions that a write would change a column. They compare stored forms, so that a collation or a type's own
 * equality does not treat different values as equal.
 */
import type { ColumnMetadata } from '../column-metadata.js';
import type { Dialect } from './dialect.js';
import { getDialect } from './dialect-of.js';
import { MYSQL, SPATIAL_TYPES } from './mysql.js';

/** SQL of a column and of a value, which is used once. */
interface Compared {
  readonly name: string;
  readonly value: string;
}

type Difference = (compared: Compared, column: ColumnMetadata) => string | undefined;

/**
 * The condition that writing the value would change the column; undefined if the database cannot tell, so that the
 * value is written.
 *
 * @example
 * writeDifference(emailColumn, { name: '"email"', value: '$1' }); // '"email" IS DISTINCT FROM $1'
 */
export function writeDifference(column: ColumnMetadata, compared: Compared): string | undefined {
  const { connection } = column.entityMetadata;

  return TYPES[getDialect(connection).name](column)(compared, column);
}

const unknown: Difference = () => undefined;

/** The type as the schema names it, with length, precision and scale. */
function fullType(column: ColumnMetadata): string {
  const { driver } = column.entityMetadata.connection;

  return driver.createFullType({ ...column, type: driver.normalizeType(column) } as never);
}

function hasPrecision({ precision }: ColumnMetadata): boolean {
  return precision !== undefined && precision !== null;
}

const postgres: Difference = ({ name, value }, { collation }) =>
  `${name}${collation ? ' COLLATE "C"' : ''} IS DISTINCT FROM ${value}`;

/** Rounds the value as the column does. */
const postgresRounded: Difference = ({ name, value }, column) =>
  `${name} IS DISTINCT FROM CAST(${value} AS ${fullType(column)})`;

/** For types without equality, or whose equality ignores differences of the text. */
const postgresText: Difference = ({ name, value }, column) =>
  `CAST(${name} AS text) IS DISTINCT FROM CAST(CAST(${value} AS ${fullType(column)}) AS text)`;

const POSTGRES_TYPES: ReadonlyMap<string, Difference> = new Map([
  ...['json', 'jsonpath', 'xml', 'citext', 'interval', 'point', 'line', 'lseg', 'box', 'path', 'polygon', 'circle'].map(
    (type) => [type, postgresText] as const,
  ),
  ...['geometry', 'geography'].map((type) => [type, unknown] as const),
]);

const POSTGRES_ROUNDED = /^(?:timestamp|time)(?:tz| with(?:out)? time zone)?$/;

function ofPostgres(column: ColumnMetadata): Difference {
  const type = column.entityMetadata.connection.driver.normalizeType(column);

  // A number without a scale keeps the zeros at its end.
  if (type === 'numeric' || type === 'decimal') return hasPrecision(column) ? postgresRounded : postgresText;
  if (POSTGRES_ROUNDED.test(type)) return hasPrecision(column) ? postgresRounded : postgres;

  return POSTGRES_TYPES.get(type) ?? postgres;
}

const mysql: Difference = ({ name, value }) => `NOT (${name} <=> ${value})`;
const mysqlText: Difference = ({ name, value }) => `NOT (${MYSQL.exact(name)} <=> ${MYSQL.exact(value)})`;

const mysqlCast =
  (type: (column: ColumnMetadata) => string): Difference =>
  ({ name, value }, column) =>
    `NOT (${name} <=> CAST(${value} AS ${type(column)}))`;

/** A column whose type was only assumed may be a decimal in the table. */
const mysqlInteger = mysqlCast(({ type, unsigned }) =>
  type === Number ? 'DECIMAL(65, 30)' : unsigned ? 'UNSIGNED' : 'SIGNED',
);
const mysqlDecimal = mysqlCast(({ precision, scale }) => `DECIMAL(${precision ?? 10}, ${scale ?? 0})`);
const precise =
  (type: string) =>
  ({ precision }: ColumnMetadata) =>
    precision ? `${type}(${precision})` : type;
const mysqlMoment = mysqlCast(precise('DATETIME'));

/** Trailing blanks of a fixed length are the column's, not the value's. */
const mysqlPadded: Difference = ({ name, value }, column) =>
  mysqlText({ name, value: `TRIM(TRAILING ' ' FROM ${value})` }, column);

/** MySQL normalizes stored documents. */
const mysqlJson: Difference = ({ name, value }, column) =>
  mysqlText({ name: `JSON_EXTRACT(${name}, '$')`, value: `JSON_EXTRACT(${value}, '$')` }, column);

const MYSQL_TYPES: ReadonlyMap<string, Difference> = new Map([
  ...['tinyint', 'smallint', 'mediumint', 'int', 'integer', 'bigint', 'bool', 'boolean'].map(
    (type) => [type, mysqlInteger] as const,
  ),
  ...['decimal', 'dec', 'numeric', 'fixed'].map((type) => [type, mysqlDecimal] as const),
  ['float', mysqlCast(() => 'FLOAT')],
  ['date', mysqlCast(() => 'DATE')],
  ['time', mysqlCast(precise('TIME'))],
  ['datetime', mysqlMoment],
  ['timestamp', mysqlMoment],
  ...['varchar', 'nvarchar', 'national varchar', 'text', 'tinytext', 'mediumtext', 'longtext', 'enum', 'set'].map(
    (type) => [type, mysqlText] as const,
  ),
  ...['char', 'nchar', 'national char'].map((type) => [type, mysqlPadded] as const),
  ['json', mysqlJson],
  ...[...SPATIAL_TYPES, 'vector'].map((type) => [type, unknown] as const),
]);

const sqlite: Difference = ({ name, value }, { collation, type }) =>
  `${name}${collation ? ' COLLATE BINARY' : ''} IS NOT ${type === 'jsonb' ? `jsonb(${value})` : value}`;

const TYPES: Record<Dialect['name'], (column: ColumnMetadata) => Difference> = {
  postgres: ofPostgres,
  mysql: (column) => MYSQL_TYPES.get(column.entityMetadata.connection.driver.normalizeType(column)) ?? mysql,
  sqlite: () => sqlite,
};
