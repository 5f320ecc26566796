import type { Junction, Relation } from '@nestwright/sql';
import { type EntityMetadata, getMetadataArgsStorage, type RelationMetadata } from 'typeorm';
import { toEmbedded } from './entity-column.js';
import type { Maker } from './maker.js';

/** A relation of an entity. */
export function makeRelation(metadata: RelationMetadata, maker: Maker): Relation {
  const { inverseRelation, junctionEntityMetadata } = metadata;
  let junction: Junction | undefined;

  return {
    propertyName: metadata.propertyName,
    propertyPath: metadata.propertyPath,
    embedded: metadata.embeddedMetadata && toEmbedded(metadata.embeddedMetadata),
    isLazy: metadata.isLazy,
    joinColumns: metadata.joinColumns.map((column) => maker.toColumn(column)),
    isWithJoinColumn: metadata.isWithJoinColumn,
    isToMany: metadata.isOneToMany || metadata.isManyToMany,
    orphans: inverseRelation && readOrphans(inverseRelation),
    get table() {
      return maker.toTable(metadata.entityMetadata);
    },
    get inverseTable() {
      return maker.toTable(metadata.inverseEntityMetadata);
    },
    get inverseRelation() {
      return inverseRelation && maker.toRelation(inverseRelation);
    },
    get foreignKeys() {
      return metadata.foreignKeys.map((key) => maker.toForeignKey(key));
    },
    get junction() {
      return (junction ??= junctionEntityMetadata && makeJunction(junctionEntityMetadata, metadata.isOwning, maker));
    },
    read: (record) => metadata.getEntityValue(record) as unknown,
    write: (record, value) => metadata.setEntityValue(record, value),
  };
}

function makeJunction(metadata: EntityMetadata, isOwning: boolean, maker: Maker): Junction {
  const owner = metadata.ownerColumns.map((column) => maker.toColumn(column));
  const inverse = metadata.inverseColumns.map((column) => maker.toColumn(column));

  return {
    table: maker.toTable(metadata),
    own: isOwning ? owner : inverse,
    other: isOwning ? inverse : owner,
  };
}

/** TypeORM's metadata has `nullify` if the option is not set; only the decorator's arguments show that it was set. */
function readOrphans({
  orphanedRowAction: action,
  entityMetadata,
  propertyName,
}: RelationMetadata): Relation['orphans'] {
  if (action !== 'nullify') return action === 'disable' ? undefined : action;

  const isExplicit = getMetadataArgsStorage().relations.some(
    ({ target, propertyName: name, options }) =>
      name === propertyName &&
      options.orphanedRowAction === 'nullify' &&
      entityMetadata.inheritanceTree.some((one) => one === target),
  );

  return isExplicit ? 'nullify' : undefined;
}
