/** A seeded database with a random name, on the server at POSTGRES_URL, dropped at the end. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { Company } from '../domain/company.entity.js';
import { Project } from '../domain/project.entity.js';
import { User } from '../domain/user.entity.js';

/** The benchmark's database. */
export interface BenchDatabase {
  url: string;
  version: string;
  client: pg.Client;
  /** Undoes what a writing workload has added, so that the next finds the tables as seeded. */
  restore(): Promise<void>;
  drop(): Promise<void>;
}

/** Rows that the tables hold; links are three a user. */
const ROWS = { companies: 1_000, projects: 5_000, users: 100_000, linksOfUser: 3 };

const SEED = [
  `INSERT INTO "companies" ("name", "domain", "description", "createdAt", "updatedAt")
   SELECT 'Company ' || i, 'company' || i || '.example.com', CASE WHEN i % 4 > 0 THEN 'We make things of kind ' || i END,
          timestamptz '2020-01-01' + i * interval '7 hours', timestamptz '2024-01-01' + i * interval '11 minutes'
   FROM generate_series(1, ${ROWS.companies}) i`,
  `INSERT INTO "projects" ("name", "description", "isActive", "budget", "companyId", "createdAt")
   SELECT 'Project ' || i, CASE WHEN i % 3 > 0 THEN 'About the goals of project ' || i END, i % 6 > 0, (i * 37 % 100000)::numeric + 0.5,
          i % ${ROWS.companies} + 1, timestamptz '2021-01-01' + i * interval '3 hours'
   FROM generate_series(1, ${ROWS.projects}) i`,
  `INSERT INTO "users" ("email", "firstName", "lastName", "age", "balance", "score", "isActive", "role", "tags", "settings", "birthDate",
                        "createdAt", "updatedAt", "companyId", "mainProjectId")
   SELECT 'user' || i || '@example.com', 'First ' || i % 97, 'Last ' || i * 31 % 8901, CASE WHEN i % 11 > 0 THEN 18 + i % 60 END,
          (i % 10007)::numeric + 0.75, (i % 1000) / 8.0, i % 13 > 1, (ARRAY['admin', 'member', 'guest'])[i % 3 + 1]::"users_role_enum",
          CASE WHEN i % 4 > 0 THEN ARRAY['t' || i % 7, 'a "quoted" tag'] END, jsonb_build_object('theme', 'light', 'size', i % 20),
          date '1960-01-01' + i % 15000, timestamptz '2022-01-01' + i * interval '61.123 seconds',
          timestamptz '2024-06-01' + i * interval '17.501 seconds', i % ${ROWS.companies} + 1, i % ${ROWS.projects} + 1
   FROM generate_series(1, ${ROWS.users}) i`,
  `INSERT INTO "user_projects" ("userId", "projectId")
   SELECT i, (i * 7 + l * 1667) % ${ROWS.projects} + 1
   FROM generate_series(1, ${ROWS.users}) i, generate_series(1, ${ROWS.linksOfUser}) l`,
  // Autovacuum would wake up in the middle of somebody's round; vacuumed is between workloads instead.
  `ALTER TABLE "users" SET (autovacuum_enabled = false)`,
  `VACUUM (ANALYZE)`,
];

/**
 * A commit does not wait for the disk, which would measure the disk. All pages are in memory, where one costs what another does: by the default, which thinks of disks, it hangs
 * on the sample that ANALYZE takes whether a join of a few hundred users reads them by their key or all of them.
 */
const SETTINGS = ['synchronous_commit = off', 'random_page_cost = 1.1'];

/** Makes and seeds the database. */
export async function makeDatabase(postgresUrl: string): Promise<BenchDatabase> {
  const name = `nestwright_bench_${randomBytes(5).toString('hex')}`;
  const admin = new pg.Client({ connectionString: postgresUrl });

  await admin.connect();
  await admin.query(`CREATE DATABASE "${name}"`);

  const address = new URL(postgresUrl);

  address.pathname = `/${name}`;

  const url = address.href;
  const drop = async (): Promise<void> => {
    await admin.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    await admin.end();
  };

  try {
    for (const setting of SETTINGS) await admin.query(`ALTER DATABASE "${name}" SET ${setting}`);
    await makeTables(url);

    const client = new pg.Client({ connectionString: url, application_name: 'harness' });

    // The last statement ends every connection to the database, this one included.
    client.on('error', () => undefined);
    await client.connect();
    for (const statement of SEED) await client.query(statement);

    const { rows } = await client.query<{ server_version: string }>('SHOW server_version');

    return { url, version: rows[0]!.server_version, client, restore: () => restore(client), drop };
  } catch (error) {
    await drop();
    throw error;
  }
}

async function makeTables(url: string): Promise<void> {
  const source = new DataSource({ type: 'postgres', url, entities: [User, Company, Project], synchronize: true });

  await source.initialize();
  await source.destroy();
}

async function restore(client: pg.Client): Promise<void> {
  await client.query('DELETE FROM "users" WHERE "id" > $1', [ROWS.users]);
  await client.query('VACUUM (ANALYZE) "users"');
}
