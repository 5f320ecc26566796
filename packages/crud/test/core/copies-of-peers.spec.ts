/** Two copies of class-transformer in one application, and peers that are too old: the start is refused. */
import 'reflect-metadata';
import { afterAll, expect, test } from '@jest/globals';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OLDEST_PEERS, readsDecorators, supportsPeers } from '../../src/startup/peer-checks.js';

const roots: string[] = [];
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true, force: true })));

const OWN = ['node_modules', 'class-transformer', 'index.js'];
const NEST = ['node_modules', '@nestjs', 'common', 'index.js'];

/** Writes empty files below a folder of their own: the application's entry first. */
function write(...paths: readonly string[][]): string[] {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'copies-')));
  roots.push(root);

  return paths.map((path) => {
    const file = join(root, ...path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, '');

    return file;
  });
}

const twice = (own: string, name: string, other: string) =>
  `class-transformer is installed twice, and the decorators of one copy are unknown to the other: @nestwright/crud loads ${own}, ${name} loads ${other}. Install one copy`;

test('one copy is as it should be, and so is a bundle, in which no file is known', () => {
  const [entry, own] = write(['main.js'], OWN, NEST) as [string, string];

  for (const files of [{ own, entry }, { own: undefined, entry }, undefined])
    expect([...readsDecorators(files)]).toEqual([]);
});

test.each([
  ['the application', ['app', 'main.js'], ['app', ...OWN]],
  ['@nestjs/common', ['main.js'], ['node_modules', '@nestjs', ...OWN]],
])('both copies are named: that of %s', (name, entryPath, otherPath) => {
  const [entry, own, other] = write(entryPath, OWN, otherPath, NEST) as [string, string, string];
  expect([...readsDecorators({ own, entry })]).toEqual([twice(own, name, other)]);
});

test('the oldest supported versions are those of the manifests', () => {
  const ranges = ['crud', 'sql', 'crud-typeorm', 'crud-drizzle'].flatMap((folder) => {
    const manifest = readFileSync(join(import.meta.dirname, '../../..', folder, 'package.json'), 'utf8');

    return Object.entries((JSON.parse(manifest) as { peerDependencies: Record<string, string> }).peerDependencies);
  });
  const oldest = ranges.map(([name, range]) => [name, /\d[\d.]*/.exec(range)?.[0]]);
  expect(Object.fromEntries(oldest)).toEqual(OLDEST_PEERS);
});

test('versions of peers are read beside the application; what is not there is not missed', () => {
  const [entry] = write(['app', 'main.js'], ['app', 'node_modules', 'rxjs', 'index.js']) as [string];
  const install = (name: string, version: string) =>
    writeFileSync(join(entry, '../node_modules', name, 'package.json'), JSON.stringify({ name, version }));

  install('rxjs', '7.10.1');
  expect([...supportsPeers(entry)]).toEqual([]);
  install('rxjs', '6.6.7');
  expect([...supportsPeers(entry)]).toEqual(['rxjs is 6.6.7, but must be 7.8.0 or newer: npm install rxjs@latest']);
});

test('a peer of an adapter may be old where the adapter is not installed', () => {
  const modules = ['app', 'node_modules'];
  const [entry, drizzle] = write(['app', 'main.js'], [...modules, 'drizzle-orm', 'package.json']) as [string, string];
  writeFileSync(drizzle, JSON.stringify({ version: '0.30.0' }));
  expect([...supportsPeers(entry)]).toEqual([]);
  const adapter = join(entry, '../node_modules/@nestwright/crud-drizzle');
  mkdirSync(adapter, { recursive: true });
  writeFileSync(join(adapter, 'package.json'), JSON.stringify({ version: '1.0.0-rc.0' }));
  expect([...supportsPeers(entry)]).toEqual([expect.stringContaining('drizzle-orm is 0.30.0')]);
});
