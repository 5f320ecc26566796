/** Rows in, records out: instances of the entity's class with columns, embedded objects and to-one relations set, as TypeORM itself would set them. */
import type { DataSource, EntityMetadata, ObjectLiteral, RelationMetadata } from 'typeorm';
import type { ColumnMetadata } from '../column-metadata.js';
import { directText, NAMED_ROWS, type Row, type RowForm, type TextForm } from '../rows/row-form.js';
import type { RecordShape } from './record-shape.js';

/** Makes a record of a row; null where a LEFT JOIN found nothing. */
export type Hydrator = (row: Row) => ObjectLiteral | null;

const hydrators = new WeakMap<RecordShape, Map<string, Hydrator>>();

/** The hydrator of a shape for rows of one form (by default as drivers give them), compiled at its first use. */
export function hydratorOf(shape: RecordShape, dataSource: DataSource, form: RowForm = NAMED_ROWS): Hydrator {
  let byForm = hydrators.get(shape);

  if (!byForm) {
    byForm = new Map();
    hydrators.set(shape, byForm);
  }

  let hydrator = byForm.get(form.signature);

  if (!hydrator) {
    hydrator = compileHydrator(shape, dataSource, form);
    byForm.set(form.signature, hydrator);
  }

  return hydrator;
}

type Setter = (record: ObjectLiteral, row: Row) => void;

function compileHydrator(shape: RecordShape, dataSource: DataSource, form: RowForm): Hydrator {
  const { metadata } = shape;
  const presence = shape.presence.map((name) => form.key(name) as string);
  const discriminator = shape.discriminator === undefined ? undefined : (form.key(shape.discriminator) as string);
  const joined = shape.joined.map(({ relation, shape: inner }) => ({
    relation,
    hydrate: hydratorOf(inner, dataSource, form),
  }));
  const base = compileSetters(shape, metadata, dataSource, form);
  const subclasses = new Map(
    discriminator === undefined
      ? []
      : metadata.childEntityMetadatas.map(
          (child) => [child.discriminatorValue, compileSetters(shape, child, dataSource, form)] as const,
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
function compileSetters(
  { cells }: RecordShape,
  metadata: EntityMetadata,
  dataSource: DataSource,
  form: RowForm,
): OwnSetters {
  const foreign = new Set(metadata.childEntityMetadatas.map(({ target }) => target));
  const own = cells.filter(({ column }) => {
    const same = metadata.findColumnWithPropertyPath(column.propertyPath);

    return same !== undefined && !foreign.has(same.target);
  });

  return {
    metadata,
    setters: own.map(({ name, column }) =>
      compileSetter(column, form.key(name) as string, formedValue(column, form.textOf(name), dataSource)),
    ),
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

function compileSetter(
  column: ColumnMetadata,
  key: string,
  prepare: ((value: unknown) => unknown) | undefined,
): Setter {
  const { propertyName } = column;

  if (column.embeddedMetadata) {
    return (record, row) => void column.setEntityValue(record, prepare ? prepare(row[key]) : row[key]);
  }

  return prepare
    ? (record, row) => void (record[propertyName] = prepare(row[key]))
    : (record, row) => void (record[propertyName] = row[key]);
}

/** What makes a property's value of what stands in a row of some form; undefined where they are the same. */
function formedValue(
  column: ColumnMetadata,
  text: TextForm | undefined,
  dataSource: DataSource,
): ((value: unknown) => unknown) | undefined {
  const prepare = hydratedValue(column, dataSource);
  const parse = text?.parse;
  if (!parse) return prepare;

  const parsed = (value: unknown) => {
    const read = typeof value === 'string' ? parse(value) : value;

    return prepare ? prepare(read) : read;
  };
  const { json, value: valueOf } = directText(column, text) ?? {};
  if (!json || !valueOf) return parsed;

  return (value) => {
    const direct = typeof value === 'string' ? json(value) : undefined;

    return direct === undefined ? parsed(value) : valueOf(direct);
  };
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
