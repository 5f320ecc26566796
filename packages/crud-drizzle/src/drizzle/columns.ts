/** Drizzle's columns as columns of SQL. */
import { type CatalogColumn, type ColumnSource, describeColumn } from '@nestwright/crud/adapter';
import { type Column, type Dialect, linkColumn, type Table } from '@nestwright/sql';
import { Column as DrizzleColumn, is } from 'drizzle-orm';
import { PgArray } from 'drizzle-orm/pg-core';
import { baseType, elementKind, isEnumType, rangeOf, typeName } from './column-kind.js';
import type { Place } from './embedded.js';
import type { ColumnDescription } from './table-options.js';

/** Members of Drizzle's columns that only some classes have. */
interface Details {
  readonly length?: number;
  readonly precision?: number | string;
  readonly scale?: number;
  /** MySQL's precision of moments. */
  readonly fsp?: number;
  /** SQLite's unit of moments. */
  readonly mode?: string;
  readonly autoIncrement?: boolean;
  readonly uniqueName?: string;
}

/** What Drizzle's metadata do not say of a column. */
export interface ColumnUse {
  /** Where its values are in records. */
  readonly place: Place;
  /** What is known of it besides its type. */
  readonly described: ColumnDescription;
  /** Its name in the database. */
  readonly name: string;
  /** Who fills it. */
  readonly source: ColumnSource;
  /** Whether it is part of the primary key. */
  readonly isPrimary: boolean;
  /** SQL of its default. */
  readonly defaultSql: string | undefined;
  /** Whether it is the only column of the primary key. */
  readonly isSoleKey: boolean;
}

/** A column of a table. */
export function makeColumn(drizzle: DrizzleColumn, use: ColumnUse, table: () => Table, dialect: Dialect): Column {
  const list = is(drizzle, PgArray) ? drizzle : undefined;
  const element = list ? (list.baseColumn as DrizzleColumn) : drizzle;
  const { scale } = element as Details;
  const catalogColumn = describe(drizzle, element, use, dialect);
  const column: Column = {
    get table() {
      return table();
    },
    get server() {
      return table().database.server;
    },
    get relation() {
      return table().relations.find(({ joinColumns }) => joinColumns.includes(column));
    },
    get referencedColumn() {
      // They say to which columns their foreign keys refer.
      void table().relations;

      return referenced.get(column);
    },
    catalogColumn,
    ...use.place,
    databaseName: use.name,
    target: 'drizzle',
    type: typeName(element, dialect.name),
    fullType: drizzle.getSQLType(),
    isArray: list !== undefined,
    members: element.enumValues,
    precision: precisionOf(element),
    scale,
    isUnsigned: / unsigned/.test(element.getSQLType()),
    isAssumed: false,
    isUtc: false,
    collation: undefined,
    srid: undefined,
    defaultSql: use.defaultSql,
    makeDefault: defaultMaker(drizzle),
    isComputed: drizzle.generated !== undefined,
    isPrimary: use.isPrimary,
    generation: catalogColumn.autoIncrement ? 'counter' : undefined,
    isInsert: catalogColumn.insertable,
    isUpdate: catalogColumn.updatable,
    isSelect: true,
    isVersion: use.source === 'version',
    isUpdateDate: use.source === 'updateDate',
    isDiscriminator: false,
    isVirtual: false,
    // The server's text of 64 bits is not that of a number.
    isTransformed: catalogColumn.transformed || (drizzle.dataType === 'number' && baseType(drizzle) === 'bigint'),
    query: undefined,
    encode: (value) => encode(drizzle, catalogColumn, value),
    decode: decoder(drizzle, catalogColumn, () => table().database.server.isMariaDb),
  };
  linkColumn(catalogColumn, column);

  return column;
}

/** As Drizzle does: without a default, what an update sets is set by an insert, too. */
function defaultMaker({ defaultFn, onUpdateFn, default: value }: DrizzleColumn): (() => unknown) | undefined {
  return defaultFn ?? (value === undefined ? onUpdateFn : undefined);
}

const referenced = new WeakMap<Column, Column>();

/** Says to which columns those of a foreign key refer, in the order of its own. */
export function linkReferences(columns: readonly Column[], others: readonly Column[]): void {
  columns.forEach((column, at) => referenced.set(column, others[at]!));
}

function describe(drizzle: DrizzleColumn, element: DrizzleColumn, use: ColumnUse, dialect: Dialect): CatalogColumn {
  const { length, precision, scale } = element as Details;
  const kind = use.described.kind ?? (element === drizzle ? elementKind(drizzle) : 'array');
  const isCounted = isAutoIncrement(drizzle, use, dialect);
  const range = kind === 'integer' || kind === 'bigint' ? rangeOf(drizzle, kind, dialect) : undefined;
  const isGenerated = drizzle.generated !== undefined;

  return describeColumn(use.place.propertyPath, kind, {
    source: isGenerated ? 'generated' : use.source,
    nullable: !drizzle.notNull && !use.isPrimary,
    hasDefault: drizzle.hasDefault || isCounted || isGenerated || use.source !== 'client',
    primary: use.isPrimary,
    autoIncrement: isCounted,
    generated: isCounted || (use.isPrimary && drizzle.hasDefault),
    insertable: !isGenerated && drizzle.generatedIdentity?.type !== 'always',
    updatable: !isGenerated && drizzle.generatedIdentity?.type !== 'always',
    transformed: isTransformed(drizzle) && use.described.kind === undefined,
    ...(kind === 'array' && { elementKind: use.described.separator === undefined ? elementKind(element) : 'text' }),
    ...(element.enumValues?.length && { members: element.enumValues }),
    ...(kind === 'text' && length !== undefined && { length }),
    ...(range && { range }),
    ...(kind === 'decimal' && precision !== undefined && { precision: Number(precision) }),
    ...(kind === 'decimal' && scale !== undefined && { scale }),
    ...(baseType(element) === 'time with time zone' && { zoned: true }),
    ...use.described,
  });
}

