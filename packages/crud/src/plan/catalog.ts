/** What planning needs to know of an entity. Adapters provide it, frozen; nothing here knows a database or Nest. */

/** How the values of a column are read and compared; every database type falls under one of these. */
export type ColumnKind =
  | 'text'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'uuid'
  | 'enum'
  | 'date'
  | 'time'
  | 'datetime'
  | 'json'
  | 'array'
  | 'binary';

/**
 * Which values a `binary` column stores. Every form but the spatial ones and `numbers` takes a text, which the database
 * judges, and what follows; any other object or list is refused.
 *
 * - `plain`: numbers and booleans; `text`: nothing else
 * - `bytes`: bytes, and `{"type":"Buffer","data":[…]}`; `bits`: those, whole numbers and booleans
 * - `numbers`: a list of numbers alone
 * - `point`: `{"x":1,"y":2}`; `circle`: `{"x":1,"y":2,"radius":3}`
 * - `interval`: numbers, and `{"hours":2,"minutes":3}`
 * - `pairs`: an object of texts, numbers, booleans and nulls
 * - `geojson`: a GeoJSON geometry alone
 * - `wkt`: a geometry as well-known text or GeoJSON
 */
export type ColumnForm =
  'plain' | 'text' | 'bytes' | 'bits' | 'numbers' | 'point' | 'circle' | 'interval' | 'pairs' | 'geojson' | 'wkt';

/**
 * Who fills a column. Only `client` columns are ever taken from a body; a `version` in a body is the expected version,
 * never a value to store.
 */
export type ColumnSource =
  'client' | 'createDate' | 'updateDate' | 'deleteDate' | 'version' | 'discriminator' | 'generated' | 'virtual';

/** One column, under the property path by which clients and options name it. */
export interface CatalogColumn {
  /** Property path, embedded objects joined by dots: `email`, `name.first`. */
  readonly path: string;
  /** How its values are read and compared. */
  readonly kind: ColumnKind;
  /** Kind of the elements of an `array` column. */
  readonly elementKind?: ColumnKind;
  /**
   * What divides the elements of an `array` column in its stored text, so that none may contain it. Default: the
   * database stores lists.
   */
  readonly separator?: string;
  /** Which values a `binary` column, or an array of such, stores. Default: `plain`. */
  readonly form?: ColumnForm;
  /** Who fills it. */
  readonly source: ColumnSource;
  /** Whether it may be null. */
  readonly nullable: boolean;
  /**
   * Whether an insert that omits the column still stores something else than null: a default, a generated value, a date
   * or a version.
   */
  readonly hasDefault: boolean;
  /** Whether it is part of the primary key. */
  readonly primary: boolean;
  /** Whether the database generates the value (increment, identity, rowid), so that clients do not own it. */
  readonly autoIncrement: boolean;
  /** Whether the application or the database makes a value (uuid, counter) when an insert omits it. */
  readonly generated: boolean;
  /** `false` if the entity says `select: false`: never returned, never open to a client's condition. */
  readonly selectable: boolean;
  /** `false` if the entity forbids to write it on insert or on update. */
  readonly insertable: boolean;
  /** `false` if the entity forbids to write it on update. */
  readonly updatable: boolean;
  /**
   * Whether stored and property value differ by a transformer; of such values only what {@link toStored} makes of them
   * is checked.
   */
  readonly transformed: boolean;
  /**
   * What the transformer makes of a property's value, so that its length and range can be checked; may throw.
   * Default: not checked.
   */
  readonly toStored?: (value: unknown) => unknown;
  /** Members of an `enum` column. */
  readonly members?: readonly (string | number)[];
  /** Longest text in characters, if the column bounds it. */
  readonly length?: number;
  /** How deep lists and objects may be nested in a `json` column. Default: as deep as one likes. */
  readonly depth?: number;
  /** Smallest and largest value of an `integer` or `bigint` column. */
  readonly range?: readonly [min: bigint, max: bigint];
  /** Whether the values of a `time` column have an offset (`timetz`). */
  readonly zoned?: boolean;
  /** Digits in all and after the point of a `decimal` column. */
  readonly precision?: number;
  /** Digits after the point. */
  readonly scale?: number;
  /** The column as its declaration alone describes it, if the adapter assumed more: its kind, range or length. */
  readonly declared?: CatalogColumn;
  /** Whether nothing says which numbers a `decimal` column stores but that they are numbers. Default: `false`. */
  readonly assumed?: true;
}

