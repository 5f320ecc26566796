/** How every server connects to the benchmark's database, whose address is in BENCH_DATABASE_URL. */
import type { PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { Company } from './company.entity.js';
import { Project } from './project.entity.js';
import { User } from './user.entity.js';

/** What the pool of every server is like: as many connections as the load has, and none closed between two rounds. */
const POOL = { max: 8, idleTimeoutMillis: 0 } satisfies PoolConfig;

/** @returns options of a TypeORM data source whose backends PostgreSQL lists under the server's name. */
export function typeOrmOptions(): DataSourceOptions {
  const { url, server } = environment();

  return { type: 'postgres', url, applicationName: server, entities: [User, Company, Project], extra: POOL };
}

/** @returns options of a pg pool whose backends PostgreSQL lists under the server's name. */
export function poolOptions(): PoolConfig {
  const { url, server } = environment();

  return { connectionString: url, application_name: server, ...POOL };
}

function environment(): { url: string; server: string } {
  const { BENCH_DATABASE_URL: url, BENCH_SERVER: server } = process.env;

  if (!url || !server) throw new Error('BENCH_DATABASE_URL and BENCH_SERVER are set by the harness: npm run bench');

  return { url, server };
}
