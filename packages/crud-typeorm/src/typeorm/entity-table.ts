import type { Constraint, Entity, Table } from '@nestwright/sql';
import type { EntityMetadata } from 'typeorm';
import type { ColumnMetadata } from './column-metadata.js';
import type { Maker } from './maker.js';
import { getRunner } from './runner-connection.js';

/** The table of an entity. */
export function makeTable(metadata: EntityMetadata, maker: Maker): Table {
  let children: readonly Table[] | undefined;

  return {
    name: metadata.name,
    target: metadata.target as Table['target'],
    database: maker.toDatabase(metadata.connection),
    tableName: metadata.tableName,
    tablePath: metadata.tablePath,
    ...readColumns(metadata, maker),
    ...readRelations(metadata, maker),
    discriminatorValue: metadata.discriminatorValue,
    constraints: listConstraints(metadata, maker),
    checks: metadata.checks.map(({ name, expression }) => ({ name, expression })),
    get catalog() {
      return maker.toCatalog(metadata);
    },
    get parent() {
      const { parentEntityMetadata: parent } = metadata as { readonly parentEntityMetadata?: EntityMetadata };

      return parent && maker.toTable(parent);
    },
    get children() {
      return (children ??= metadata.childEntityMetadatas.map((child) => maker.toTable(child)));
    },
    get foreignKeys() {
      return metadata.foreignKeys.map((key) => maker.toForeignKey(key));
    },
    get referringKeys() {
      return listReferringKeys(metadata).map((key) => maker.toForeignKey(key));
    },
    get primaryKeyNames() {
      return listPrimaryKeyNames(metadata);
    },
    create: () => metadata.create(),
    createLoaded: makeCreator(metadata),
  };
}

function readColumns(metadata: EntityMetadata, maker: Maker) {
  const toColumn = (column: ColumnMetadata | undefined) => column && maker.toColumn(column);

  return {
    columns: metadata.columns.map((column) => maker.toColumn(column)),
    primaryColumns: metadata.primaryColumns.map((column) => maker.toColumn(column)),
    deleteDateColumn: toColumn(metadata.deleteDateColumn),
    updateDateColumn: toColumn(metadata.updateDateColumn),
    versionColumn: toColumn(metadata.versionColumn),
    discriminatorColumn: toColumn(metadata.discriminatorColumn),
    filledColumns: metadata.getInsertionReturningColumns().map((column) => maker.toColumn(column)),
  };
}

function readRelations({ relations, treeType, treeParentRelation }: EntityMetadata, maker: Maker) {
  return {
    relations: relations.map((relation) => maker.toRelation(relation)),
    treeType,
    treeParentRelation: treeParentRelation && maker.toRelation(treeParentRelation),
  };
}

function listReferringKeys(metadata: EntityMetadata): EntityMetadata['foreignKeys'] {
  return metadata.connection.entityMetadatas
    .flatMap(({ foreignKeys }) => foreignKeys)
    .filter(({ referencedEntityMetadata }) => referencedEntityMetadata === metadata);
}

function listPrimaryKeyNames({ primaryColumns, tablePath, connection }: EntityMetadata): readonly string[] {
  const names = primaryColumns.map(({ databaseName }) => databaseName);
  const given = primaryColumns[0]?.primaryKeyConstraintName;

  return [connection.namingStrategy.primaryKeyName(tablePath, names), ...(given === undefined ? [] : [given])];
}

function listConstraints({ uniques, indices }: EntityMetadata, maker: Maker): readonly Constraint[] {
  return [
    ...uniques.map(({ name, columns: over }) => ({
      name,
      columns: over.map((one) => maker.toColumn(one)),
      isUnique: true,
    })),
    ...indices.map(({ name, columns: over, isUnique, where }) => ({
      name,
      columns: over.map((one) => maker.toColumn(one)),
      // A partial index allows equal values elsewhere.
      isUnique: isUnique && !where,
    })),
  ];
}

/** Makes an empty record as TypeORM does; for most entities that is `new`. */
function makeCreator(metadata: EntityMetadata): Table['createLoaded'] {
  const { target, isAlwaysUsingConstructor, lazyRelations, connection } = metadata;
  const isBare = isAlwaysUsingConstructor && lazyRelations.length === 0 && !connection.options.typename;

  return typeof target === 'function' && isBare
    ? () => new (target as new () => Entity)()
    : (connection) => metadata.create(connection && getRunner(connection), { fromDeserializer: true });
}
