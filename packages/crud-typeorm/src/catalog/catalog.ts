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
import { type ColumnMetadata, toDriver } from '../column-metadata.js';
import { dialectOf } from '../dialect/dialect-of.js';
import { formOf } from './column-form.js';
import { elementKindOf, isAssumed, isAssumedInteger, isCounted, rangeOf } from './column-kind.js';
import { recordClassesOf } from './record-classes.js';

const catalogs = new WeakMap<EntityMetadata, Catalog>();
const declaredCatalogs = new WeakMap<EntityMetadata, Catalog>();
const columns = new WeakMap<ColumnMetadata, CatalogColumn>();
const entityMetadata = new WeakMap<Catalog, EntityMetadata>();
const columnMetadata = new WeakMap<CatalogColumn, ColumnMetadata>();
const relationMetadata = new WeakMap<CatalogRelation, RelationMetadata>();

/**
 * The catalog of an entity, made at the first call and kept as long as its metadata lives.
 *
 * @param beside The catalog of another entity: if that has only declared types, so has this one. Default: types that TypeORM assumes are in it.
 */
export function catalogOf(metadata: EntityMetadata, beside?: Catalog): Catalog {
  return catalogIn(isDeclared(beside) ? declaredCatalogs : catalogs, metadata);
}

function isDeclared(catalog: Catalog | undefined): boolean {
  return catalog !== undefined && declaredCatalogs.get(entityMetadataOf(catalog)) === catalog;
}

function catalogIn(known: WeakMap<EntityMetadata, Catalog>, metadata: EntityMetadata): Catalog {
  return getOrInsert(known, metadata, () => {
    const catalog = buildCatalog(metadata, known === declaredCatalogs);
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

/** The catalog's column for TypeORM's; foreign keys without a property of their own have one too. `beside` as in {@link catalogOf}. */
export function columnOf(column: ColumnMetadata, beside?: Catalog): CatalogColumn {
  return isDeclared(beside) ? declaredColumnOf(column) : assumedColumnOf(column);
}

function assumedColumnOf(column: ColumnMetadata): CatalogColumn {
  return getOrInsert(columns, column, () => {
    const declared = isAssumed(column) ? buildColumn(column, true) : undefined;
    const built = buildColumn(column, false, declared);
    for (const one of [built, declared]) if (one) columnMetadata.set(one, column);

    return built;
  });
}

function declaredColumnOf(column: ColumnMetadata): CatalogColumn {
  const known = assumedColumnOf(column);

  return known.declared ?? known;
}

function known<K extends object, V>(table: WeakMap<K, V>, key: K): V {
  const value = table.get(key);
  if (!value) throw new Error('This catalog was not made by the TypeORM adapter');

  return value;
}

function buildCatalog(metadata: EntityMetadata, isDeclared: boolean): Catalog {
  const named = metadata.columns.filter((column) => !column.isVirtual);
  const of = isDeclared ? declaredColumnOf : assumedColumnOf;

  return Object.freeze({
    model: metadata.name,
    target: metadata.target,
    recordClasses: isDeclared ? catalogOf(metadata).recordClasses! : recordClassesOf(metadata),
    columns: new Map(named.map((column) => [column.propertyPath, of(column)])),
    relations: new Map(metadata.relations.map((relation) => [relation.propertyPath, buildRelation(relation, of)])),
    primary: Object.freeze(metadata.primaryColumns.map(of)),
    ...(metadata.deleteDateColumn && { deleteDate: of(metadata.deleteDateColumn) }),
    ...(metadata.versionColumn && { version: of(metadata.versionColumn) }),
    get declared() {
      return isDeclared ? undefined : catalogIn(declaredCatalogs, metadata);
    },
  });
}

const ZONED: ReadonlySet<unknown> = new Set(['timetz', 'time with time zone']);

/** @param isDeclared Whether to leave out what TypeORM assumes where `@Column()` names no type or length. */
function buildColumn(column: ColumnMetadata, isDeclared: boolean, declared?: CatalogColumn): CatalogColumn {
  const dialect = dialectOf(column.entityMetadata.connection);
  const assumed = isDeclared && isAssumedInteger(column);
  const element = assumed && !isCounted(column) ? 'decimal' : elementKindOf(column);
  const kind = column.isArray ? 'array' : element;
  const length = Number(column.length || (isDeclared ? 0 : dialect.defaultLength(column)));
  const range = assumed ? undefined : rangeOf(column, dialect.wideInteger);
  const source = sourceOf(column);
  const autoIncrement =
    column.generationStrategy === 'increment' ||
    column.generationStrategy === 'rowid' ||
    (column.isGenerated && column.generatedIdentity !== undefined);

  return Object.freeze({
    path: column.propertyPath,
    kind,
    ...(kind === 'array' && { elementKind: listKindOf(column, element) }),
    ...(column.type === 'simple-array' && { separator: ',' }),
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

function buildRelation(relation: RelationMetadata, of: (column: ColumnMetadata) => CatalogColumn): CatalogRelation {
  const kind = relationKindOf(relation);
  const owning = kind === 'many-to-one' || kind === 'one-to-one';
  const built: CatalogRelation = {
    path: relation.propertyPath,
    kind,
    toMany: kind === 'one-to-many' || kind === 'many-to-many',
    get target() {
      return catalogIn(of === declaredColumnOf ? declaredCatalogs : catalogs, relation.inverseEntityMetadata);
    },
    references: Object.freeze(owning ? relation.joinColumns.flatMap((column) => referenceOf(column, of)) : []),
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

function referenceOf(column: ColumnMetadata, of: (column: ColumnMetadata) => CatalogColumn): CatalogReference[] {
  return column.referencedColumn ? [{ column: of(column), references: of(column.referencedColumn) }] : [];
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
