import { getOrInsert } from '@nestwright/crud/adapter';
import type { Column, Embedded } from '@nestwright/sql';
import type { EntityMetadata } from 'typeorm';
import { isAssumedInteger } from './column-kind.js';
import { type ColumnMetadata, driverValueConverter, toDriver } from './column-metadata.js';
import type { Maker } from './maker.js';

type EmbeddedMetadata = EntityMetadata['embeddeds'][number];

const embeddedObjects = new WeakMap<EmbeddedMetadata, Embedded>();

export function toEmbedded(metadata: EmbeddedMetadata): Embedded {
  return getOrInsert(embeddedObjects, metadata, () => ({
    propertyName: metadata.propertyName,
    target: metadata.type as Embedded['target'],
    isArray: metadata.isArray,
    get path() {
      return metadata.embeddedMetadataTree.map(toEmbedded);
    },
    create: () => metadata.create() as object,
  }));
}

/** A column of an entity's table. */
export function makeColumn(metadata: ColumnMetadata, maker: Maker): Column {
  const { entityMetadata, relationMetadata } = metadata;
  const { driver } = entityMetadata.connection;
  let table: Column['table'] | undefined;
  let catalogColumn: Column['catalogColumn'] | undefined;
  let type: string | undefined;
  let referenced: Column | undefined;

  return {
    ...readNames(metadata),
    ...readUses(metadata),
    ...bindValues(metadata),
    get table() {
      return (table ??= maker.toTable(entityMetadata));
    },
    get server() {
      return maker.toDatabase(entityMetadata.connection).server;
    },
    get catalogColumn() {
      return (catalogColumn ??= maker.toCatalogColumn(metadata));
    },
    // Read late, since it may depend on the server's version.
    get type() {
      return (type ??= driver.normalizeType(metadata));
    },
    get fullType() {
      return driver.createFullType({ ...metadata, type: this.type } as never);
    },
    get defaultSql() {
      return isGiven(metadata.default) ? String(driver.normalizeDefault(metadata)) : undefined;
    },
    get relation() {
      return relationMetadata && maker.toRelation(relationMetadata);
    },
    get referencedColumn() {
      return (referenced ??= metadata.referencedColumn && maker.toColumn(metadata.referencedColumn));
    },
  };
}

function bindValues(metadata: ColumnMetadata): Pick<Column, 'read' | 'write' | 'encode' | 'decode'> {
  const { propertyName } = metadata;
  const isOwnProperty = !metadata.embeddedMetadata && !metadata.relationMetadata && !metadata.referencedColumn;

  return {
    // TypeORM looks each time for embedded and related records.
    read: isOwnProperty
      ? (record) => record[propertyName] as unknown
      : (record) => metadata.getEntityValue(record) as unknown,
    write: isOwnProperty
      ? (record, value) => void (record[propertyName] = value)
      : (record, value) => metadata.setEntityValue(record, value),
    encode: (value) => toDriver(metadata, value),
    decode: driverValueConverter(metadata),
  };
}

function readNames(metadata: ColumnMetadata) {
  return {
    propertyName: metadata.propertyName,
    propertyPath: metadata.propertyPath,
    databaseName: metadata.databaseName,
    target: metadata.target as Column['target'],
    isArray: metadata.isArray,
    members: metadata.enum,
    precision: metadata.precision ?? undefined,
    scale: metadata.scale,
    isUnsigned: metadata.unsigned,
    collation: metadata.collation,
    srid: metadata.srid ?? undefined,
    isAssumed: isAssumedInteger(metadata),
    // Not every version of TypeORM knows the option.
    isUtc: (metadata as { readonly utc?: boolean }).utc === true,
    embedded: metadata.embeddedMetadata && toEmbedded(metadata.embeddedMetadata),
  };
}

function readUses(metadata: ColumnMetadata) {
  return {
    isComputed: metadata.asExpression !== undefined,
    isPrimary: metadata.isPrimary,
    generation: readGeneration(metadata),
    isInsert: metadata.isInsert,
    isUpdate: metadata.isUpdate,
    isSelect: metadata.isSelect,
    isVersion: metadata.isVersion,
    isUpdateDate: metadata.isUpdateDate,
    isDiscriminator: metadata.isDiscriminator,
    isVirtual: metadata.isVirtual,
    isTransformed: metadata.transformer !== undefined,
    query: metadata.isVirtualProperty ? metadata.query : undefined,
  };
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function readGeneration({ isGenerated, generationStrategy }: ColumnMetadata): Column['generation'] {
  if (!isGenerated) return undefined;
  if (generationStrategy === 'uuid') return 'uuid';

  return generationStrategy === 'increment' || generationStrategy === 'rowid' ? 'counter' : 'other';
}
