/** The PostgreSQL of a test run: whoever started it outlives its end, as the report and the exit code of the run come after. */
import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

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
