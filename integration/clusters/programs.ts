/** Programs of a trial: started as a user without rights, ended with it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../test-support/free-port.js';

const NOBODY = 65534;
const owner = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

export class Programs {
  readonly home: string;
  private readonly children = new Map<string, ChildProcess>();

  constructor(name: string) {
    this.home = mkdtempSync(join(tmpdir(), `nestwright-${name}-`));
    this.own(this.home);
  }

  folder(name: string): string {
    const path = join(this.home, name);
    mkdirSync(path, { mode: 0o700 });
    this.own(path);

    return path;
  }

  file(name: string, text: string): string {
    const path = join(this.home, name);
    writeFileSync(path, text);
    chmodSync(path, 0o644);

    return path;
  }

  async run(program: string, args: readonly string[]): Promise<string> {
    return (await promisify(execFile)(program, args, { ...owner, cwd: this.home, env: this.env })).stdout;
  }

  start(name: string, program: string, args: readonly string[]): void {
    const log = openSync(this.log(name), 'a');
    // A group of its own, so that its children end with it.
    const child = spawn(program, args, {
      ...owner,
      cwd: this.home,
      env: this.env,
      stdio: ['ignore', log, log],
      detached: true,
    });
    closeSync(log);
    this.children.set(name, child);
  }

  /** Signals a program and its children. */
  signal(name: string, signal: NodeJS.Signals): void {
    const child = this.children.get(name);
    if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
    process.kill(-child.pid, signal);
  }

  async kill(name: string): Promise<void> {
    const child = this.children.get(name);
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    this.signal(name, 'SIGKILL');
    await ended;
  }

  /** The end of a program's log. */
  tail(name: string): string {
    return readFileSync(this.log(name), 'utf8').split('\n').slice(-25).join('\n');
  }

  async remove(): Promise<void> {
    for (const name of this.children.keys()) await this.kill(name);
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  private log(name: string): string {
    return join(this.home, `${name}.log`);
  }

  private get env(): NodeJS.ProcessEnv {
    return { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', HOME: this.home, LC_ALL: 'C.UTF-8' };
  }

  private own(path: string): void {
    if (owner.uid !== undefined) chownSync(path, NOBODY, NOBODY);
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());

  return [...ports];
}

/** Repeats a check until it holds. */
export async function until(what: string, holds: () => Promise<boolean>, limit = 90_000): Promise<void> {
  const began = Date.now();
  while (!(await holds().catch(() => false))) {
    if (Date.now() - began > limit) throw new Error(`Not within ${limit} ms: ${what}`);
    await sleep(100);
  }
}

/** A HAProxy that leads to the servers whose checks succeed; later ones are used when the ones before are down. */
export function haproxyConfig(
  port: number,
  check: string,
  servers: readonly { port: number; checkPort: number }[],
  backup: boolean,
): string {
  const lines = servers.map(
    (server, index) =>
      `  server s${index} 127.0.0.1:${server.port} check port ${server.checkPort}${backup && index > 0 ? ' backup' : ''}`,
  );

  return `defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen database
  bind 127.0.0.1:${port}
  ${check}
  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${lines.join('\n')}
`;
}
