/** Before the database suites: starts a PostgreSQL when POSTGRES_URL names none, and passes its URL on through the environment. */
import { startEmbeddedPostgres } from './embedded-postgres.js';

/** Where the teardown, which Jest loads as a module of its own, finds the server. */
export const EMBEDDED = Symbol.for('nestwright.test.embeddedPostgres');

export default async function setUpDatabases() {
  const chosen = process.env.TEST_DATABASES?.split(',');
  if (process.env.POSTGRES_URL || (chosen && !chosen.includes('postgres'))) return;
  const server = await startEmbeddedPostgres();
  process.env.POSTGRES_URL = server.url;
  globalThis[EMBEDDED] = server;
}
