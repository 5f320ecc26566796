/** A PostgreSQL server of the suite's own, that may be stopped and copied: from the operating system's binaries, since those of npm cannot make a replica. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { freePort } from './free-port.js';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';
/** PostgreSQL refuses to run as root; `nobody` exists everywhere. */
const NOBODY = 65534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
export const POSTGRES_PROGRAMS: string | undefined = (existsSync(INSTALLED) ? readdirSync(INSTALLED) : [])
  .sort((a, b) => Number(b) - Number(a))
  .map((version) => join(INSTALLED, version, 'bin'))
  .find((folder) => existsSync(join(folder, 'pg_basebackup')));

export class PrivatePostgres {
  private server?: ChildProcess;

  private constructor(
    private readonly home: string,
    private readonly port: number,
  ) {}

  /** Such as `postgres://postgres@127.0.0.1:40123/postgres`. */
  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  static async create(): Promise<PrivatePostgres> {
    const server = await PrivatePostgres.prepare();
    const options = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
    await run(program('initdb'), ['-D', server.data, ...options], owner);
    await server.start();
    return server;
  }

  /** Makes a replica that follows this server, and starts it. */
  async replicate(): Promise<PrivatePostgres> {
    const replica = await PrivatePostgres.prepare();
    const options = ['-d', this.url, '-R', '-X', 'stream', '-c', 'fast'];
    await run(program('pg_basebackup'), ['-D', replica.data, ...options], owner);
    await replica.start();
    return replica;
  }

  /** @param more Settings of the server beside its own. */
  async start(more: Readonly<Record<string, string>> = {}): Promise<void> {
    const own = { port: this.port, listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off' };
    const settings = Object.entries({ ...more, ...own }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    this.server = spawn(program('postgres'), ['-D', this.data, ...settings], { ...owner, stdio: 'ignore' });
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

  async query<T>(sql: string): Promise<T[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    return (await client.query(sql).finally(() => client.end())).rows as T[];
  }

  /** Stops it, connections and all: at once as a crash would, or `fast` as an operator would. */
  async stop(mode: 'immediate' | 'fast' = 'immediate'): Promise<void> {
    const { server } = this;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill(mode === 'fast' ? 'SIGINT' : 'SIGQUIT');
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  private get data(): string {
    return join(this.home, 'data');
  }

  private static async prepare(): Promise<PrivatePostgres> {
    const home = mkdtempSync(join(tmpdir(), 'nestwright-postgres-'));
    chmodSync(home, 0o755);
    mkdirSync(join(home, 'data'), { mode: 0o700 });
    if (owner.uid !== undefined) chownSync(join(home, 'data'), NOBODY, NOBODY);
    return new PrivatePostgres(home, await freePort());
  }
}

const program = (name: string): string => join(POSTGRES_PROGRAMS!, name);
