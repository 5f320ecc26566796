import {
  type Catalog,
  type CatalogColumn,
  type CatalogReference,
  type CatalogRelation,
  type ColumnForm,
  type ColumnSource,
  getOrInsert,
  type RelationKind,
} from '@nestwright/crud/adapter';
import type { EntityMetadata, RelationMetadata } from 'typeorm';
import { type ColumnMetadata, toDriver } from '../column-metadata.js';
import type { Dialect } from '../dialect/dialect.js';
import { getDialect } from '../dialect/dialect-of.js';
import { computeRange, decideElementKind, isAssumed, isAssumedInteger, isCounted } from './column-kind.js';
import { buildRecordClasses } from './record-classes.js';

const catalogs = new WeakMap<EntityMetadata, Catalog>();
const declaredCatalogs = new WeakMap<EntityMetadata, Catalog>();
const columns = new WeakMap<ColumnMetadata, CatalogColumn>();
const entityMetadata = new WeakMap<Catalog, EntityMetadata>();
const columnMetadata = new WeakMap<CatalogColumn, ColumnMetadata>();
const relationMetadata = new WeakMap<CatalogRelation, RelationMetadata>();

/**
 * The catalog of an entity, made at the first call and kept as long as its metadata lives.
 *
 * @param beside The catalog of another entity: if that has only declared types, so has this one. Default: types that
 * TypeORM assumes are in it.
 */
export function getCatalog(metadata: EntityMetadata, beside?: Catalog): Catalog {
  return getCachedCatalog(isDeclared(beside) ? declaredCatalogs : catalogs, metadata);
}

function isDeclared(catalog: Catalog | undefined): boolean {
  return catalog !== undefined && declaredCatalogs.get(getEntityMetadata(catalog)) === catalog;
}

function getCachedCatalog(known: WeakMap<EntityMetadata, Catalog>, metadata: EntityMetadata): Catalog {
  return getOrInsert(known, metadata, () => {
    const catalog = buildCatalog(metadata, known === declaredCatalogs);
    entityMetadata.set(catalog, metadata);

    return catalog;
  });
}

export function getEntityMetadata(catalog: Catalog): EntityMetadata {
  return known(entityMetadata, catalog);
}

export function getMetadata(column: CatalogColumn): ColumnMetadata {
  return known(columnMetadata, column);
}

export function getRelationMetadata(relation: CatalogRelation): RelationMetadata {
  return known(relationMetadata, relation);
}

/**
 * The catalog's column for TypeORM's; foreign keys without a property of their own have one too. `beside` as in {@link
 * getCatalog}.
 */
export function getColumn(column: ColumnMetadata, beside?: Catalog): CatalogColumn {
  return isDeclared(beside) ? getDeclaredColumn(column) : getAssumedColumn(column);
}

function getAssumedColumn(column: ColumnMetadata): CatalogColumn {
  return getOrInsert(columns, column, () => {
    const declared = isAssumed(column) ? buildColumn(column, true) : undefined;
    const built = buildColumn(column, false, declared);
    for (const one of [built, declared]) if (one) columnMetadata.set(one, column);

    return built;
  });
}

function getDeclaredColumn(column: ColumnMetadata): CatalogColumn {
  const known = getAssumedColumn(column);

  return known.declared ?? known;
}

function known<K extends object, V>(table: WeakMap<K, V>, key: K): V {
  const value = table.get(key);
  if (!value) throw new Error('This catalog was not made by the TypeORM adapter');

  return value;
}

