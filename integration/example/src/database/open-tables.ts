/** Opens a data source with fresh, seeded tables. A database with other tables than the entities' is left alone and refused. */
import mysql from 'mysql2';
import { DataSource, type DataSourceOptions, type EntityMetadata, type QueryRunner } from 'typeorm';
import { adaptColumnTypes } from './column-types.js';

/** What a database is made of. */
export interface Tables {
  // The classes of entities, as TypeORM takes them.
  readonly entities: (new () => object)[];
  /** Fills the empty tables. */
  readonly seed: (dataSource: DataSource) => Promise<void>;
}

/** How to reach a database, by the protocol of its address. */
const CONNECTIONS = new Map<string, (url: string) => DataSourceOptions | Promise<DataSourceOptions>>([
  ['sqljs', embedded],
  ['sqlite', embedded],
  ['postgres', postgres],
  ['postgresql', postgres],
  ['mysql', mysqlOrMariadb],
  ['mariadb', mysqlOrMariadb],
]);

/** SQLite in the memory of this process, whatever follows the protocol: it lives as long as the data source. */
function embedded(): DataSourceOptions {
  return { type: 'sqljs' };
}

function postgres(url: string): DataSourceOptions {
  // gen_random_uuid() is built in since PostgreSQL 13, so that no extension has to be installed.
  return { type: 'postgres', url, uuidExtension: 'pgcrypto', installExtensions: false };
}

async function mysqlOrMariadb(url: string): Promise<DataSourceOptions> {
  return {
    // Both answer to both protocols, and TypeORM must know which one it talks to.
    type: (await isMariadb(url)) ? 'mariadb' : 'mysql',
    url,
    charset: 'utf8mb4',
    // Times are read and written in UTC, by the driver and (see below) by the session; dates stay text, since no time zone may shift them.
    timezone: 'Z',
    dateStrings: ['DATE'],
    driver: { ...mysql, createPool: createUtcPool },
    // TypeORM parses JSON columns; parsed twice, the text "1" would become a number.
    extra: { jsonStrings: true },
  };
}

function createUtcPool(options: mysql.PoolOptions): mysql.Pool {
  const pool = mysql.createPool(options);

  // Queued on the new connection before anybody else's statement: CURRENT_TIMESTAMP is the session's.
  pool.on('connection', (connection) => connection.query(`SET time_zone = '+00:00'`));

  return pool;
}

function isMariadb(url: string): Promise<boolean> {
  const connection = mysql.createConnection(url);

  return new Promise((resolve, reject) => {
    connection.query<mysql.RowDataPacket[]>('SELECT VERSION() AS version', (error, rows) => {
      connection.destroy();
      if (error) reject(error);
      else resolve(String(rows[0]?.version).includes('MariaDB'));
    });
  });
}

/**
 * Opens a database, and makes and fills its tables. They are made anew each time, on servers too, so that every start shows the same
 * records: give the application a database of its own. A table that bears one of its names, but has columns of its own, is left alone and stops the start.
 *
 * @param url `sqljs:`, `sqlite:`, `postgres://…`, `postgresql://…`, `mysql://…` or `mariadb://…`.
 *
 * @example
 * const dataSource = await openTables('postgres://postgres@localhost:5432/example', { entities: [User], seed });
 */
export async function openTables(url: string, { entities, seed }: Tables): Promise<DataSource> {
  const connect = CONNECTIONS.get(url.slice(0, url.indexOf(':')).toLowerCase());

  // The address may hold a password, so that no message repeats it.
  if (!connect) throw new Error(`DATABASE_URL begins with none of ${[...CONNECTIONS.keys()].join(', ')}`);

  const dataSource = await new DataSource({
    ...(await connect(url)),
    entities,
    // TypeORM's own, which the option `query.cache` needs.
    cache: true,
  } as DataSourceOptions).initialize();

  try {
    adaptColumnTypes(dataSource);
    await recreateTables(dataSource);
    await seed(dataSource);
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }

  return dataSource;
}

async function recreateTables(dataSource: DataSource): Promise<void> {
  const queryRunner = dataSource.createQueryRunner();

  try {
    await dropTables(queryRunner, dataSource.entityMetadatas);
    if (isMysql(dataSource)) await chooseUnicode(queryRunner, dataSource);
    await dataSource.synchronize();
    if (isMysql(dataSource)) await createChecks(queryRunner, dataSource);
    await dataSource.queryResultCache?.clear();
  } finally {
    await queryRunner.release();
  }
}

async function dropTables(queryRunner: QueryRunner, entities: readonly EntityMetadata[]): Promise<void> {
  const tables = await queryRunner.getTables(entities.map((entity) => entity.tablePath));

  for (const table of tables) {
    const entity = entities.find(({ tableName }) => tableName === table.name.split('.').at(-1));
    const stranger = table.columns.find(({ name }) => !entity?.columns.some((column) => column.databaseName === name));

    if (stranger) {
      throw new Error(
        `The database has a table "${table.name}" with a column "${stranger.name}": not the application's`,
      );
    }
  }
  for (const table of tables) await queryRunner.dropForeignKeys(table, [...table.foreignKeys]);
  for (const table of tables) await queryRunner.dropTable(table);
}

const isMysql = ({ options }: DataSource): boolean => options.type === 'mysql' || options.type === 'mariadb';

/** Tables take their characters from the database, which may know but a few of them. */
async function chooseUnicode(queryRunner: QueryRunner, { driver }: DataSource): Promise<void> {
  const [database] = await queryRunner.query('SELECT DATABASE() AS name, @@character_set_database AS characters');

  if (database.characters !== 'utf8mb4')
    await queryRunner.query(`ALTER DATABASE ${driver.escape(database.name)} CHARACTER SET utf8mb4`);
}

/** TypeORM leaves out the check constraints on MySQL and MariaDB, which have had them since 8.0.16 and 10.2. */
async function createChecks(queryRunner: QueryRunner, { driver, entityMetadatas }: DataSource): Promise<void> {
  for (const { tableName, checks } of entityMetadatas) {
    for (const { name, expression } of checks) {
      await queryRunner.query(
        `ALTER TABLE ${driver.escape(tableName)} ADD CONSTRAINT ${driver.escape(name)} CHECK (${expression})`,
      );
    }
  }
}
