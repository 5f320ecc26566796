import type { CatalogColumn, ColumnForm, ColumnSource } from '@nestwright/crud/adapter';
import type { Dialect } from '@nestwright/sql';
import { getDialect } from './dialect-of.js';
import {
  assumeLength,
  computeRange,
  decideElementKind,
  isAssumed,
  isAssumedInteger,
  isCounted,
} from './column-kind.js';
import { type ColumnMetadata, toDriver } from './column-metadata.js';
import { toDatabase } from './database.js';

const ZONED: ReadonlySet<unknown> = new Set(['timetz', 'time with time zone']);

/**
 * The catalog's column for TypeORM's, with the type that TypeORM assumes where `@Column()` names no type or length, and
 * without it.
 */
export function buildCatalogColumn(column: ColumnMetadata): CatalogColumn {
  return buildColumn(column, false, isAssumed(column) ? buildColumn(column, true) : undefined);
}

function buildColumn(column: ColumnMetadata, isDeclared: boolean, declared?: CatalogColumn): CatalogColumn {
  const dialect = getDialect(column.entityMetadata.connection);
  const assumed = isDeclared && isAssumedInteger(column);
  const element = assumed && !isCounted(column) ? 'decimal' : decideElementKind(column);
  const kind = column.isArray ? 'array' : element;
  const length = Number(column.length || (isDeclared ? 0 : assumeLength(column)));
  const range = assumed ? undefined : computeRange(column, dialect.wideInteger);
  const source = decideSource(column);

  return Object.freeze({
    path: column.propertyPath,
    kind,
    ...(kind === 'array' && { elementKind: decideListKind(column, element) }),
    ...(column.type === 'simple-array' && { separator: ',' }),
    ...(element === 'json' && { depth: dialect.jsonDepth(toDatabase(column.entityMetadata.connection).server) }),
    ...(element === 'binary' && { form: decideForm(column, dialect) }),
    source,
    nullable: column.isNullable,
    hasDefault:
      column.isGenerated || (column.default !== undefined && column.default !== null) || STORED_BY_TYPEORM.has(source),
    primary: column.isPrimary,
    autoIncrement: isAutoIncrement(column),
    generated: column.isGenerated,
    selectable: column.isSelect,
    insertable: column.isInsert,
    updatable: column.isUpdate,
    transformed: column.transformer !== undefined,
    ...(column.transformer && {
      toStored: (value: unknown): unknown => toDriver(column, value),
    }),
    ...(column.enum && { members: Object.freeze([...column.enum]) }),
    ...(kind === 'text' && length > 0 && { length }),
    ...(range && (kind === 'integer' || kind === 'bigint') && { range }),
    ...(ZONED.has(column.type) && { zoned: true }),
    ...(kind === 'decimal' && typeof column.precision === 'number' && { precision: column.precision }),
    ...(kind === 'decimal' && typeof column.scale === 'number' && { scale: column.scale }),
    ...(assumed && element === 'decimal' && { assumed: true as const }),
    ...(declared && { declared }),
  });
}

function isAutoIncrement({ generationStrategy, isGenerated, generatedIdentity }: ColumnMetadata): boolean {
  return (
    generationStrategy === 'increment' ||
    generationStrategy === 'rowid' ||
    (isGenerated && generatedIdentity !== undefined)
  );
}

const STORED_BY_TYPEORM: ReadonlySet<ColumnSource> = new Set<ColumnSource>([
  'createDate',
  'updateDate',
  'version',
  'discriminator',
  'generated',
  'virtual',
]);

function decideListKind(column: ColumnMetadata, element: CatalogColumn['kind']): CatalogColumn['kind'] {
  if (column.isArray) return element;

  return column.enum ? 'enum' : 'text';
}

function decideSource(column: ColumnMetadata): ColumnSource {
  const treeColumn =
    column.isTreeLevel || column.isNestedSetLeft || column.isNestedSetRight || column.isMaterializedPath;

  return (
    (column.isVirtualProperty && 'virtual') ||
    ((column.asExpression !== undefined || treeColumn) && 'generated') ||
    (column.isCreateDate && 'createDate') ||
    (column.isUpdateDate && 'updateDate') ||
    (column.isDeleteDate && 'deleteDate') ||
    (column.isVersion && 'version') ||
    (column.isDiscriminator && 'discriminator') ||
    'client'
  );
}

/**
 * The form of a `binary` column, or of the elements of an array; drivers send array elements correctly only if they are
 * texts, numbers or bytes.
 */
function decideForm({ type, isArray }: ColumnMetadata, { forms }: Dialect): ColumnForm {
  const form = forms.get(type) ?? 'plain';

  return isArray && form !== 'bytes' ? 'plain' : form;
}
