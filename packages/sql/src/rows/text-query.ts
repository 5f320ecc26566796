/** Queries of `pg` whose rows are arrays of the texts that the server has sent. */
import type { Client } from '@nestwright/crud/adapter';
import type { Row } from '../database/rows.js';

/** A column of a result, as the server describes it. */
export interface Field {
  readonly dataTypeID: number;
}

interface TextRows {
  readonly rows: readonly Row[];
  readonly fields: readonly Field[];
}

type Callback = (error: Error | null, result?: TextRows) => void;

/** The methods that `pg` calls on a statement, as far as they are overridden. */
interface Query {
  callback?: Callback;
  handleRowDescription(message: { readonly fields: readonly Field[] }): void;
  handleDataRow(message: { readonly fields: Row }): void;
  handleCommandComplete(...parameters: unknown[]): void;
  handleReadyForQuery(...parameters: unknown[]): void;
}

/** pg's own class of statements. */
export type PgQuery = new (sql: string, parameters: unknown[]) => Query;

/** The driver `pg`, as far as statements for texts need it. */
export interface PgModule {
  /** The class of its statements, if the driver has one. */
  readonly Query?: PgQuery;
}

/** A client of its pool. */
export interface PgClient {
  /** Sends a statement. */
  query(statement: Query, callback: Callback): void;
  /** Listens to errors of the connection. */
  on(event: 'error', listener: () => void): void;
  /** Stops listening. */
  removeListener(event: 'error', listener: () => void): void;
}

type OwnQuery = new (sql: string, parameters: unknown[]) => Query & { waiting?: Client };

const classes = new WeakMap<object, OwnQuery>();

/** The statement's client has disconnected. */
export class ClientGoneError extends Error {}

/** Rows between two checks whether the client has disconnected: a power of two. */
const ROWS_PER_CHECK = 512;

/**
 * Sends a statement.
 *
 * @param waiting The client that ends the statement when it disconnects. Default: none.
 * @param Query Is extended here, so that no rows are parsed.
 */
export function sendForTexts(
  client: PgClient,
  Query: PgQuery,
  sql: string,
  parameters: unknown[],
  waiting?: Client,
): Promise<TextRows> {
  let Own = classes.get(Query);
  if (!Own) classes.set(Query, (Own = makeQueryClass(Query)));

  const statement = new Own(sql, parameters);
  if (waiting) statement.waiting = waiting;

  return new Promise((resolve, reject) => {
    client.query(statement, (error, result) => (error ? reject(error) : resolve(result!)));
  });
}

/** The class whose results are what the server has sent. */
function makeQueryClass(Query: PgQuery): OwnQuery {
  return class extends Query {
    waiting?: Client;
    private readonly texts: { readonly rows: Row[]; fields: readonly Field[] } = { rows: [], fields: [] };

    override handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
      this.texts.fields = fields;
    }

    override handleDataRow({ fields }: { readonly fields: Row }): void {
      const { rows } = this.texts;
      if (rows.push(fields) % ROWS_PER_CHECK === 0 && this.waiting?.isGone) this.callback?.(new ClientGoneError());
    }

    override handleCommandComplete(): void {
      // The command and its number of rows are not needed.
    }

    override handleReadyForQuery(): void {
      this.callback?.(null, this.texts);
    }
  };
}
