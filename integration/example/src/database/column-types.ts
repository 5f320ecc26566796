/** Gives columns the types of their database, before its tables are made. */
import { type DataSource, type EntityMetadata, getMetadataArgsStorage, type ValueTransformer } from 'typeorm';

// The entities name portable types only, because their decorators run before any database is chosen and one process may open several. What has no
// portable name is said here, a row per database: instants that no time zone of a process, server or session can shift.
const INSTANTS = {
  sqljs: { type: 'datetime', now: () => `strftime('%Y-%m-%d %H:%M:%f', 'now')` },
  postgres: { type: 'timestamptz', now: () => 'now()' },
  mysql: { type: 'datetime', now: (precision: number) => `CURRENT_TIMESTAMP(${precision})` },
  mariadb: { type: 'datetime', now: (precision: number) => `CURRENT_TIMESTAMP(${precision})` },
} as const;

const MILLISECONDS = 3;

/** Default of a column that holds the time of its insertion; {@link adaptColumnTypes} puts the database's own expression in its place. */
export const now = (): string => 'CURRENT_TIMESTAMP';

/** Decimals arrive as text from servers, and are numbers here: twelve digits are exact in a double. */
export const decimal: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | number | null | undefined) => (value === null || value === undefined ? value : Number(value)),
};

/** Big integers are text on every database: SQLite's driver gives numbers. */
export const bigint: ValueTransformer = {
  to: (value: unknown) => value,
  from: (value: string | number | null | undefined) => (value === null || value === undefined ? value : String(value)),
};

/** Decimals as text at their scale, which keeps every digit that the database keeps. */
export const decimalText = (scale: number): ValueTransformer => ({
  to: (value: unknown) => value,
  // SQLite keeps decimals as numbers, which are exact to fifteen digits.
  from: (value: string | number | null | undefined) => (typeof value === 'number' ? value.toFixed(scale) : value),
});

/** The decimals of a second that an entity asks for; what stands in the metadata may be a default of TypeORM's. */
function secondsOf({ target, propertyName }: EntityMetadata['columns'][number]): number {
  const said = getMetadataArgsStorage().columns.find(
    (column) => column.target === target && column.propertyName === propertyName,
  );

  return said?.options.precision ?? MILLISECONDS;
}

/**
 * Adapts the metadata of one data source; others in the same process are not touched.
 *
 * @example
 * await dataSource.initialize();
 * adaptColumnTypes(dataSource);
 * await dataSource.synchronize();
 */
export function adaptColumnTypes(dataSource: DataSource): void {
  const { driver, options } = dataSource;
  const database = options.type as keyof typeof INSTANTS;
  const instants = INSTANTS[database];

  for (const column of dataSource.entityMetadatas.flatMap((entity) => entity.columns)) {
    if (column.type === Date || column.isCreateDate || column.isUpdateDate || column.isDeleteDate) {
      const precision = secondsOf(column);

      column.type = instants.type;
      column.precision = precision;
      // TypeORM itself advances update dates; only MySQL would do it a second time.
      column.onUpdate = undefined;
      if (column.default !== undefined && column.default !== null) column.default = () => instants.now(precision);
    }
  }

  if (database === 'sqljs') {
    // SQLite counts a key only where the column is declared "integer", which holds 64 bits there. The declaration alone differs: for everyone who
    // reads the metadata the key stays a bigint.
    const declare = driver.normalizeType.bind(driver);

    driver.normalizeType = (column) =>
      column.type === 'bigint' && 'isGenerated' in column && column.isGenerated ? 'integer' : declare(column);
  }
}
