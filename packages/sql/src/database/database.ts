/** What an ORM must tell, so that statements can be made and run: tables, a database, connections, listeners. */
import type { Readable } from 'node:stream';
import type { Change } from '@nestwright/crud';
import type { Catalog, Client, WriteHooks as AdapterHooks } from '@nestwright/crud/adapter';
import type { ColumnType, Dialect, Server } from './dialect.js';
import type { Row, StatementRows } from './rows.js';

/** The entities' class, or its name. */
export type Target = string | (abstract new (...parameters: never[]) => object);

/** The table of an entity; several entities may share one. */
export interface Table {
  /** The entity's name, for messages. */
  readonly name: string;
  /** The entity's class, or its name. */
  readonly target: Target;
  /** What requests may name of it. */
  readonly catalog: Catalog;
  /** The database that has it. */
  readonly database: Database;
  /** Its name, without database and schema. */
  readonly tableName: string;
  /** Database, schema and name, joined by points; parts may be empty. */
  readonly tablePath: string;
  /** Those that inheriting entities have, too. */
  readonly columns: readonly Column[];
  /** The columns of the primary key, in order. */
  readonly primaryColumns: readonly Column[];
  /** The relations of the entity, embedded ones included. */
  readonly relations: readonly Relation[];
  /** The column that says when a record was soft-deleted, if records are. */
  readonly deleteDateColumn: Column | undefined;
  /** The column that says when a record was last updated. */
  readonly updateDateColumn: Column | undefined;
  /** The column that counts updates of a record. */
  readonly versionColumn: Column | undefined;
  /** The column that tells entities apart which share the table. */
  readonly discriminatorColumn: Column | undefined;
  /** This entity's value of the discriminator. */
  readonly discriminatorValue: string | undefined;
  /** The entity that this one inherits from, if they share the table. */
  readonly parent: Table | undefined;
  /** The entities that inherit from this one and share the table. */
  readonly children: readonly Table[];
  /** How records lie above each other, if the entity is a tree. */
  readonly treeType: 'adjacency-list' | 'nested-set' | 'materialized-path' | 'closure-table' | undefined;
  /** The relation of a record of a tree to the one above it. */
  readonly treeParentRelation: Relation | undefined;
  /** Unique constraints and indices. */
  readonly constraints: readonly Constraint[];
  /** The foreign keys that the table has. */
  readonly foreignKeys: readonly ForeignKey[];
  /** Foreign keys of other tables that refer to this one. */
  readonly referringKeys: readonly ForeignKey[];
  /** Its check constraints, with the SQL of their conditions. */
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
  /** The table that has it. */
  readonly table: Table;
  /** The name of its property. */
  readonly propertyName: string;
  /** The path to its property through embedded objects, with points. */
  readonly propertyPath: string;
  /** Its name in the database. */
  readonly databaseName: string;
  /** The class that declares its property. */
  readonly target: Target;
  /** Members of an enumeration. */
  readonly members: readonly (string | number)[] | undefined;
  /** Whether its days are read as days of UTC. */
  readonly isUtc: boolean;
  /** SQL of its default. */
  readonly defaultSql: string | undefined;
  /** Makes the value that a record without one gets, if the application does. Default: the database has a default, or none. */
  readonly makeDefault?: (() => unknown) | undefined;
  /** Whether the database computes it of other columns. */
  readonly isComputed: boolean;
  /** Whether it is part of the primary key. */
  readonly isPrimary: boolean;
  /** Who makes its value if an INSERT leaves it out: a counter of the database, or a uuid. */
  readonly generation: 'counter' | 'uuid' | 'other' | undefined;
  /** Whether an INSERT may give it a value. */
  readonly isInsert: boolean;
  /** Whether an UPDATE may change it. */
  readonly isUpdate: boolean;
  /** Whether records are read with it if nothing else is asked for. */
  readonly isSelect: boolean;
  /** Whether each update adds 1 to it. */
  readonly isVersion: boolean;
  /** Whether each update sets it to the present. */
  readonly isUpdateDate: boolean;
  /** Whether it tells apart the entities that share the table. */
  readonly isDiscriminator: boolean;
  /** Whether no property of the entity holds it. */
  readonly isVirtual: boolean;
  /** Whether values are changed between property and column by the application. */
  readonly isTransformed: boolean;
  /** The SQL that stands for the column, if it is a query; given the escaped alias of its table. */
  readonly query: ((alias: string) => string) | undefined;
  /** The embedded object that its property belongs to. */
  readonly embedded: Embedded | undefined;
  /** The relation whose foreign key it is part of. */
  readonly relation: Relation | undefined;
  /** The column of the related table that it refers to. */
  readonly referencedColumn: Column | undefined;
  /** The value in a record; in place of a foreign key, that of the related record's key. */
  read(record: Entity): unknown;
  /** Sets the value in a record. */
  write(record: Entity, value: unknown): void;
  /** What is stored for the value of a property. */
  encode(value: unknown): unknown;
  /** The value of a property for what the driver has read; undefined if they are the same. */
  readonly decode: ((value: unknown) => unknown) | undefined;
}

