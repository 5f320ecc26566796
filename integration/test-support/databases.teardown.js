/** After the database suites: stops the PostgreSQL that the setup started, if it started one. */
import { EMBEDDED } from './databases.setup.js';

export default async function tearDownDatabases() {
  await globalThis[EMBEDDED]?.stop();
  if (globalThis[EMBEDDED]) delete process.env.POSTGRES_URL;
  delete globalThis[EMBEDDED];
}
