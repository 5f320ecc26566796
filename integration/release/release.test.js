/**
 * A release without publishing: each tarball is what npm would publish and publint and "Are the types wrong?" accept, and with each combination of
 * peers an empty application installs them, starts and answers. Every combination runs in each format on each HTTP platform, by a different line
 * of Node.js each time.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { compile } from '../../scripts/application.js';
import { NODE_LINES, PEERS } from '../../scripts/matrix/cells.js';
import { installNode } from '../../scripts/matrix/trees.js';
import { pack, serve } from '../../scripts/new-applications.js';
import { distTagOf } from '../../scripts/release.js';

const root = resolve(import.meta.dirname, '../..');
const FOLDERS = readdirSync(join(root, 'packages'));
const { version } = JSON.parse(readFileSync(join(root, 'lerna.json'), 'utf8'));
const TAG = distTagOf(version, readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));

const RUNS = ['esm', 'cjs'].flatMap((format) => ['express', 'fastify'].map((http) => ({ format, http })));

const home = mkdtempSync(join(tmpdir(), 'nestwright-release-'));
let packages;

before(() => {
  packages = pack(home, FOLDERS);
});

after(() => rmSync(home, { recursive: true, force: true }));

const npm = (folder, ...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

describe('what is published', () => {
  for (const folder of FOLDERS) {
    test(folder, async () => {
      const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'));
      const file = packages.get(manifest.name);
      const told = JSON.parse(npm(home, 'publish', file, '--dry-run', '--json', '--tag', TAG));
      const { id, files } = told[manifest.name] ?? told;
      assert.equal(id, `${manifest.name}@${version}`);
      assert.ok(files.some(({ path }) => path.startsWith('dist/')));
      assert.deepEqual(manifest.publishConfig, { access: 'public', provenance: true });

      const bytes = readFileSync(file);
      const tarball = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
      assert.deepEqual((await publint({ pack: { tarball }, strict: true })).messages, []);
      // Commands have no entries.
      if (manifest.main) assert.deepEqual((await checkPackage(createPackageFromTarballData(bytes))).problems, []);
    });
  }
});

/** Packages of the registry in an empty application, as its author names them. */
function peersOf(nest, orm) {
  const line = (name) => `@nestjs/${name}@^${nest}.0.0`;

  return [
    ...['common', 'core', 'platform-express', 'platform-fastify', 'swagger'].map(line),
    ...('typeorm' in orm ? [line('typeorm')] : []),
    ...Object.entries(orm).map(([name, range]) => `${name}@${range}`),
    ...['class-transformer', 'class-validator', 'reflect-metadata', 'rxjs', 'sql.js'],
  ];
}

async function send(url, method = 'GET', body = undefined) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url, { method, ...(body && { headers, body: JSON.stringify(body) }) });

  return [response.status, await response.json()];
}

for (const [at, { nest, orm }] of PEERS.entries()) {
  const [[name, range]] = Object.entries(orm);
  const adapter = name === 'typeorm' ? 'crud-typeorm' : 'crud-drizzle';

  describe(`Nest ${nest}, ${name} ${range}`, () => {
    const folder = join(home, `peers-${at}`);

    before(() => {
      mkdirSync(folder);
      writeFileSync(join(folder, 'package.json'), '{ "private": true }');
      const files = ['crud-request', 'crud', 'sql', adapter].map((each) => packages.get(`@nestwright/${each}`));
      npm(folder, 'install', '--no-audit', '--no-fund', '--loglevel=error', ...files, ...peersOf(nest, orm));
      for (const format of ['esm', 'cjs']) compile([join(import.meta.dirname, 'src')], join(folder, format), format);
    });

    for (const [index, { format, http }] of RUNS.entries()) {
      const line = NODE_LINES[(at + index) % NODE_LINES.length];

      test(`${format}, ${http}, Node.js ${line}`, async () => {
        const env = { ORM: name === 'typeorm' ? 'typeorm' : 'drizzle', HTTP: http };
        const { origin, stop } = await serve(folder, `"${node(line)}" ${format}/main.js`, env);
        try {
          const books = `${origin}/books`;
          const emma = { id: 1, title: 'Emma' };
          assert.deepEqual(await send(books, 'POST', { title: 'Emma' }), [201, emma]);
          assert.deepEqual(await send(`${books}?filter=title||$starts||Em`), [200, [emma]]);
          assert.deepEqual(await send(`${books}/1`, 'PATCH', { title: 'Persuasion' }), [
            200,
            { ...emma, title: 'Persuasion' },
          ]);
          assert.equal((await send(books, 'POST', { title: 1 }))[1].code, 'CRUD_INVALID_BODY');
          assert.equal((await send(`${books}?filter=nothing||$eq||1`))[1].code, 'CRUD_UNKNOWN_FIELD');
          assert.equal((await send(`${books}/2`))[0], 404);
          const [, document] = await send(`${origin}/docs-json`);
          assert.deepEqual(Object.keys(document.paths).sort(), ['/books', '/books/bulk', '/books/{id}']);
        } finally {
          await stop();
        }
      });
    }
  });
}

const nodes = new Map();

/** The program of a line of Node.js, installed at its first use. */
function node(line) {
  if (!nodes.has(line)) nodes.set(line, installNode(line, home));

  return nodes.get(line);
}
