/** Does what docs/start.md says in an empty folder, with this repository's packages in place of the published ones. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { root } from './page.js';

/** How long `npm start` may take, in ms: it compiles the application. */
const PATIENCE = 120_000;

// Who is asked whether npx may install the CLI says yes.
const ENV = { ...process.env, npm_config_yes: 'true' };

/** Packs the built packages; answers their files by the names of the packages. */
export function pack(into) {
  const names = ['crud', 'sql', 'crud-typeorm', 'crud-request'];
  const { status, stderr } = spawnSync(
    'npm',
    ['pack', '--pack-destination', into, ...names.flatMap((name) => ['-w', `packages/${name}`])],
    { cwd: root, encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);

  const packed = readdirSync(into);
  const fileOf = (name) => packed.find((file) => new RegExp(`^nestwright-${name}-\\d`).test(file));

  const files = new Map(names.map((name) => [`@nestwright/${name}`, join(into, fileOf(name))]));
  // The registry would bring it along.
  files.set('@nestwright/crud-typeorm', `${files.get('@nestwright/crud-typeorm')} ${files.get('@nestwright/sql')}`);

  return files;
}

/** Runs the commands but the last, which serves; `cd` changes the folder, as in a shell. Answers the folder. */
export function prepare(folder, commands, packages) {
  let here = folder;
  for (const command of commands) {
    if (command.startsWith('cd ')) {
      here = join(here, command.slice(3));
      continue;
    }
    const local = command
      .split(' ')
      .map((word) => packages.get(word) ?? word)
      .join(' ');
    const { status, stdout, stderr } = spawnSync(local, { cwd: here, shell: true, encoding: 'utf8', env: ENV });
    if (status !== 0) throw new Error(`${command} failed:\n${stdout}\n${stderr}`);
  }

  return here;
}

export function write(folder, files) {
  for (const [path, code] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), code);
  }
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

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');

  return port;
}
