/** The PostgreSQL of a test run: whoever started it outlives its end, as the report and the exit code of the run come after. */
import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeForgotten } from '../embedded-postgres.js';

test('a process goes on after it has stopped the server', () => {
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, '../embedded-postgres.js'))};
    const server = await startEmbeddedPostgres();
    await server.stop();
    console.log('went on');
    process.exitCode = 7;
  `;
  const { status, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' });
  expect([stdout.trim(), status]).toEqual(['went on', 7]);
}, 60_000);

test('what a killed run has left is removed, and nothing that is in use', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'forgotten-'));
  const lay = async (name: string, pid: string, time: number) => {
    const folder = join(parent, name);
    await mkdir(folder);
    if (pid !== '') await writeFile(join(folder, 'postmaster.pid'), `${pid}\n${folder}\n`);
    await utimes(folder, time, time);
  };
  const now = Date.now() / 1000;
  const day = now - 86_400;
  const used = ['nestwright-postgres-served', 'nestwright-postgres-starting', 'other'];
  await lay('nestwright-postgres-ended', '', day);
  await lay('nestwright-postgres-killed', '999999999', day);
  await lay(used[0]!, `${process.pid}`, day);
  await lay(used[1]!, '', now);
  await lay(used[2]!, '', day);
  await removeForgotten(parent);
  expect((await readdir(parent)).sort()).toEqual(used);
  await rm(parent, { recursive: true });
});
