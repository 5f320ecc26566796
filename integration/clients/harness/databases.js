/** In: POSTGRES_URL and MYSQL_URL. Out: the databases that the clients are tried on, each handed out empty under a random name. */
import { randomBytes } from 'node:crypto';
import mysql from 'mysql2/promise';
import pg from 'pg';

const { POSTGRES_URL, MYSQL_URL } = process.env;

async function onPostgres(statement) {
  const client = new pg.Client({ connectionString: POSTGRES_URL });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function onMysql(statement) {
  const connection = await mysql.createConnection(MYSQL_URL);
  try {
    await connection.query(statement);
  } finally {
    await connection.end();
  }
}

async function createOn(run, server) {
  const name = `clients_${randomBytes(6).toString('hex')}`;
  await run(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(`DROP DATABASE ${name}`) };
}

/** Name of each database of this run, and what makes a new one: its address, and how to drop it. SQLite always; servers where their address is given. */
export const DATABASES = {
  sqlite: async () => ({ url: 'sqljs:', drop: async () => {} }),
  ...(POSTGRES_URL && { postgres: () => createOn(onPostgres, POSTGRES_URL) }),
  ...(MYSQL_URL && { mysql: () => createOn(onMysql, MYSQL_URL) }),
};