/**
 * For adapters: a column that clients fill and the database requires, unless `more` says otherwise.
 *
 * @example
 * describeColumn('email', 'text', { length: 80, nullable: true });
 */
export function describeColumn(path: string, kind: ColumnKind, more: Partial<CatalogColumn> = {}): CatalogColumn {
  return {
    path,
    kind,
    source: 'client',
    nullable: false,
    hasDefault: false,
    primary: false,
    autoIncrement: false,
    generated: false,
    selectable: true,
    insertable: true,
    updatable: true,
    transformed: false,
    ...more,
  };
}

/** How a relation hangs on its entity. The first two own a foreign key, the many-to-many rows belong to both sides. */
export type RelationKind = 'many-to-one' | 'one-to-one' | 'one-to-one-inverse' | 'one-to-many' | 'many-to-many';

/** One pair of foreign-key column and the column it refers to. */
export interface CatalogReference {
  /**
   * Column of the owning entity; it may be missing from {@link Catalog.columns} if the entity declares no property for
   * it.
   */
  readonly column: CatalogColumn;
  /** Column of the related entity. */
  readonly references: CatalogColumn;
}

/** One relation, under its property path. */
export interface CatalogRelation {
  /** Property path. */
  readonly path: string;
  /** Which side owns the link. */
  readonly kind: RelationKind;
  /** Whether one record may have several related ones. */
  readonly toMany: boolean;
  /** The related entity; a getter, since entities refer to each other. */
  readonly target: Catalog;
  /** Foreign keys of this entity, for `many-to-one` and `one-to-one` only; else empty. */
  readonly references: readonly CatalogReference[];
  /** Whether a record may lack it. */
  readonly nullable: boolean;
  /** Whether a replacement that omits the relation keeps it. Default: it becomes null, or the default of its column. */
  readonly keptIfOmitted?: true;
  /** Whether nested records of a body are inserted. */
  readonly cascadeInsert: boolean;
  /** Whether nested records of a body are updated. */
  readonly cascadeUpdate: boolean;
  /** Property path of the relation's other side on {@link target}, if there is one. */
  readonly inverse?: string;
}

/** A class that records of an entity are instances of, and what such records hold. */
export interface RecordClass {
  /** The class; anything that is no function means plain objects. */
  readonly target: unknown;
  /** Paths of the columns and relations that a record of the class holds. */
  readonly paths: ReadonlySet<string>;
  /** Classes of embedded objects, by path. */
  readonly embedded: ReadonlyMap<string, unknown>;
  /**
   * Paths that each record has as a property of its own, whatever getter its class has: relations that an ORM would
   * load when they are read. Default: none.
   */
  readonly assigned?: ReadonlySet<string>;
}

/** An entity as planning sees it. Maps, not objects, so that no name of a client reaches a prototype. */
export interface Catalog {
  /** Name of the entity, as in messages (`User not found`). */
  readonly model: string;
  /** The class that responses are instances of. */
  readonly target: unknown;
  /**
   * The classes that records may be instances of: the entity's own and, if several entities share a table, those that
   * inherit from it. Default: {@link target} alone, with all columns and relations, and plain embedded objects.
   */
  readonly recordClasses?: readonly RecordClass[];
  /** By property path. */
  readonly columns: ReadonlyMap<string, CatalogColumn>;
  /** By property path. */
  readonly relations: ReadonlyMap<string, CatalogRelation>;
  /** Columns of the primary key. */
  readonly primary: readonly CatalogColumn[];
  /** Column that marks soft-deleted records, if there is one. */
  readonly deleteDate?: CatalogColumn;
  /** Column of the version for optimistic locking, if there is one. */
  readonly version?: CatalogColumn;
  /**
   * The same entity with {@link CatalogColumn.declared} in the place of its columns and those of related entities.
   * Default: nothing is assumed.
   */
  readonly declared?: Catalog;
}
