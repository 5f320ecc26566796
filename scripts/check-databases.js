/** Reaches the servers that POSTGRES_URL and MYSQL_URL name and prints their versions; fails where one is not named or does not answer. */
import { createConnection } from 'mysql2/promise';
import pg from 'pg';

const { POSTGRES_URL, MYSQL_URL } = process.env;
if (!POSTGRES_URL || !MYSQL_URL) throw new Error('POSTGRES_URL and MYSQL_URL must both be set.');

const postgres = new pg.Client({ connectionString: POSTGRES_URL });
await postgres.connect();
console.log((await postgres.query('SELECT version()')).rows[0].version);
await postgres.end();

const mysql = await createConnection(MYSQL_URL.replace(/^mariadb:/, 'mysql:'));
console.log((await mysql.query('SELECT version() AS version'))[0][0].version);
await mysql.end();