function isAutoIncrement(drizzle: DrizzleColumn, { isSoleKey }: ColumnUse, dialect: Dialect): boolean {
  const isRowId = dialect.name === 'sqlite' && isSoleKey && baseType(drizzle) === 'integer';

  return (
    isRowId ||
    /serial/i.test(drizzle.getSQLType()) ||
    drizzle.generatedIdentity !== undefined ||
    (drizzle as Details).autoIncrement === true
  );
}

/** Digits of a number, or of the fraction of a second. */
function precisionOf(column: DrizzleColumn): number | undefined {
  const { precision, fsp, mode } = column as Details;
  const digits = precision ?? fsp ?? (mode === 'timestamp_ms' ? MILLISECONDS : undefined);

  return digits === undefined ? undefined : Number(digits);
}

const MILLISECONDS = 3;

/** Whether stored and property values differ by more than the driver does: custom types, numbers made of decimals. */
function isTransformed({ dataType, columnType }: DrizzleColumn): boolean {
  return dataType === 'custom' || /^(?:Pg|MySql|SQLite)(?:Numeric|Decimal)(?:Number|BigInt)$/.test(columnType);
}

/** What is stored for the value of a property. */
function encode(drizzle: DrizzleColumn, { kind }: CatalogColumn, value: unknown): unknown {
  if (value === null || value === undefined || typeof value === 'function') return value;
  if (kind === 'date') return value instanceof Date ? value.toISOString().slice(0, 10) : value;

  switch (drizzle.dataType) {
    case 'date':
      return drizzle.mapToDriverValue(value instanceof Date ? value : new Date(String(value)));
    case 'bigint':
      return String(value);
    case 'boolean':
    case 'json':
    case 'custom':
    case 'buffer':
      return drizzle.mapToDriverValue(value);
    default:
      return isTransformed(drizzle) ? drizzle.mapToDriverValue(value) : withoutZone(drizzle, kind, value);
  }
}

/** MySQL takes no moment with a `T` and an offset. */
function withoutZone({ columnType }: DrizzleColumn, kind: CatalogColumn['kind'], value: unknown): unknown {
  const text = value instanceof Date ? value.toISOString() : value;

  return kind === 'datetime' && columnType.startsWith('MySql') && typeof text === 'string'
    ? text.replace('T', ' ').replace(/Z$/, '')
    : text;
}

/** Converts a driver's value to the property's; undefined if they are the same. */
function decoder(drizzle: DrizzleColumn, { kind }: CatalogColumn, isMariaDb: () => boolean): Column['decode'] {
  const { dataType } = drizzle;
  // 64 bits are text in JSON.
  if (kind === 'bigint' || dataType === 'bigint') return given((value) => String(value));
  // A day is a text, which no time zone shifts.
  if (kind === 'date') return given((value) => (value instanceof Date ? value.toISOString().slice(0, 10) : value));
  if (dataType === 'date') return given((value) => (value instanceof Date ? value : drizzle.mapFromDriverValue(value)));
  if (dataType === 'json') return documentDecoder(drizzle, isMariaDb);
  if (dataType === 'string' && elementKind(drizzle) === 'datetime') return given(momentText);
  if (dataType === 'number' && baseType(drizzle) !== 'integer') return given(Number);
  if (isEnumType(drizzle) || drizzle.mapFromDriverValue === DrizzleColumn.prototype.mapFromDriverValue)
    return undefined;

  return given((value) => drizzle.mapFromDriverValue(value));
}

function given(convert: (value: unknown) => unknown): (value: unknown) => unknown {
  return (value) => (value === null || value === undefined ? value : convert(value));
}

/** A moment with an offset as ISO 8601 in UTC; one without stays as it is. */
function momentText(value: unknown): unknown {
  if (value instanceof Date) return value.toISOString();

  return /[+-]\d\d(?::?\d\d)?$/.test(String(value)) ? new Date(String(value)).toISOString() : value;
}

/** PostgreSQL's and MySQL's drivers parse documents. MariaDB stores them as texts, and so does SQLite. */
function documentDecoder(drizzle: DrizzleColumn, isMariaDb: () => boolean): Column['decode'] {
  if (drizzle.columnType.startsWith('Pg')) return undefined;
  if (!drizzle.columnType.startsWith('MySql')) return given((value) => drizzle.mapFromDriverValue(value));

  return given((value) => (typeof value === 'string' && isMariaDb() ? (JSON.parse(value) as unknown) : value));
}
