/** What trials of new applications have in common: the packages as they are published, applications that serve. */
import { spawn, spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';

const root = resolve(import.meta.dirname, '..');

/** How long `npm start` may take, in ms: it compiles the application. */
const PATIENCE = 120_000;

/** Packs some of the built packages; answers their files by the names of the packages. */
export function pack(into, names) {
  const { status, stderr } = spawnSync(
    'npm',
    ['pack', '--pack-destination', into, ...names.flatMap((name) => ['-w', `packages/${name}`])],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);

  const packed = readdirSync(into);
  const fileOf = (name) => packed.find((file) => new RegExp(`^(nestwright-)?${name}-\\d`).test(file));

  return new Map(
    names.map((name) => [name.startsWith('create-') ? name : `@nestwright/${name}`, join(into, fileOf(name))]),
  );
}

/** Runs the command that serves until it answers. */
export async function serve(folder, command, env) {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const server = spawn(command, {
    cwd: folder,
    shell: true,
    detached: true,
    env: { ...process.env, ...env, PORT: port },
  });
  const exit = once(server, 'exit');
  let told = '';
  for (const stream of [server.stdout, server.stderr]) stream.setEncoding('utf8').on('data', (text) => (told += text));

  const stop = async () => {
    // The group: npm, the CLI and the application.
    if (server.exitCode === null) process.kill(-server.pid, 'SIGTERM');
    await exit;
  };
  const deadline = Date.now() + PATIENCE;
  while (!(await answers(origin))) {
    if (server.exitCode === null && Date.now() < deadline) {
      await setTimeout(100);
    } else {
      await stop();
      throw new Error(`${command} did not serve:\n${told}`);
    }
  }

  return { origin, stop };
}

const answers = (origin) =>
  fetch(origin).then(
    () => true,
    () => false,
  );

/** A free port below those that systems give out themselves: until the application is compiled, another process would get it. */
async function freePort() {
  const server = createServer().listen(randomInt(10_000, 32_768), '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (!isFree) return freePort();

  const { port } = server.address();
  server.close();
  await once(server, 'close');

  return port;
}
