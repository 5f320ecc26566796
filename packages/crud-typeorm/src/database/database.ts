/** What an ORM must tell, so that statements can be made and run: tables, a database, connections, listeners. */
import type { Readable } from 'node:stream';
import type { Change } from '@nestwright/crud';
import type { Catalog, Client, WriteHooks as AdapterHooks } from '@nestwright/crud/adapter';
import type { ColumnType, Dialect, Server } from './dialect.js';
import type { Row, StatementRows } from './rows.js';

/** The entities' class, or its name. */
type Target = string | (abstract new (...parameters: never[]) => object);

/** The table of an entity; several entities may share one. */
export interface Table {
  /** The entity's name, for messages. */
  readonly name: string;
  readonly target: Target;
  readonly catalog: Catalog;
  readonly database: Database;
  readonly tableName: string;
  /** Database, schema and name, joined by points; parts may be empty. */
  readonly tablePath: string;
  /** Those that inheriting entities have, too. */
  readonly columns: readonly Column[];
  readonly primaryColumns: readonly Column[];
  readonly relations: readonly Relation[];
  readonly deleteDateColumn: Column | undefined;
  readonly updateDateColumn: Column | undefined;
  readonly versionColumn: Column | undefined;
  /** The column that tells entities apart which share the table, and this one's value of it. */
  readonly discriminatorColumn: Column | undefined;
  readonly discriminatorValue: string | undefined;
  /** The entity that this one inherits from, and those that inherit from it, if they share the table. */
  readonly parent: Table | undefined;
  readonly children: readonly Table[];
  /** How records lie above each other, if the entity is a tree. */
  readonly treeType: 'adjacency-list' | 'nested-set' | 'materialized-path' | 'closure-table' | undefined;
  readonly treeParentRelation: Relation | undefined;
  readonly constraints: readonly Constraint[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Foreign keys of other tables that refer to this one. */
  readonly referringKeys: readonly ForeignKey[];
  readonly checks: readonly { readonly name: string; readonly expression: string }[];
  /** Names that the primary key's constraint may have. */
  readonly primaryKeyNames: readonly string[];
  /** Columns that the database fills in on INSERT. */
  readonly filledColumns: readonly Column[];
  /** A new record, with the values that its class gives it. */
  create(): Entity;
  /**
   * An empty record for a row that is read.
   *
   * @param connection What its lazy relations are read on. Default: any.
   */
  createLoaded(connection?: Connection): Entity;
}

/** An entity: a record as an object of its class, or a plain object with a part of it. */
export interface Entity {
  // `any`, since each property has the type of its column.
  [property: string]: any;
}

/** A column, also one of a foreign key that no property holds. */
export interface Column extends ColumnType {
  readonly table: Table;
  /** The name of its property, and the path to it through embedded objects. */
  readonly propertyName: string;
  readonly propertyPath: string;
  readonly databaseName: string;
  /** The class that declares its property. */
  readonly target: Target;
  /** Members of an enumeration. */
  readonly members: readonly (string | number)[] | undefined;
  /** Whether its days are read as days of UTC. */
  readonly isUtc: boolean;
  /** SQL of its default. */
  readonly defaultSql: string | undefined;
  /** Whether the database computes it of other columns. */
  readonly isComputed: boolean;
  readonly isPrimary: boolean;
  /** Who makes its value if an INSERT leaves it out: a counter of the database, or a uuid. */
  readonly generation: 'counter' | 'uuid' | 'other' | undefined;
  readonly isInsert: boolean;
  readonly isUpdate: boolean;
  readonly isSelect: boolean;
  readonly isVersion: boolean;
  readonly isUpdateDate: boolean;
  readonly isDiscriminator: boolean;
  /** Whether no property of the entity holds it. */
  readonly isVirtual: boolean;
  /** Whether values are changed between property and column by the application. */
  readonly isTransformed: boolean;
  /** The SQL that stands for the column, if it is a query; given the escaped alias of its table. */
  readonly query: ((alias: string) => string) | undefined;
  /** The embedded object that its property belongs to. */
  readonly embedded: Embedded | undefined;
  /** The relation whose foreign key it is part of, and the column that this refers to. */
  readonly relation: Relation | undefined;
  readonly referencedColumn: Column | undefined;
  /** The value in a record; in place of a foreign key, that of the related record's key. */
  read(record: Entity): unknown;
  write(record: Entity, value: unknown): void;
  /** What is stored for the value of a property. */
  encode(value: unknown): unknown;
  /** The value of a property for what the driver has read; undefined if they are the same. */
  readonly decode: ((value: unknown) => unknown) | undefined;
}

/** An embedded object. */
export interface Embedded {
  readonly propertyName: string;
  readonly target: Target;
  readonly isArray: boolean;
  /** The objects that lead to it from the record, itself included. */
  readonly path: readonly Embedded[];
  create(): object;
}

export interface Relation {
  readonly table: Table;
  readonly propertyName: string;
  readonly propertyPath: string;
  /** The related entity. */
  readonly inverseTable: Table;
  readonly inverseRelation: Relation | undefined;
  readonly embedded: Embedded | undefined;
  /** Whether its property is a promise. */
  readonly isLazy: boolean;
  /** The foreign key, if the entity's own table has it; for many-to-many, the junction's columns of the owner. */
  readonly joinColumns: readonly Column[];
  readonly isWithJoinColumn: boolean;
  /** Whether a record may have several of it. */
  readonly isToMany: boolean;
  readonly junction: Junction | undefined;
  /** Its foreign key, if the entity's own table has it. */
  readonly foreignKeys: readonly ForeignKey[];
  /** What happens to children that are missing from a written list; undefined: nothing. */
  readonly orphans: 'nullify' | 'delete' | 'soft-delete' | undefined;
  read(record: Entity): unknown;
  write(record: Entity, value: unknown): void;
}

/** The table between the two sides of a many-to-many relation, seen from one of them. */
export interface Junction {
  readonly table: Table;
  /** Columns that refer to the records of this side, and of the other. */
  readonly own: readonly Column[];
  readonly other: readonly Column[];
}

/** A unique constraint or an index. */
export interface Constraint {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Whether no two rows may have the same values. */
  readonly isUnique: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly table: Table;
  readonly columns: readonly Column[];
  readonly referencedTable: Table;
  readonly referencedColumns: readonly Column[];
  /** What the database does to the row when the one that it refers to is deleted. */
  readonly onDelete: string | undefined;
}

/** How statements are cached and sent. */
export interface DatabaseOptions {
  readonly fastPaths: boolean;
  readonly statementCache: number;
  readonly statementCacheBytes: number;
}

export type Isolation = 'READ UNCOMMITTED' | 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE' | 'SNAPSHOT';

/** What statements run on: an open connection, or a database, which opens one for them. */
export type Executor = Connection | Database;

export interface Database {
  readonly dialect: Dialect;
  readonly options: DatabaseOptions;
  readonly server: Server;
  /** Which statements can return the rows that they write. */
  readonly returns: { readonly insert: boolean; readonly update: boolean };
  /** Whether it generates uuids for columns. */
  readonly makesUuids: boolean;
  /** Whether reads go to other servers than writes. */
  readonly isReplicated: boolean;
  /** Isolation level of all transactions, if the application sets one. */
  readonly isolation: Isolation | undefined;
  readonly listeners: Listeners;
  /** A name in the database's quotation marks; others in it are doubled. */
  readonly quote: (name: string) => string;
  /** The placeholder of the value at a position, from 0: `$1`, or `?` for each. */
  readonly placeholder: (position: number) => string;
  /** A connection, which is opened when it is first used, and must be released. */
  connect(use: 'read' | 'write'): Connection;
  /**
   * Finds what sends statements for rows of the database's own texts; nothing if something needs parsed values. Default:
   * all rows are parsed by the driver.
   */
  readonly findTextQuery: (() => TextQuery | undefined) | undefined;
}

export interface Connection {
  readonly database: Database;
  readonly isInTransaction: boolean;
  /** Opens the connection, if it is not open yet; the driver's own. */
  open(): Promise<unknown>;
  /** The rows of a statement. */
  select(sql: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** As {@link select}, through the application's cache of results, if it has one. */
  selectCached(sql: string, parameters: readonly unknown[], cache: CacheOptions, run: RunRows): Promise<readonly Row[]>;
  /** Runs a statement that writes. */
  run(sql: string, parameters?: readonly unknown[]): Promise<Result>;
  /** The rows of a statement while they come. */
  stream(sql: string, parameters: readonly unknown[]): Promise<Readable>;
  /** As {@link Database.findTextQuery}, for an open connection. */
  findTextQuery(): Promise<TextQuery | undefined>;
  /** Begins a transaction, or a savepoint in one. */
  begin(isolation?: Isolation): Promise<void>;
  /**
   * @param collect Collects what reports the changes that are committed. Default: they are reported at once.
   */
  commit(collect?: (report: () => Promise<void>) => void): Promise<void>;
  rollback(): Promise<void>;
  /** Notes a change, for its hooks to be called after the commit of the outermost transaction. */
  reportAfterCommit(hooks: WriteHooks, change: Change): void;
  /** Stores a new record of a tree with its place in it, as the ORM does; calls its listeners. */
  saveInTree(table: Table, entity: Entity): Promise<void>;
  /** Passes each statement through a function, until what comes back is called. */
  intercept(through: (sql: string, send: () => Promise<unknown>) => Promise<unknown>): () => void;
  /**
   * Returns a function that cancels the statement that is running; get it before closing the connection, call it after.
   */
  canceller(): Promise<() => Promise<void>>;
  /** Closes it instead of returning it to the pool; a connection that all share stays open. */
  close(reason: unknown): Promise<void>;
  release(): Promise<void>;
}

/** The hooks of a write, as they are called on a connection. */
export type WriteHooks = AdapterHooks<Connection>;

export type RunRows = () => Promise<readonly Row[]>;

/** What a statement has done. */
export interface Result {
  readonly rows: readonly Row[];
  /** Number of rows written. */
  readonly affected: number;
  /** The counter's value of the first row inserted, on databases that do not return it as a row. */
  readonly insertId: number | string | undefined;
}

/** How long rows are cached, in milliseconds, and whether cached ones are ignored and replaced. */
export interface CacheOptions {
  readonly duration: number;
  readonly replace: boolean;
}

/** Runs a statement for texts, unless its client has disconnected by the time that a connection is available. */
export type TextQuery = (sql: string, parameters: unknown[], waiting?: Waiting) => Promise<StatementRows>;

/** The client that waits for the rows. */
export interface Waiting {
  readonly client: Client | undefined;
  /** Whether the statement may be ended while its rows come, as it changes nothing. */
  readonly mayEnd: boolean;
}

export function isConnection(executor: Executor): executor is Connection {
  return 'database' in executor;
}

export function getDatabase(executor: Executor): Database {
  return isConnection(executor) ? executor.database : executor;
}

/** A pair of events around a statement. */
export type WriteEvent = 'Insert' | 'Update' | 'Remove' | 'SoftRemove' | 'Recover';

/** What is passed to listeners besides the record. */
export interface Observed {
  readonly entity: Entity;
  readonly before?: Entity;
  /** The columns that an update changes. */
  readonly columns?: readonly Column[];
  readonly relations?: readonly Relation[];
}

/** Asked each time, since subscribers may be added while the application runs. */
export interface Listeners {
  /** Whether anybody listens to an event of a table. */
  observe(table: Table, event: WriteEvent): boolean;
  /** Whether anybody listens to the records of any table that are loaded, and to those of one. */
  readonly observeLoads: boolean;
  observeLoadsOf(table: Table): boolean;
  /** Whether anybody listens to transactions or loaded records, which a single statement does not have. */
  readonly observeTransactions: boolean;
  /** Calls the listeners of an event and awaits them. */
  broadcast(
    connection: Connection,
    table: Table,
    event: `${'Before' | 'After'}${WriteEvent}`,
    observed: Observed,
  ): Promise<void>;
  broadcastLoad(connection: Connection, table: Table, records: readonly Entity[]): Promise<void>;
  /** Tells that rows of a table are removed, but not which. */
  broadcastRemoval(connection: Connection, table: Table, event: 'BeforeRemove' | 'AfterRemove'): Promise<void>;
}
