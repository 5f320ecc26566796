/**
 * Serves the built example by Node.js, Bun and Deno, the latter two as npm brings them, on Express and Fastify, and asks each the same; then has
 * the typed client call the example in each. Exits with 1 where an answer differs from that of Node.js.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './trees.js';

const root = resolve(import.meta.dirname, '../..');
const LIMIT_MS = 60_000;

const REQUESTS = [
  ['GET', '/companies?limit=2'],
  ['GET', '/companies/1?join=projects'],
  ['GET', `/users?join=company&filter=${encodeURIComponent('age||$gte||40')}&sort=age,DESC&limit=5&page=1`],
  ['GET', `/users?s=${encodeURIComponent('{"$or":[{"id":1},{"name.first":{"$starts":"J"}}]}')}`],
  ['GET', '/users?limit=x'],
  ['GET', `/users?filter=${encodeURIComponent('id;DROP TABLE users||$eq||1')}`],
  ['GET', '/users/999999'],
  ['POST', '/companies', { name: 'Runtime', domain: 'runtime.example' }],
  ['POST', '/companies', { name: '' }],
  ['PATCH', '/companies/1', { description: 'changed' }],
  ['GET', '/companies/1'],
  ['GET', '/docs-json'],
];

const home = await mkdtemp(join(tmpdir(), 'nestwright-runtimes-'));
let failed = 0;
let passed = 0;
try {
  if (run(home, 'npm', ['install', '--silent', '--no-save', '--prefix', home, 'bun', 'deno']) !== 0)
    throw new Error('npm could not install bun and deno');

  const bin = (name) => join(home, 'node_modules/.bin', name);
  const runtimes = [
    ['Bun', bin('bun'), []],
    ['Deno', bin('deno'), ['run', '-A', '--quiet']],
  ];
  for (const http of ['express', 'fastify']) {
    const [wanted, calls] = await answersOf(process.execPath, [], http);
    if (!calls.startsWith('{')) throw new Error(`the client, by Node.js: ${calls}`);
    for (const [name, program, args] of runtimes) {
      const [version] = `${spawnSync(program, ['--version']).stdout}`.split('\n');
      const [got, called] = await answersOf(program, args, http);
      const compared = [
        ...REQUESTS.map((request, at) => [request, wanted[at], got[at]]),
        ['the client', calls, called],
      ];
      const differing = compared.filter(([, one, two]) => one !== two);
      passed += compared.length - differing.length;
      failed += differing.length;
      console.log(
        `${name} (${version}) on ${http}: ${compared.length - differing.length} of ${compared.length} answers as by Node.js`,
      );
      for (const [request, one, two] of differing)
        console.log(`  ${JSON.stringify(request)}\n    ${cut(one)}\n    ${cut(two)}`);
    }
  }
} finally {
  await rm(home, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;

function cut(answer) {
  return `${answer}`.slice(0, 400);
}

/** Status, content type and body of each answer, without the moments at which records were written; and what the client prints. */
async function answersOf(program, args, http) {
  const port = await freePort();
  const { DATABASE_URL: _database, ...rest } = process.env;
  const env = { ...rest, PORT: `${port}`, HTTP: http, NODE_ENV: 'test' };
  const server = spawn(program, [...args, 'integration/example/dist/main.js'], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const until = Date.now() + LIMIT_MS;
    const url = `http://127.0.0.1:${port}`;
    while (server.exitCode === null && Date.now() < until && !(await answers(url))) await sleep(200);
    const given = [];
    for (const [method, path, body] of REQUESTS) {
      const sent =
        body === undefined
          ? {}
          : {
              headers: { 'content-type': 'application/json' },
              body: JSON.stringify(body),
            };
      given.push(await fetch(url + path, { method, ...sent }).then(describe, (error) => `no answer: ${error.message}`));
    }
    const client = spawn(program, [...args, 'scripts/matrix/client-calls.js', url], { cwd: root, env });
    let printed = '';
    for (const stream of [client.stdout, client.stderr]) stream.on('data', (data) => (printed += data));
    await once(client, 'close');

    return [given, printed];
  } finally {
    server.kill();
    if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
  }
}

function answers(url) {
  return fetch(`${url}/companies?limit=1`).then(
    () => true,
    () => false,
  );
}

async function describe(response) {
  const body = (await response.text()).replace(/"(createdAt|updatedAt)":"[^"]*"/g, '"$1":"…"');
  return `${response.status} ${response.headers.get('content-type')} ${body}`;
}

async function freePort() {
  const probe = createServer().listen(0);
  await once(probe, 'listening');
  const { port } = probe.address();
  probe.close();
  await once(probe, 'close');
  return port;
}
