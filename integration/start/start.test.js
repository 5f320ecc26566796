/**
 * The application of docs/start.md, on SQLite and PostgreSQL: over the packages as they are built, with Nest 12; under TESTS=all the page is followed word for word, with what npm
 * installs, and with Nest 11, too.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import pg from 'pg';
import { sendExample } from '../../scripts/http-examples.js';
import { pack, serve } from '../../scripts/new-applications.js';
import { TESTS_ALL } from '../../scripts/node-tests.js';
import { commands, examples, files, root } from './page.js';
import { prepare, write, writeProject } from './reader.js';

const POSTGRES = process.env['POSTGRES_URL'];
const DATABASE = `nestwright_start_${process.pid}`;

const outputs = TESTS_ALL ? tmpdir() : join(root, 'dist');
mkdirSync(outputs, { recursive: true });
const home = mkdtempSync(join(outputs, 'nestwright-start-'));
let packages;

before(() => {
  if (!TESTS_ALL) return;
  packages = pack(home, ['crud', 'sql', 'crud-typeorm', 'crud-request', 'schematics']);
  // The registry would bring it along.
  packages.set(
    '@nestwright/crud-typeorm',
    `${packages.get('@nestwright/crud-typeorm')} ${packages.get('@nestwright/sql')}`,
  );
});

after(() => rmSync(home, { recursive: true, force: true }));

async function answersAsThePageSays(folder, command, env = {}) {
  const { origin, stop } = await serve(folder, command, env);
  try {
    for (const example of examples) {
      const { came, page } = await sendExample(origin, example);
      assert.deepEqual(came, page, example.line);
    }
    const document = await (await fetch(`${origin}/docs-json`)).json();
    // Seven of books, and the one that `nest new` generates.
    assert.equal(Object.values(document.paths).flatMap(Object.keys).length, 8);
  } finally {
    await stop();
  }
}

/** Does something with the URL of a new database. */
async function withPostgres(use) {
  await onPostgres(`CREATE DATABASE ${DATABASE}`);
  try {
    await use(Object.assign(new URL(POSTGRES), { pathname: DATABASE }).href);
  } finally {
    await onPostgres(`DROP DATABASE ${DATABASE} WITH (FORCE)`);
  }
}

async function onPostgres(statement) {
  const client = new pg.Client({ connectionString: POSTGRES });
  await client.connect();
  await client.query(statement);
  await client.end();
}

test('the page has files, commands and requests', () => {
  assert.equal(examples.length, 5);
  assert.deepEqual(
    [...files('nest11', { postgres: false }).keys()],
    [
      'src/books/author.entity.ts',
      'src/books/book.entity.ts',
      'src/books/books.service.ts',
      'src/books/books.controller.ts',
      'src/app.module.ts',
      'src/main.ts',
    ],
  );
  assert.match(
    files('nest11', { postgres: true }).get('src/app.module.ts'),
    /imports: \[\n {4}TypeOrmModule\.forRoot\(\{\n {2}type: 'postgres'/,
  );
});

for (const nest of TESTS_ALL ? ['nest12', 'nest11'] : []) {
  describe(nest, () => {
    const toRun = commands(nest, { postgres: false });
    let folder;

    before(() => {
      mkdirSync(join(home, nest));
      folder = prepare(join(home, nest), toRun.slice(0, -1), packages);
    });

    test('SQLite', async () => {
      write(folder, files(nest, { postgres: false }));
      await answersAsThePageSays(folder, toRun.at(-1));
    });

    test('the tests that nest new generated', () => {
      prepare(folder, ['npm test', 'npm run test:e2e'], packages);
    });

    test('one more resource of @nestwright/schematics, and its test', async () => {
      prepare(folder, ['npm install --save-dev @nestwright/schematics'], packages);
      const command = 'nest g -c @nestwright/schematics resource library/publishers';
      const { stdout, stderr } = spawnSync('npx', command.split(' '), { cwd: folder, encoding: 'utf8' });
      assert.match(stdout, /src\/library\/publishers\/publishers\.spec\.ts/);
      assert.match(stderr, /Add Publisher to the entities/);
      const module = join(folder, 'src/app.module.ts');
      writeFileSync(module, readFileSync(module, 'utf8').replace(/entities: \[.*\]/, '$&, autoLoadEntities: true'));
      const { origin, stop } = await serve(folder, toRun.at(-1));
      try {
        const response = await fetch(`${origin}/publishers`);
        assert.deepEqual([response.status, await response.json()], [200, []]);
      } finally {
        await stop();
      }
      prepare(folder, ['npm test'], packages);
    });

    test('PostgreSQL', { skip: !POSTGRES && 'without POSTGRES_URL' }, async () => {
      const [install, start] = commands(nest, { postgres: true }).slice(-2);
      prepare(folder, [install], packages);
      write(folder, files(nest, { postgres: true }));
      await withPostgres((url) => answersAsThePageSays(folder, start, { DATABASE_URL: url }));
    });
  });
}

if (!TESTS_ALL) {
  describe('over the packages as they are built', () => {
    for (const database of ['SQLite', 'PostgreSQL']) {
      const postgres = database === 'PostgreSQL';
      test(database, { skip: postgres && !POSTGRES && 'without POSTGRES_URL' }, async () => {
        const folder = join(home, database);
        writeProject(folder);
        write(folder, files('nest12', { postgres }));
        const serves = (env) => answersAsThePageSays(folder, 'npm run start', env);
        if (postgres) await withPostgres((url) => serves({ DATABASE_URL: url }));
        else await serves();
      });
    }
  });
}
