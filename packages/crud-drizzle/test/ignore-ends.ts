/** Pools whose database is dropped while they close. */
import type { Pool } from 'pg';

/** `end()` of a pool does not wait for its connections, and dropping a database ends those that are left. */
export function ignoreEnds(pool: Pool): void {
  pool.on('error', () => undefined);
}
