/**
 * `npm create nestwright`: an application of either ORM, which finds what it depends on in the workspace; under TESTS=all every combination, from the packed packages, with what npm
 * installs.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { pack, serve } from '../../scripts/new-applications.js';
import { TESTS_ALL } from '../../scripts/node-tests.js';

const PACKAGES = [
  'create-nestwright',
  'crud-request',
  'crud',
  'sql',
  'crud-typeorm',
  'crud-drizzle',
  'client',
  'schematics',
  'react-admin',
];
const EITHER_ORM = [
  ['12', 'typeorm', 'sqlite', 'no'],
  ['12', 'drizzle', 'postgres', 'no'],
];
const EVERY = ['12', '11'].flatMap((nest) =>
  ['typeorm', 'drizzle'].flatMap((orm) =>
    ['sqlite', 'postgres', 'mariadb'].flatMap((database) => ['yes', 'no'].map((admin) => [nest, orm, database, admin])),
  ),
);
const COMBINATIONS = TESTS_ALL ? EVERY : EITHER_ORM;

/** One more is added by the CLI of Nest, which only npm installs. */
const RESOURCES = ['authors', 'books', ...(TESTS_ALL ? ['publishers'] : [])];

const { MYSQL_URL } = process.env;
const ROOT = resolve(import.meta.dirname, '../..');
const outputs = TESTS_ALL ? tmpdir() : join(ROOT, 'dist');
mkdirSync(outputs, { recursive: true });
const home = mkdtempSync(join(outputs, 'nestwright-create-'));
// A server that is started here does not run as root, and must reach its files.
execFileSync('chmod', ['755', home]);

let packages;
let command = join(ROOT, 'packages/create-nestwright/dist/cli.js');

before(() => {
  if (!TESTS_ALL) return;
  packages = pack(home, PACKAGES);
  const unpacked = join(home, 'command');
  mkdirSync(unpacked);
  execFileSync('tar', ['-xzf', packages.get('create-nestwright'), '--strip-components=1', '-C', unpacked]);
  command = join(unpacked, 'dist/cli.js');
});

after(() => rmSync(home, { recursive: true, force: true }));

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

function create(folder, ...options) {
  return execFileSync(process.execPath, [command, folder, '--yes', '--no-install', ...options], {
    cwd: home,
    encoding: 'utf8',
  });
}

/** What some applications depend on is installed once, where Node.js finds it above their folders. */
function install(folder, applications) {
  const read = applications.map((application) => readJson(join(folder, application, 'package.json')));
  const manifest = {
    private: true,
    dependencies: Object.assign({}, ...read.map(({ dependencies }) => dependencies)),
    devDependencies: Object.assign({}, ...read.map(({ devDependencies }) => devDependencies)),
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const files = [...packages].flatMap(([name, file]) => (name === 'create-nestwright' ? [] : [file]));
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...files], {
    cwd: folder,
    stdio: 'inherit',
  });
}

async function onMariaDb(statement) {
  const connection = await mysql.createConnection(MYSQL_URL);
  await connection.query(statement);
  await connection.end();
}

/** The title of the description of an application; undefined while it starts. */
const titleAt = (origin) =>
  fetch(`${origin}/docs-json`)
    .then((response) => response.json())
    .then(
      ({ info }) => info.title,
      () => undefined,
    );

const post = (url, body) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

