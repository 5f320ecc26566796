/** Installs what the benchmarks need, puts this repository's packages beside it as npm would deliver them, and compiles. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const benchmarks = join(root, 'benchmarks');

/** @type {(folder: string, command: string, ...args: string[]) => void} Output goes to stderr: stdout is the table's. */
const run = (folder, command, ...args) => {
  execFileSync(command, args, { cwd: folder, stdio: ['ignore', 2, 2] });
};

/** Installs a folder's packages unless that was done since its lock file was written. */
async function install(folder) {
  const done = join(folder, 'node_modules/.package-lock.json');

  if (existsSync(done) && (await stat(done)).mtimeMs > (await stat(join(folder, 'package-lock.json'))).mtimeMs) return;
  run(folder, 'npm', 'ci', '--no-audit', '--no-fund', '--loglevel=error');
}

/**
 * Packs every package and unpacks it where npm would have put it. Not a link: a linked package would find the workspace's own Nest
 * and TypeORM, a second copy of each.
 */
async function deliver() {
  const folder = await mkdtemp(join(tmpdir(), 'nestwright-pack-'));
  const scope = join(benchmarks, 'node_modules/@nestwright');

  run(root, 'npm', 'pack', '--workspaces', '--ignore-scripts', '--silent', '--pack-destination', folder);
  await rm(scope, { recursive: true, force: true });
  for (const archive of await readdir(folder)) {
    const name = /^nestwright-(?!example|workspace)(.+)-\d/.exec(archive)?.[1];

    if (!name) continue;
    await mkdir(join(scope, name), { recursive: true });
    run(root, 'tar', '-xzf', join(folder, archive), '-C', join(scope, name), '--strip-components=1');
  }
  await rm(folder, { recursive: true });
}

await install(benchmarks);
await install(join(benchmarks, 'nest11'));
run(root, 'npm', 'run', '--silent', 'build');
await deliver();
run(root, 'npx', 'tsc', '-p', 'benchmarks');
run(root, 'npx', 'tsc', '-p', 'benchmarks/nest11');
