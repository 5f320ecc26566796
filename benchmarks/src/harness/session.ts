/** A seeded database, servers and a load process for as long as a piece of work takes. All are gone afterwards, whatever happens. */
import { type BenchDatabase, makeDatabase } from './database.js';
import { LoadProcess } from './load-process.js';
import type { ContestantName } from './contestants.js';
import { ServerProcess } from './server-process.js';

/** What a benchmark works with. */
export interface Session {
  database: BenchDatabase;
  load: LoadProcess;
  servers: ServerProcess[];
}

/** Runs the work between set-up and clean-up; an interrupted run cleans up too. */
export async function withSession<Result>(
  names: ContestantName[],
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const { POSTGRES_URL } = process.env;

  if (!POSTGRES_URL)
    throw new Error('POSTGRES_URL names the PostgreSQL to measure on: postgres://user@host:port/database');

  const database = await makeDatabase(POSTGRES_URL);
  const load = new LoadProcess();
  const servers: ServerProcess[] = [];
  const interrupted = new Promise<never>((_resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => reject(new Error(`Ended by ${signal}`)));
  });
  const working = async (): Promise<Result> => {
    for (const name of names) servers.push(await ServerProcess.start(name, database.url));
    return work({ database, load, servers });
  };

  try {
    return await Promise.race([working(), interrupted]);
  } finally {
    load.stop();
    for (const server of servers) await server.stop();
    await database.client.end();
    await database.drop();
  }
}