for (const nest of new Set(COMBINATIONS.map(([line]) => line))) {
  describe(`Nest ${nest}`, () => {
    const applications = COMBINATIONS.filter(([line]) => line === nest).map(([, orm, database, admin]) => ({
      name: [orm, database, ...(admin === 'yes' ? ['admin'] : [])].join('-'),
      orm,
      database,
      admin,
    }));
    const folder = join(home, `nest${nest}`);

    before(() => {
      mkdirSync(folder);
      for (const { name, orm, database, admin } of applications)
        create(join(folder, name), '--nest', nest, '--orm', orm, '--database', database, '--admin', admin);
      if (TESTS_ALL) {
        install(
          folder,
          applications.map(({ name }) => name),
        );
      }
    });

    for (const { name, database, admin } of applications) {
      describe(name, { skip: database === 'mariadb' && !MYSQL_URL && 'MYSQL_URL names no server' }, () => {
        const application = join(folder, name);
        const schema = `nestwright_create_${process.pid}_${name.replaceAll('-', '_')}`;
        const env = database === 'mariadb' ? { DATABASE_URL: `${MYSQL_URL?.replace(/\/?$/, '')}/${schema}` } : {};

        before(async () => {
          if (database === 'mariadb') await onMariaDb(`CREATE DATABASE ${schema}`);
        });
        after(async () => {
          if (database === 'mariadb') await onMariaDb(`DROP DATABASE ${schema}`);
        });

        if (TESTS_ALL) {
          test('takes one more resource', () => {
            const { stdout, stderr } = spawnSync(
              'npx',
              'nest g -c @nestwright/schematics resource publishers'.split(' '),
              {
                cwd: application,
                encoding: 'utf8',
              },
            );
            assert.match(stdout, /CREATE.* src\/publishers\/publishers\.controller\.ts/);
            assert.doesNotMatch(stderr, /Add Publisher to the entities/);
          });
        }

        test('passes its own tests', () => {
          const told = execFileSync('npm', ['test'], {
            cwd: application,
            encoding: 'utf8',
            env: { ...withoutTestRunner(), ...env },
          });
          assert.match(told, TESTS_ALL ? /^. pass 3$/m : /^. pass 2$/m, told);
        });

        test('serves its resources, their description and the admin, and keeps its records', async () => {
          const first = await serve(application, 'npm start', env);
          try {
            assert.equal((await post(`${first.origin}/authors`, { name: 'George Eliot' })).status, 201);
            assert.equal((await post(`${first.origin}/books`, { title: 'Romola' })).status, 201);
            const page = await fetch(`${first.origin}/docs`);
            assert.match(await page.text(), /swagger-ui/);
            const description = await (await fetch(`${first.origin}/docs-json`)).json();
            assert.deepEqual(
              Object.keys(description.paths).sort(),
              RESOURCES.flatMap((name) => [`/${name}`, `/${name}/bulk`, `/${name}/{id}`]),
            );
            const screens = await fetch(`${first.origin}/admin`);
            assert.equal(screens.status, admin === 'yes' ? 200 : 404);
            if (admin === 'yes') {
              const [, script] = /src="(\/admin\/[^"]+)"/.exec(await screens.text());
              assert.equal((await fetch(first.origin + script)).status, 200);
            }
          } finally {
            await first.stop();
          }
          const second = await serve(application, 'npm start', env);
          try {
            const books = await (await fetch(`${second.origin}/books?filter=title||eq||Romola`)).json();
            assert.deepEqual(
              books.map(({ title, year }) => [title, year]),
              [['Romola', null]],
            );
          } finally {
            await second.stop();
          }
        });

        if (TESTS_ALL && database === 'sqlite') {
          test('is served anew after a change by start:dev', async () => {
            const { origin, stop } = await serve(application, 'npm run start:dev', env);
            try {
              const file = join(application, 'src/app.ts');
              writeFileSync(file, readFileSync(file, 'utf8').replace(/setTitle\([^)]*\)/, "setTitle('Changed')"));
              const deadline = Date.now() + 60_000;
              let title;
              while (title !== 'Changed' && Date.now() < deadline) {
                await setTimeout(500);
                title = await titleAt(origin);
              }
              assert.equal(title, 'Changed');
            } finally {
              await stop();
            }
          });
        }

        if (admin === 'yes') {
          test('has an admin that compiles', () => {
            const flags = '--noEmit --ignoreConfig --strict --skipLibCheck --target es2023 --module esnext';
            const bundled = '--moduleResolution bundler --jsx react-jsx --types react';
            execFileSync('npx', ['tsc', ...`${flags} ${bundled}`.split(' '), 'admin/main.tsx'], {
              cwd: application,
              stdio: 'inherit',
            });
          });
        }
      });
    }
  });
}

/** The tests that run here make Node.js believe that those of an application are a part of them. */
function withoutTestRunner() {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;

  return env;
}
