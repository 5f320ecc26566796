/** Rows in, records out: instances of the entity's class with columns, embedded objects and to-one relations set, as TypeORM itself would set them. */
import type { DataSource, EntityMetadata, ObjectLiteral, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import type { Cell, RecordShape } from './record-shape.js';

/** A row as the driver gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** Makes a record of a row; null where a LEFT JOIN found nothing. */
export type Hydrator = (row: Row) => ObjectLiteral | null;

const hydrators = new WeakMap<RecordShape, Hydrator>();

/** The hydrator of a shape, compiled at its first use. */
export function hydratorOf(shape: RecordShape, dataSource: DataSource): Hydrator {
  let hydrator = hydrators.get(shape);

  if (!hydrator) {
    hydrator = compileHydrator(shape, dataSource);
    hydrators.set(shape, hydrator);
  }

  return hydrator;
}

type Setter = (record: ObjectLiteral, row: Row) => void;

function compileHydrator(shape: RecordShape, dataSource: DataSource): Hydrator {
  const { presence, discriminator, metadata } = shape;
  const joined = shape.joined.map(({ relation, shape: inner }) => ({
    relation,
    hydrate: hydratorOf(inner, dataSource),
  }));
  const base = compileSetters(shape, metadata, dataSource);
  const subclasses = new Map(
    discriminator === undefined
      ? []
      : metadata.childEntityMetadatas.map(
          (child) => [child.discriminatorValue, compileSetters(shape, child, dataSource)] as const,
        ),
  );

  return (row) => {
    if (presence.length > 0 && presence.every((name) => row[name] === null || row[name] === undefined)) {
      return null;
    }

    const value = discriminator === undefined ? undefined : row[discriminator];
    const own = subclasses.get(value as string | undefined) ?? base;
    const record: ObjectLiteral = own.metadata.create(undefined, { fromDeserializer: true });

    for (const set of own.setters) {
      set(record, row);
    }

    for (const { relation, hydrate } of joined) {
      if (own.relations.has(relation.propertyPath)) {
        setRelation(record, relation, hydrate(row));
      }
    }

    return record;
  };
}

interface OwnSetters {
  readonly metadata: EntityMetadata;
  readonly setters: readonly Setter[];
  readonly relations: ReadonlySet<string>;
}

/** Setters of the columns that an entity (or one of several that share a table) has. */
function compileSetters({ cells }: RecordShape, metadata: EntityMetadata, dataSource: DataSource): OwnSetters {
  const foreign = new Set(metadata.childEntityMetadatas.map(({ target }) => target));
  const own = cells.filter(({ column }) => {
    const same = metadata.findColumnWithPropertyPath(column.propertyPath);

    return same !== undefined && !foreign.has(same.target);
  });

  return {
    metadata,
    setters: own.map((cell) => compileSetter(cell, hydratedValue(cell.column, dataSource))),
    relations: new Set(metadata.relations.map(({ propertyPath }) => propertyPath)),
  };
}

/** Types whose values are what TypeORM leaves as the driver gives them, on every database. */
const PLAIN: ReadonlySet<unknown> = new Set([
  String,
  'varchar',
  'character varying',
  'char',
  'character',
  'text',
  'tinytext',
  'mediumtext',
  'longtext',
  'uuid',
  'int',
  'integer',
  'int2',
  'int4',
  'smallint',
  'mediumint',
  'tinyint',
  'double',
  'double precision',
  'float',
  'float8',
  'real',
]);

const BIGINTS: ReadonlySet<unknown> = new Set(['bigint', 'int8', 'int64', 'unsigned big int']);

function compileSetter({ name, column }: Cell, prepare: ((value: unknown) => unknown) | undefined): Setter {
  const { propertyName } = column;

  if (column.embeddedMetadata) {
    return (record, row) => void column.setEntityValue(record, prepare ? prepare(row[name]) : row[name]);
  }

  return prepare
    ? (record, row) => void (record[propertyName] = prepare(row[name]))
    : (record, row) => void (record[propertyName] = row[name]);
}

/** What makes a property's value of what the driver gives; undefined where they are the same. */
export function hydratedValue(
  column: ColumnMetadata,
  { driver }: DataSource,
): ((value: unknown) => unknown) | undefined {
  return PLAIN.has(column.type) && !column.transformer && !column.isArray && !column.isVirtualProperty
    ? undefined
    : (value) => driver.prepareHydratedValue(asText(value, column), column);
}

/** Bigints are text everywhere, as they do not fit into a number. */
function asText(value: unknown, { type }: ColumnMetadata): unknown {
  return BIGINTS.has(type) && (typeof value === 'number' || typeof value === 'bigint') ? String(value) : value;
}

/** Sets a relation's property; the getter that TypeORM puts in place of a lazy relation is replaced by what was read. */
export function setRelation(
  record: ObjectLiteral,
  relation: RelationMetadata,
  value: ObjectLiteral | ObjectLiteral[] | null,
): void {
  if (relation.isLazy && !relation.embeddedMetadata) {
    Object.defineProperty(record, relation.propertyName, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  } else {
    relation.setEntityValue(record, value);
  }
}
