import {
  type Catalog,
  type CatalogColumn,
  type CatalogReference,
  type CatalogRelation,
  type ColumnSource,
  getOrInsert,
  type RelationKind,
} from '@nestwright/crud/adapter';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { formOf } from './column-form.js';
import { elementKindOf, kindOf, rangeOf } from './column-kind.js';
import { recordClassesOf } from './record-classes.js';

const catalogs = new WeakMap<EntityMetadata, Catalog>();
const columns = new WeakMap<ColumnMetadata, CatalogColumn>();
const entityMetadata = new WeakMap<Catalog, EntityMetadata>();
const columnMetadata = new WeakMap<CatalogColumn, ColumnMetadata>();
const relationMetadata = new WeakMap<CatalogRelation, RelationMetadata>();

/** The catalog of an entity, made at the first call and kept as long as its metadata lives. */
export function catalogOf(metadata: EntityMetadata): Catalog {
  return getOrInsert(catalogs, metadata, () => {
    const catalog = buildCatalog(metadata);
    entityMetadata.set(catalog, metadata);

    return catalog;
  });
}

export function entityMetadataOf(catalog: Catalog): EntityMetadata {
  return known(entityMetadata, catalog);
}

export function metadataOf(column: CatalogColumn): ColumnMetadata {
  return known(columnMetadata, column);
}

export function relationMetadataOf(relation: CatalogRelation): RelationMetadata {
  return known(relationMetadata, relation);
}

/** The catalog's column for TypeORM's; foreign keys without a property of their own have one too. */
export function columnOf(column: ColumnMetadata): CatalogColumn {
  return getOrInsert(columns, column, () => {
    const built = buildColumn(column);
    columnMetadata.set(built, column);

    return built;
  });
}

function known<K extends object, V>(table: WeakMap<K, V>, key: K): V {
  const value = table.get(key);
  if (!value) throw new Error('This catalog was not made by the TypeORM adapter');

  return value;
}

function buildCatalog(metadata: EntityMetadata): Catalog {
  const named = metadata.columns.filter((column) => !column.isVirtual);

  return Object.freeze({
    model: metadata.name,
    target: metadata.target,
    recordClasses: recordClassesOf(metadata),
    columns: new Map(named.map((column) => [column.propertyPath, columnOf(column)])),
    relations: new Map(metadata.relations.map((relation) => [relation.propertyPath, buildRelation(relation)])),
    primary: Object.freeze(metadata.primaryColumns.map(columnOf)),
    ...(metadata.deleteDateColumn && { deleteDate: columnOf(metadata.deleteDateColumn) }),
    ...(metadata.versionColumn && { version: columnOf(metadata.versionColumn) }),
  });
}

const ZONED: ReadonlySet<unknown> = new Set(['timetz', 'time with time zone']);

function buildColumn(column: ColumnMetadata): CatalogColumn {
  const dialect = dialectOf(column.entityMetadata.connection);
  const kind = kindOf(column);
  const element = elementKindOf(column);
  const length = Number(column.length || dialect.defaultLength(column));
  const range = rangeOf(column, dialect.wideInteger);
  const source = sourceOf(column);
  const autoIncrement =
    column.generationStrategy === 'increment' ||
    column.generationStrategy === 'rowid' ||
    (column.isGenerated && column.generatedIdentity !== undefined);

  return Object.freeze({
    path: column.propertyPath,
    kind,
    ...(kind === 'array' && { elementKind: listKindOf(column, element) }),
    ...(element === 'json' && { depth: dialect.jsonDepth(column.entityMetadata.connection) }),
    ...(element === 'binary' && { form: formOf(column, dialect) }),
    source,
    nullable: column.isNullable,
    hasDefault:
      column.isGenerated || (column.default !== undefined && column.default !== null) || STORED_BY_TYPEORM.has(source),
    primary: column.isPrimary,
    autoIncrement,
    generated: column.isGenerated,
    selectable: column.isSelect,
    insertable: column.isInsert,
    updatable: column.isUpdate,
    transformed: column.transformer !== undefined,
    ...(column.transformer && {
      toStored: (value: unknown): unknown =>
        column.entityMetadata.connection.driver.preparePersistentValue(value, column),
    }),
    ...(column.enum && { members: Object.freeze([...column.enum]) }),
    ...(element === 'text' && kind === 'text' && length > 0 && { length }),
    ...(range && (kind === 'integer' || kind === 'bigint') && { range }),
    ...(element === 'time' && ZONED.has(column.type) && { zoned: true }),
    ...(kind === 'decimal' && typeof column.precision === 'number' && { precision: column.precision }),
    ...(kind === 'decimal' && typeof column.scale === 'number' && { scale: column.scale }),
  });
}

const STORED_BY_TYPEORM: ReadonlySet<ColumnSource> = new Set<ColumnSource>([
  'createDate',
  'updateDate',
  'version',
  'discriminator',
  'generated',
  'virtual',
]);

function listKindOf(column: ColumnMetadata, element: CatalogColumn['kind']): CatalogColumn['kind'] {
  if (column.isArray) return element;

  return column.enum ? 'enum' : 'text';
}

function sourceOf(column: ColumnMetadata): ColumnSource {
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

function buildRelation(relation: RelationMetadata): CatalogRelation {
  const kind = relationKindOf(relation);
  const owning = kind === 'many-to-one' || kind === 'one-to-one';
  const built: CatalogRelation = {
    path: relation.propertyPath,
    kind,
    toMany: kind === 'one-to-many' || kind === 'many-to-many',
    get target() {
      return catalogOf(relation.inverseEntityMetadata);
    },
    references: Object.freeze(owning ? relation.joinColumns.flatMap(referenceOf) : []),
    nullable: relation.isNullable,
    cascadeInsert: relation.isCascadeInsert,
    cascadeUpdate: relation.isCascadeUpdate,
    ...(relation.inverseRelation && { inverse: relation.inverseRelation.propertyPath }),
  };

  relationMetadata.set(built, relation);

  return Object.freeze(built);
}

function referenceOf(column: ColumnMetadata): CatalogReference[] {
  return column.referencedColumn ? [{ column: columnOf(column), references: columnOf(column.referencedColumn) }] : [];
}

function relationKindOf(relation: RelationMetadata): RelationKind {
  return (
    (relation.isManyToOne && 'many-to-one') ||
    (relation.isOneToOneOwner && 'one-to-one') ||
    (relation.isOneToOne && 'one-to-one-inverse') ||
    (relation.isOneToMany && 'one-to-many') ||
    'many-to-many'
  );
}
