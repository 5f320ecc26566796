import { endsConnection } from '../errors/operational.js';
import type { Connection, Database } from '../database/database.js';

/**
 * Runs work with a connection of its own. If the connection's state is unknown afterwards, it is closed, not returned
 * to the pool.
 */
export async function holdConnection<T>(
  database: Database,
  use: 'read' | 'write',
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  const connection = database.connect(use);

  try {
    return await work(connection);
  } catch (error) {
    if (endsConnection(error)) await connection.close(error);

    throw error;
  } finally {
    await connection.release();
  }
}
