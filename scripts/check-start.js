/** Runs `npm start` on a free port from clean outputs; fails unless the example answers within 30 seconds, resource and document alike. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 30_000;

const probe = createServer().listen(0);
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');

spawnSync('npm', ['run', '--silent', 'clean'], { stdio: 'inherit' });
const began = Date.now();
// A process group of its own, so that npm, the shell and the server end together. DATABASE_URL unset: the embedded database.
const { DATABASE_URL: _database, ...env } = process.env;
const server = spawn('npm', ['start'], { env: { ...env, PORT: `${port}` }, stdio: 'inherit', detached: true });
let ended = false;
server.once('exit', () => (ended = true));

const statusOf = (path) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status,
    () => 0,
  );

while (!ended && Date.now() - began < LIMIT_MS && (await statusOf('/users')) === 0) await sleep(200);
const seconds = (Date.now() - began) / 1000;
const answers = {};
for (const path of ['/users?limit=1', '/docs', '/docs-json']) answers[path] = ended ? 0 : await statusOf(path);
if (!ended) process.kill(-server.pid, 'SIGTERM');

console.log(`npm start: ${seconds.toFixed(1)} s`, answers);
const served = seconds * 1000 < LIMIT_MS && Object.values(answers).every((status) => status === 200);
process.exit(served ? 0 : 1);