/** An embedded object. */
export interface Embedded {
  /** The name of its property in the object around it. */
  readonly propertyName: string;
  /** Its class. */
  readonly target: Target;
  /** Whether the property is a list of such objects. */
  readonly isArray: boolean;
  /** The objects that lead to it from the record, itself included. */
  readonly path: readonly Embedded[];
  /** A new object. */
  create(): object;
}

/** A relation of an entity to another one. */
export interface Relation {
  /** The table of the entity that has it. */
  readonly table: Table;
  /** The name of its property. */
  readonly propertyName: string;
  /** The path to its property through embedded objects, with points. */
  readonly propertyPath: string;
  /** The related entity. */
  readonly inverseTable: Table;
  /** The same relation, as the related entity has it. */
  readonly inverseRelation: Relation | undefined;
  /** The embedded object that its property belongs to. */
  readonly embedded: Embedded | undefined;
  /** Whether its property is a promise. */
  readonly isLazy: boolean;
  /** The foreign key, if the entity's own table has it; for many-to-many, the junction's columns of the owner. */
  readonly joinColumns: readonly Column[];
  /** Whether the entity's own table has its foreign key. */
  readonly isWithJoinColumn: boolean;
  /** Whether a record may have several of it. */
  readonly isToMany: boolean;
  /** The table between both sides of a many-to-many relation. */
  readonly junction: Junction | undefined;
  /** Its foreign key, if the entity's own table has it. */
  readonly foreignKeys: readonly ForeignKey[];
  /** What happens to children that are missing from a written list; undefined: nothing. */
  readonly orphans: 'nullify' | 'delete' | 'soft-delete' | undefined;
  /** The related record or records in a record. */
  read(record: Entity): unknown;
  /** Sets them in a record. */
  write(record: Entity, value: unknown): void;
}

/** The table between the two sides of a many-to-many relation, seen from one of them. */
export interface Junction {
  /** The table itself. */
  readonly table: Table;
  /** Columns that refer to the records of this side. */
  readonly own: readonly Column[];
  /** Columns that refer to the records of the other side. */
  readonly other: readonly Column[];
}

/** A unique constraint or an index. */
export interface Constraint {
  /** Its name in the database, as errors name it. */
  readonly name: string;
  /** The columns that it is about, in order. */
  readonly columns: readonly Column[];
  /** Whether no two rows may have the same values. */
  readonly isUnique: boolean;
}

/** A foreign key: columns of one table that refer to those of another. */
export interface ForeignKey {
  /** Its name in the database, as errors name it. */
  readonly name: string;
  /** The table that has its columns. */
  readonly table: Table;
  /** Its columns, in order. */
  readonly columns: readonly Column[];
  /** The table that it refers to. */
  readonly referencedTable: Table;
  /** The columns that it refers to, in the order of its own. */
  readonly referencedColumns: readonly Column[];
  /** What the database does to the row when the one that it refers to is deleted. */
  readonly onDelete: string | undefined;
}

/** How statements are cached and sent. */
export interface DatabaseOptions {
  /** Whether rows may come as texts, answers as JSON, and written rows by RETURNING. */
  readonly fastPaths: boolean;
  /** Number of shapes of requests whose statements are kept. */
  readonly statementCache: number;
  /** What these may weigh together, in bytes. */
  readonly statementCacheBytes: number;
}

