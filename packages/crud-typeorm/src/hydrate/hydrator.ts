/**
 * Rows become instances of the entity's class as TypeORM itself would make them: columns, embedded objects, to-one
 * relations.
 */
import { getOrInsert } from '@nestwright/crud/adapter';
import type { DataSource, EntityMetadata, ObjectLiteral, RelationMetadata } from 'typeorm';
import { type ColumnMetadata, setOwnProperty } from '../column-metadata.js';
import { NAMED_FORMAT, type Row, type RowFormat } from '../rows/row-format.js';
import { rowValueConverter } from './column-value.js';
import type { RecordShape } from './record-shape.js';

/** Makes a record of a row; null if a LEFT JOIN found nothing. */
type Hydrator = (row: Row) => ObjectLiteral | null;

const hydrators = new WeakMap<RecordShape, Map<string, Hydrator>>();

/** The hydrator of a shape for rows of one format (by default as drivers give them), compiled at its first use. */
export function getHydrator(shape: RecordShape, dataSource: DataSource, format: RowFormat = NAMED_FORMAT): Hydrator {
  const byFormat = getOrInsert(hydrators, shape, () => new Map<string, Hydrator>());

  return getOrInsert(byFormat, format.signature, () => compileHydrator(shape, dataSource, format));
}

function compileHydrator(shape: RecordShape, dataSource: DataSource, format: RowFormat): Hydrator {
  const { metadata } = shape;
  const presence = shape.presence.map((name) => format.key(name) as string);
  const discriminator = shape.discriminator === undefined ? undefined : (format.key(shape.discriminator) as string);
  const base = compileOwn(shape, metadata, dataSource, format);
  const subclasses = new Map(
    discriminator === undefined
      ? []
      : metadata.childEntityMetadatas.map(
          (child) => [child.discriminatorValue, compileOwn(shape, child, dataSource, format)] as const,
        ),
  );

  return (row) => {
    if (presence.length > 0 && isAbsent(row, presence)) return null;

    const own = discriminator === undefined ? base : (subclasses.get(row[discriminator] as string) ?? base);
    const record = own.create();

    for (const { key, prepare, name, nested } of own.cells) {
      const value = prepare === undefined ? row[key] : prepare(row[key]);

      if (nested === undefined) record[name] = value;
      else nested.setEntityValue(record, value);
    }

    for (const { relation, hydrate } of own.joined) setRelation(record, relation, hydrate(row));

    return record;
  };
}

/** Whether a LEFT JOIN found nothing. */
function isAbsent(row: Row, presence: readonly string[]): boolean {
  for (const key of presence) if (row[key] !== null && row[key] !== undefined) return false;

  return true;
}

/** A value of a row and the property that it becomes. */
interface CompiledCell {
  readonly key: string;
  readonly prepare: ((value: unknown) => unknown) | undefined;
  readonly name: string;
  /** The column if the property is an embedded object's. */
  readonly nested: ColumnMetadata | undefined;
}

/** The part of a shape that belongs to an entity (of several that share a table). */
interface OwnShape {
  readonly create: () => ObjectLiteral;
  readonly cells: readonly CompiledCell[];
  readonly joined: readonly { readonly relation: RelationMetadata; readonly hydrate: Hydrator }[];
}

function compileOwn(shape: RecordShape, metadata: EntityMetadata, dataSource: DataSource, format: RowFormat): OwnShape {
  const foreign = new Set(metadata.childEntityMetadatas.map(({ target }) => target));
  const relations = new Set(metadata.relations.map(({ propertyPath }) => propertyPath));
  const cells = shape.cells.filter(({ column }) => {
    const same = metadata.findColumnWithPropertyPath(column.propertyPath);

    return same !== undefined && !foreign.has(same.target);
  });

  return {
    create: makeCreator(metadata, dataSource),
    cells: cells.map(({ name, column }) => ({
      key: format.key(name) as string,
      prepare: rowValueConverter(column, format.findTextFormat(name)),
      name: column.propertyName,
      nested: column.embeddedMetadata ? column : undefined,
    })),
    joined: shape.joined
      .filter(({ relation }) => relations.has(relation.propertyPath))
      .map(({ relation, shape: inner }) => ({ relation, hydrate: getHydrator(inner, dataSource, format) })),
  };
}

/** Makes an empty record as TypeORM does; for most entities that is `new`. */
function makeCreator(metadata: EntityMetadata, { options }: DataSource): () => ObjectLiteral {
  const { target, isAlwaysUsingConstructor, lazyRelations } = metadata;
  const isBare = isAlwaysUsingConstructor && lazyRelations.length === 0 && !options.typename;

  return typeof target === 'function' && isBare
    ? () => new (target as new () => ObjectLiteral)()
    : () => metadata.create(undefined, { fromDeserializer: true });
}

/**
 * Sets a relation's property; the getter that TypeORM puts in place of a lazy relation is replaced by what was read.
 */
export function setRelation(
  record: ObjectLiteral,
  relation: RelationMetadata,
  value: ObjectLiteral | ObjectLiteral[] | null,
): void {
  if (relation.isLazy && !relation.embeddedMetadata) setOwnProperty(record, relation.propertyName, value);
  else if (!relation.embeddedMetadata && record[relation.propertyName] === undefined)
    record[relation.propertyName] = value;
  else relation.setEntityValue(record, value);
}
