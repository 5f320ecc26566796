/** Starts a bundled application and tells what it answers to a hostile client. One that does not start within half a minute fails with what it wrote. */
import { fork } from 'node:child_process';
import { clearTimeout, setTimeout } from 'node:timers';

const START_MS = 30_000;

const ada = { id: 1, email: 'ada@example.com' };
const phone = 'unlisted';

/** What an application answers that guards its records as it was told. */
export const GUARDED = {
  invalid: { status: 400, body: { code: 'CRUD_INVALID_BODY', field: 'email' } },
  created: { status: 201, body: { ...ada, phone } },
  list: { status: 200, body: [ada] },
  filtered: { status: 400, body: { code: 'CRUD_UNKNOWN_FIELD', field: 'secret' } },
  sorted: { status: 400, body: { code: 'CRUD_UNKNOWN_FIELD', field: 'secret' } },
  changed: { status: 400, body: { code: 'CRUD_INVALID_BODY', field: 'email' } },
  one: { status: 200, body: ada },
};

/** The answers to the requests of `GUARDED`; of an error only code and field. */
export async function attack(file, { node = process.execPath, env = process.env } = {}) {
  const server = fork(file, { execPath: node, execArgv: [], env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  try {
    const port = await portOf(server);
    const ask = async (path, body, method = body ? 'POST' : 'GET') => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const answer = await response.json();
      const { code, field } = answer;

      return { status: response.status, body: response.ok ? answer : { code, field } };
    };

    return {
      invalid: await ask('/users', { email: 'not an email', secret: 'hush' }),
      created: await ask('/users', { email: 'ada@example.com', secret: 'hush' }),
      list: await ask('/users'),
      filtered: await ask('/users?filter=secret||$eq||hush'),
      sorted: await ask('/users?sort=secret,ASC'),
      changed: await ask('/users/1', { email: 'not an email' }, 'PATCH'),
      one: await ask('/users/1'),
    };
  } finally {
    server.kill('SIGKILL');
  }
}

function portOf(server) {
  let written = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (text) => (written += text));

  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error(`did not start in time:\n${written}`)), START_MS);
    server.once('message', ({ port }) => resolve(port));
    server.once('close', (code) => reject(new Error(`ended with ${code}:\n${written}`)));
    for (const event of ['message', 'close']) server.once(event, () => clearTimeout(late));
  });
}
