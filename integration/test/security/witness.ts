/** Records the statements sent to a database, and reads what its tables hold. */
import type { DataSource, Logger } from 'typeorm';
import { type Rows, rowsOf } from '../../test-support/rows.js';

export type { Rows };

type Hear = (sql: string, parameters?: unknown[]) => void;

/** What is used of pg's client: a statement is a text and its values, or both in one object. */
interface Client {
  query(statement: string | { text: string; values?: unknown[] }, values?: unknown[], ...rest: unknown[]): unknown;
}

/** Listens at the clients of PostgreSQL, since reads that nobody logs go past TypeORM's logger there; a logger in the options would end that way, and it is to be tested. */
function hearClients(driver: { obtainMasterConnection?(): Promise<[Client, unknown]> }, hear: Hear): void {
  const obtain = driver.obtainMasterConnection!.bind(driver);
  const heard = new WeakSet<Client>();

  driver.obtainMasterConnection = async () => {
    const [client, release] = await obtain();

    if (!heard.has(client)) {
      heard.add(client);
      const send = client.query.bind(client);

      client.query = (statement, values, ...rest) => {
        if (typeof statement === 'string') hear(statement, values);
        else hear(statement.text, statement.values);

        return send(statement, values, ...rest);
      };
    }

    return [client, release];
  };
}

/** Hears every statement of a data source: its text, and its parameters apart. */
export class Witness implements Logger {
  /** Texts of the statements, once each. */
  readonly texts = new Set<string>();
  private readonly parameters: unknown[] = [];

  constructor(private readonly dataSource: DataSource) {
    Object.assign(dataSource, { logger: this });
    if (dataSource.options.type === 'postgres')
      hearClients(dataSource.driver, (sql, parameters) => this.logQuery(sql, parameters));
  }

  logQuery(sql: string, parameters: unknown[] = []): void {
    this.texts.add(sql);
    this.parameters.push(parameters);
  }

  /** Forgets what was heard. */
  forget(): void {
    this.texts.clear();
    this.parameters.length = 0;
  }

  /** Those of some markers that were bound as parameters. */
  bound(markers: readonly string[]): string[] {
    const text = JSON.stringify(this.parameters);

    return markers.filter((marker) => text.includes(marker));
  }

  /** Rows of every table, read by statements of the test's own. */
  tables(): Promise<Rows> {
    return rowsOf(this.dataSource);
  }

  logQueryError(): void {}
  logQuerySlow(): void {}
  logSchemaBuild(): void {}
  logMigration(): void {}
  log(): void {}
}
