import type { CatalogColumn } from '@nestwright/crud/adapter';
import type { DateUnit } from '@nestwright/crud-request';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Dialect } from './dialect.js';
import { getDialect } from './dialect-of.js';
import { MYSQL as MYSQL_DIALECT } from './mysql.js';

export interface Aggregates {
  /** A group key: equal exactly for equal values of a column; for most columns the value itself. */
  key(value: string, column: CatalogColumn, metadata: ColumnMetadata): string;
  /** The name of the part of the calendar that a moment or date lies in. */
  period(moment: string, unit: DateUnit, column: CatalogColumn): string;
  /** A text of digits, as it is ordered and compared. */
  digits(text: string): string;
  /** A number as a double. */
  double(number: string): string;
  /** A double, selected as text with all its digits. */
  selectedDouble(number: string): string;
  /** The placeholder of a double. */
  placedDouble(placeholder: string): string;
  /** Why the moments of a column cannot be converted to UTC, and how to fix it; undefined if they can. */
  unknownZone(metadata: ColumnMetadata): string | undefined;
}

type Periods = Readonly<Record<DateUnit, (moment: string) => string>>;

const POSTGRES_PERIODS: Periods = {
  day: (moment) => `to_char(${moment}, 'YYYY-MM-DD')`,
  week: (moment) => `to_char(date_trunc('week', ${moment}), 'YYYY-MM-DD')`,
  month: (moment) => `to_char(${moment}, 'YYYY-MM')`,
  quarter: (moment) => `to_char(${moment}, 'YYYY-"Q"Q')`,
  year: (moment) => `to_char(${moment}, 'YYYY')`,
};

const POSTGRES: Aggregates = {
  key: (value, { kind }, { type }) => (kind === 'text' && type === 'citext' ? `${value}::text` : value),
  period: (moment, unit, { kind }) =>
    POSTGRES_PERIODS[unit](kind === 'date' ? `${moment}::timestamp` : `(${moment} AT TIME ZONE 'UTC')`),
  digits: (text) => `${text} COLLATE "C"`,
  double: (number) => `${number}::float8`,
  selectedDouble: (number) => `${number}::text`,
  placedDouble: (placeholder) => `${placeholder}::float8`,
  unknownZone: (metadata) =>
    metadata.entityMetadata.connection.driver.normalizeType(metadata).startsWith('timestamp without')
      ? 'whose values are stored without an offset, in whatever time zone the process has: give the column the ' +
        'type timestamptz'
      : undefined,
};

const MYSQL_PERIODS: Periods = {
  day: (moment) => `DATE_FORMAT(${moment}, '%Y-%m-%d')`,
  week: (moment) => `DATE_FORMAT(${moment} - INTERVAL WEEKDAY(${moment}) DAY, '%Y-%m-%d')`,
  month: (moment) => `DATE_FORMAT(${moment}, '%Y-%m')`,
  quarter: (moment) => `CONCAT(DATE_FORMAT(${moment}, '%Y-Q'), QUARTER(${moment}))`,
  year: (moment) => `DATE_FORMAT(${moment}, '%Y')`,
};

const UTC: ReadonlySet<unknown> = new Set(['Z', '+00:00']);

const MYSQL: Aggregates = {
  key: (value, { kind }) => (kind === 'text' ? MYSQL_DIALECT.exact(value) : value),
  period: (moment, unit) => MYSQL_PERIODS[unit](moment),
  digits: (text) => text,
  double: (number) => `(${number} + 0e0)`,
  selectedDouble: (number) => number,
  placedDouble: (placeholder) => `(${placeholder} + 0e0)`,
  unknownZone: ({ entityMetadata }) =>
    UTC.has((entityMetadata.connection.options as { timezone?: unknown }).timezone)
      ? undefined
      : 'whose values are stored in the time zone of the connection, which is not UTC: give the data source ' +
        "the option timezone: 'Z'",
};

const SQLITE_PERIODS: Periods = {
  day: (moment) => `strftime('%Y-%m-%d', ${moment})`,
  // The Sunday of the week, and from there back to Monday.
  week: (moment) => `date(${moment}, 'weekday 0', '-6 days')`,
  month: (moment) => `strftime('%Y-%m', ${moment})`,
  quarter: (moment) => `(strftime('%Y', ${moment}) || '-Q' || ((CAST(strftime('%m', ${moment}) AS INTEGER) + 2) / 3))`,
  year: (moment) => `strftime('%Y', ${moment})`,
};

const SQLITE: Aggregates = {
  key: (value, { kind }, { collation }) => {
    // Milliseconds that are zero may be missing.
    if (kind === 'datetime')
      return `(CASE WHEN ${value} LIKE '%.000' THEN substr(${value}, 1, length(${value}) - 4) ELSE ${value} END)`;

    return kind === 'text' && collation ? `${value} COLLATE BINARY` : value;
  },
  period: (moment, unit) => SQLITE_PERIODS[unit](moment),
  digits: (text) => text,
  double: (number) => `CAST(${number} AS REAL)`,
  selectedDouble: (number) => number,
  placedDouble: (placeholder) => placeholder,
  unknownZone: () => undefined,
};

const ROWS: Readonly<Record<Dialect['name'], Aggregates>> = { postgres: POSTGRES, mysql: MYSQL, sqlite: SQLITE };

export function getAggregates({ name }: Pick<Dialect, 'name'>): Aggregates {
  return ROWS[name];
}

/** Why the moments of a column cannot be grouped in UTC; undefined if they can. */
export function unknownZone(metadata: ColumnMetadata): string | undefined {
  return getAggregates(getDialect(metadata.entityMetadata.connection)).unknownZone(metadata);
}
