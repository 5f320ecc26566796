import type { QueryRunner } from 'typeorm';

/** Passes each statement of a runner through a function, until what comes back is called. */
export function interceptQueries(
  runner: QueryRunner,
  through: (sql: string, send: () => Promise<unknown>) => Promise<unknown>,
): () => void {
  const own = Object.getOwnPropertyDescriptor(runner, 'query');
  const query = runner.query as (this: QueryRunner, ...sent: unknown[]) => Promise<unknown>;
  const value = (...sent: unknown[]) => through(String(sent[0]), () => query.apply(runner, sent));

  Object.defineProperty(runner, 'query', { value, configurable: true, writable: true });

  return () => {
    if (own) Object.defineProperty(runner, 'query', own);
    else Reflect.deleteProperty(runner, 'query');
  };
}
