/** What an adapter shows the kit: its services and models of the kit's tables. */
import type { StoreService } from '@nestwright/crud/adapter';
import type { TableName } from './tables.js';

/** A service of the adapter. `Manager` is what its hooks are given to run statements with. */
// Records and managers are the adapter's own.
export type AnyService = StoreService<any, any, any> & {
  /** The service in a transaction. */
  within(manager: never): AnyService;
  /** Runs work in a transaction, which `within(manager)` joins; what fails undoes all of it. */
  transaction<R>(work: (manager: never) => Promise<R>): Promise<R>;
};

/** One of the kit's tables, as the adapter has it. */
export interface Resource {
  /** The model of its resources, as in `model.type`. */
  // A class or what the adapter takes in its place.
  readonly model: any;
  /** The class of its service, which the kit extends; made without parameters. */
  readonly service: new () => AnyService;
}

/** A database with the kit's tables. */
export interface OpenStore {
  /** By the names of {@link TABLES}. */
  readonly resources: Readonly<Record<TableName, Resource>>;
  /** Removes all records. */
  clear(): Promise<void>;
  /** Closes the database. */
  close(): Promise<void>;
}

/** An adapter on a database. */
export interface AdapterUnderTest {
  /** Its name, for titles: `Drizzle on SQLite`. */
  readonly name: string;
  /** Whether its driver reads 64 bits as doubles, as those of SQLite do. Default: all digits are kept. */
  readonly roundsWideIntegers?: boolean;
  /** Opens an empty database, with the tables that {@link TABLES} describes. */
  open(): Promise<OpenStore>;
}