function buildCatalog(metadata: EntityMetadata, isDeclared: boolean): Catalog {
  const named = metadata.columns.filter((column) => !column.isVirtual);
  const toColumn = isDeclared ? getDeclaredColumn : getAssumedColumn;

  return Object.freeze({
    model: metadata.name,
    target: metadata.target,
    recordClasses: isDeclared ? getCatalog(metadata).recordClasses! : buildRecordClasses(metadata),
    columns: new Map(named.map((column) => [column.propertyPath, toColumn(column)])),
    relations: new Map(
      metadata.relations.map((relation) => [relation.propertyPath, buildRelation(relation, toColumn)]),
    ),
    primary: Object.freeze(metadata.primaryColumns.map(toColumn)),
    ...(metadata.deleteDateColumn && { deleteDate: toColumn(metadata.deleteDateColumn) }),
    ...(metadata.versionColumn && { version: toColumn(metadata.versionColumn) }),
    get declared() {
      return isDeclared ? undefined : getCachedCatalog(declaredCatalogs, metadata);
    },
  });
}

const ZONED: ReadonlySet<unknown> = new Set(['timetz', 'time with time zone']);

/** @param isDeclared Whether to leave out what TypeORM assumes where `@Column()` names no type or length. */
function buildColumn(column: ColumnMetadata, isDeclared: boolean, declared?: CatalogColumn): CatalogColumn {
  const dialect = getDialect(column.entityMetadata.connection);
  const assumed = isDeclared && isAssumedInteger(column);
  const element = assumed && !isCounted(column) ? 'decimal' : decideElementKind(column);
  const kind = column.isArray ? 'array' : element;
  const length = Number(column.length || (isDeclared ? 0 : dialect.defaultLength(column)));
  const range = assumed ? undefined : computeRange(column, dialect.wideInteger);
  const source = decideSource(column);

  return Object.freeze({
    path: column.propertyPath,
    kind,
    ...(kind === 'array' && { elementKind: decideListKind(column, element) }),
    ...(column.type === 'simple-array' && { separator: ',' }),
    ...(element === 'json' && { depth: dialect.jsonDepth(column.entityMetadata.connection) }),
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
    ...(element === 'text' && kind === 'text' && length > 0 && { length }),
    ...(range && (kind === 'integer' || kind === 'bigint') && { range }),
    ...(element === 'time' && ZONED.has(column.type) && { zoned: true }),
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

function buildRelation(
  relation: RelationMetadata,
  toColumn: (column: ColumnMetadata) => CatalogColumn,
): CatalogRelation {
  const kind = decideRelationKind(relation);
  const owning = kind === 'many-to-one' || kind === 'one-to-one';
  const built: CatalogRelation = {
    path: relation.propertyPath,
    kind,
    toMany: kind === 'one-to-many' || kind === 'many-to-many',
    get target() {
      return getCachedCatalog(
        toColumn === getDeclaredColumn ? declaredCatalogs : catalogs,
        relation.inverseEntityMetadata,
      );
    },
    references: Object.freeze(
      owning ? relation.joinColumns.flatMap((column) => buildReferences(column, toColumn)) : [],
    ),
    nullable: relation.isNullable,
    ...(relation.isTreeParent && isNestedTree(relation.entityMetadata) && { keptIfOmitted: true as const }),
    cascadeInsert: relation.isCascadeInsert,
    cascadeUpdate: relation.isCascadeUpdate,
    ...(relation.inverseRelation && { inverse: relation.inverseRelation.propertyPath }),
  };

  relationMetadata.set(built, relation);

  return Object.freeze(built);
}

/** Whether TypeORM stores more of a tree than foreign keys; `adjacency-list` is none of these forms. */
function isNestedTree({ treeType }: EntityMetadata): boolean {
  return treeType !== undefined && treeType !== 'adjacency-list';
}

function buildReferences(
  column: ColumnMetadata,
  toColumn: (column: ColumnMetadata) => CatalogColumn,
): CatalogReference[] {
  return column.referencedColumn ? [{ column: toColumn(column), references: toColumn(column.referencedColumn) }] : [];
}

function decideRelationKind(relation: RelationMetadata): RelationKind {
  return (
    (relation.isManyToOne && 'many-to-one') ||
    (relation.isOneToOneOwner && 'one-to-one') ||
    (relation.isOneToOne && 'one-to-one-inverse') ||
    (relation.isOneToMany && 'one-to-many') ||
    'many-to-many'
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