/** The isolation level of a transaction. */
export type Isolation = 'READ UNCOMMITTED' | 'READ COMMITTED' | 'REPEATABLE READ' | 'SERIALIZABLE' | 'SNAPSHOT';

/** What statements run on: an open connection, or a database, which opens one for them. */
export type Executor = Connection | Database;

/** A database: what statements are written for, and where connections to it come from. */
export interface Database {
  /** How it differs from other databases. */
  readonly dialect: Dialect;
  /** How its statements are cached and sent. */
  readonly options: DatabaseOptions;
  /** What is known of its server. */
  readonly server: Server;
  /** Which statements can return the rows that they write. */
  readonly returns: { readonly insert: boolean; readonly update: boolean };
  /** Whether it generates uuids for columns. */
  readonly makesUuids: boolean;
  /** Whether reads go to other servers than writes. */
  readonly isReplicated: boolean;
  /** Isolation level of all transactions, if the application sets one. */
  readonly isolation: Isolation | undefined;
  /** Who is told of records that are written and loaded. */
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

/** One connection to a database. It is opened when it is first used. */
export interface Connection {
  /** The database that it is a connection to. */
  readonly database: Database;
  /** Whether a transaction has begun on it. */
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
   * Commits the transaction, or releases the savepoint.
   *
   * @param collect Collects what reports the changes that are committed. Default: they are reported at once.
   */
  commit(collect?: (report: () => Promise<void>) => void): Promise<void>;
  /** Rolls back the transaction, or to the savepoint. */
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
  /** Returns it to the pool; a connection that all share stays open. */
  release(): Promise<void>;
}

/** The hooks of a write, as they are called on a connection. */
export type WriteHooks = AdapterHooks<Connection>;

/** Reads the rows of a statement that are not cached. */
export type RunRows = () => Promise<readonly Row[]>;

/** What a statement has done. */
export interface Result {
  /** The rows that the statement has returned. */
  readonly rows: readonly Row[];
  /** Number of rows written. */
  readonly affected: number;
  /** The counter's value of the first row inserted, on databases that do not return it as a row. */
  readonly insertId: number | string | undefined;
}

/** How long rows are cached, in milliseconds, and whether cached ones are ignored and replaced. */
export interface CacheOptions {
  /** Lifetime of a cached result, in milliseconds. */
  readonly duration: number;
  /** Whether a cached result is read again and replaced. */
  readonly replace: boolean;
}

/** Runs a statement for texts, unless its client has disconnected by the time that a connection is available. */
export type TextQuery = (sql: string, parameters: unknown[], waiting?: Waiting) => Promise<StatementRows>;

/** The client that waits for the rows. */
export interface Waiting {
  /** The client; undefined if the statement must run anyway. */
  readonly client: Client | undefined;
  /** Whether the statement may be ended while its rows come, as it changes nothing. */
  readonly mayEnd: boolean;
}

/** Whether statements run on one connection, which may be in a transaction. */
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
  /** The record, with the values that it has or will have. */
  readonly entity: Entity;
  /** The record as it was stored. Default: nothing was. */
  readonly before?: Entity;
  /** The columns that an update changes. */
  readonly columns?: readonly Column[];
  /** The relations whose foreign keys an update changes. */
  readonly relations?: readonly Relation[];
}

/** Asked each time, since subscribers may be added while the application runs. */
export interface Listeners {
  /** Whether anybody listens to an event of a table. */
  observe(table: Table, event: WriteEvent): boolean;
  /** Whether anybody listens to the records of any table that are loaded. */
  readonly observeLoads: boolean;
  /** Whether anybody listens to the records of a table that are loaded. */
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
  /** Calls the listeners of records that are loaded and awaits them. */
  broadcastLoad(connection: Connection, table: Table, records: readonly Entity[]): Promise<void>;
  /** Tells that rows of a table are removed, but not which. */
  broadcastRemoval(connection: Connection, table: Table, event: 'BeforeRemove' | 'AfterRemove'): Promise<void>;
}
