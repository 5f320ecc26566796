/** A MariaDB server of the suite's own, that may be made read-only, filled with connections and stopped. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createConnection } from 'mysql2/promise';
import { freePort } from './free-port.js';

const run = promisify(execFile);
/** MariaDB refuses to run as root; `nobody` exists everywhere. */
const NOBODY = 65534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The server's program; undefined where it is not installed. */
export const MARIADB_PROGRAM: string | undefined = ['/usr/sbin/mariadbd', '/usr/bin/mariadbd'].find((path) =>
  existsSync(path),
);

/** A server on a free port of 127.0.0.1. */
export class PrivateMariadb {
  private server?: ChildProcess;

  private constructor(
    private readonly home: string,
    private readonly port: number,
  ) {}

  /** Makes an empty server with a database `app`, and starts it. */
  static async create(): Promise<PrivateMariadb> {
    const home = mkdtempSync(join(tmpdir(), 'nestwright-mariadb-'));
    chmodSync(home, 0o755);
    const server = new PrivateMariadb(home, await freePort());
    mkdirSync(server.data, { mode: 0o700 });
    if (owner.uid !== undefined) chownSync(server.data, NOBODY, NOBODY);
    const options = ['--no-defaults', `--datadir=${server.data}`, '--auth-root-authentication-method=normal'];
    await run('mariadb-install-db', [...options, '--skip-test-db'], owner);
    await server.start();
    await server.query('CREATE DATABASE app CHARACTER SET utf8mb4');

    return server;
  }

  /** The URL of the database `app`, for a user that was made by a statement, or for `root`. */
  url(user = 'root'): string {
    return `mysql://${user}@127.0.0.1:${this.port}/app`;
  }

  async start(): Promise<void> {
    const { data } = this;
    this.server = spawn(
      MARIADB_PROGRAM!,
      [
        '--no-defaults',
        `--datadir=${data}`,
        `--port=${this.port}`,
        '--bind-address=127.0.0.1',
        `--socket=${join(data, 'socket')}`,
        '--character-set-server=utf8mb4',
        '--innodb-flush-log-at-trx-commit=0',
        '--innodb-buffer-pool-size=16M',
      ],
      { ...owner, stdio: 'ignore' },
    );
    for (;;) {
      try {
        await this.query('SELECT 1');

        return;
      } catch (error) {
        if (this.server.exitCode !== null) throw error;
        await sleep(50);
      }
    }
  }

  /** Runs one statement on a connection of its own, as `root`. */
  async query<T>(sql: string): Promise<T[]> {
    const connection = await createConnection({ host: '127.0.0.1', port: this.port, user: 'root' });
    try {
      return (await connection.query(sql))[0] as T[];
    } finally {
      await connection.end();
    }
  }

  /** Shuts it down as an operator would: connections are ended, statements are not awaited. */
  async stop(): Promise<void> {
    await this.end('SIGTERM');
  }

  /** Stops it and removes its files. */
  async remove(): Promise<void> {
    await this.end('SIGKILL');
    rmSync(this.home, { recursive: true, force: true });
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    const { server } = this;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(signal);
    await ended;
  }

  private get data(): string {
    return join(this.home, 'data');
  }
}
