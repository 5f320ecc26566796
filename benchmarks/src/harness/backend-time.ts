/** The CPU time of a server's database backends; undefined where PostgreSQL's processes are not on this machine. */
import { readFile } from 'node:fs/promises';
import type { Client } from 'pg';

/** Milliseconds of CPU by process id; two readings make a difference. */
export type BackendTimes = Map<number, number>;

/** Reads the times of the backends that PostgreSQL lists under a name. */
export async function backendTimes(client: Client, name: string): Promise<BackendTimes | undefined> {
  const { rows } = await client.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE application_name = $1 AND datname = current_database()',
    [name],
  );
  const times: BackendTimes = new Map();

  for (const { pid } of rows) {
    const time = await timeOf(pid);

    if (time === undefined) return undefined;
    times.set(pid, time);
  }
  return times;
}

/** Milliseconds between two readings; a backend that was not there before began at zero. */
export function spent(before: BackendTimes | undefined, now: BackendTimes | undefined): number | undefined {
  if (!before || !now) return undefined;

  let sum = 0;

  for (const [pid, time] of now) sum += time - (before.get(pid) ?? 0);
  return sum;
}

/** A backend has one thread; schedstat counts its nanoseconds, where stat counts ticks of ten milliseconds. */
async function timeOf(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');

    // Somebody else's process would have the number where the database is on another machine.
    if (!stat.includes('(postgres)')) return undefined;

    const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ');

    return Number(nanoseconds) / 1e6;
  } catch {
    return undefined;
  }
}
