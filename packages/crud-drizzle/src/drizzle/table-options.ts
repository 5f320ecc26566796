/** What Drizzle's metadata do not say of a table, and its service or `describeTable` does. */
import { isDeepStrictEqual } from 'node:util';
import { type ColumnKind, notAModel } from '@nestwright/crud/adapter';
import { getTableName, type InferSelectModel, is, Table } from 'drizzle-orm';

/** Names of the properties of a table's records. */
type Property<T extends Table> = keyof InferSelectModel<T> & string;

/** What is known of a column besides its type. */
export interface ColumnDescription {
  /** How its values are read and compared: days and uuids in a text, 64 bits in an integer of SQLite. */
  readonly kind?: ColumnKind;
  /** Of an `array` that a custom type stores as one text: what divides the elements, which are texts. */
  readonly separator?: string;
  /** Smallest and largest value of an integer. */
  readonly range?: readonly [min: bigint, max: bigint];
  /** Digits of a decimal. */
  readonly precision?: number;
  /** Digits of a decimal after the point. */
  readonly scale?: number;
}

/** What Drizzle's metadata do not say of a table. */
export interface TableOptions<T extends Table = Table> {
  /**
   * The class that stands for the table: its decorators validate bodies, and records are its instances. Default: a class
   * without any, see `modelOf`; records are plain objects.
   */
  readonly model?: abstract new () => object;
  /** The column that says when a record was soft-deleted. Default: records are deleted. */
  readonly deletedAt?: Property<T>;
  /** The column that counts updates, for optimistic locking. Default: none. */
  readonly version?: Property<T>;
  /** The column that is set when a record is created, by the default of the database. Default: clients may set it. */
  readonly createdAt?: Property<T>;
  /** The column that each update sets to the present. Default: those with `$onUpdate`. */
  readonly updatedAt?: Property<T>;
  /**
   * What columns store, as far as their types do not say it. Default: what the types say.
   *
   * @example
   * { columns: { birthDate: { kind: 'date' }, tags: { kind: 'array', separator: ',' } } } // in a text
   */
  readonly columns?: { readonly [P in Property<T>]?: ColumnDescription };
  /**
   * Objects in records that are made of columns. Default: none.
   *
   * @example
   * { embedded: { name: { first: 'firstName', last: 'lastName' } } } // { "name": { "first": "Ada", "last": "Lovelace" } }
   */
  readonly embedded?: Readonly<Record<string, Readonly<Record<string, Property<T>>>>>;
  /** What nested bodies of a relation may do besides linking to records. Default: nothing. */
  readonly cascade?: Readonly<Record<string, readonly ('insert' | 'update')[]>>;
  /**
   * Many-to-many relations: the related table, and the table between both, whose foreign keys refer to them. Default:
   * none.
   *
   * @example
   * { manyToMany: { groups: { table: groups, through: usersToGroups } } }
   */
  readonly manyToMany?: Readonly<Record<string, { readonly table: Table; readonly through: Table }>>;
}

const described = new WeakMap<Table, TableOptions>();
const read = new WeakSet<Table>();

/**
 * Says of a table what its metadata do not, as the third parameter of a service's constructor does: for tables without a
 * service, which are joined and written with others. Call it before the application starts.
 *
 * @throws Error if the table is in use with other options
 * @example
 * describeTable(profiles, { createdAt: 'createdAt' });
 */
export function describeTable<T extends Table>(table: T, options: TableOptions<T>): void {
  if (!is(table, Table)) throw new TypeError(notAModel('the table of a DrizzleCrudService', table));

  const before = described.get(table) ?? {};
  const now = { ...before, ...options };
  if (read.has(table) && !isDeepStrictEqual(before, now))
    throw new Error(`${getTableName(table)} is in use with other options: its services must name the same`);

  described.set(table, now as TableOptions);
}

/** What was said of a table; from now on it cannot be changed. */
export function optionsOf(table: Table): TableOptions {
  read.add(table);

  return described.get(table) ?? {};
}
