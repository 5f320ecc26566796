/** Peers twice, too old, or unknown to mapped types of a bundle: the start is refused. */
import 'reflect-metadata';
import { afterAll, expect, jest, test } from '@jest/globals';
import type { Type } from '@nestjs/common';
import * as swagger from '@nestjs/swagger';
import { IsEmail } from 'class-validator';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bareDefinition } from '../../src/definition/resource-definition.js';

/** Names its class as those of @nestjs/swagger do, and inherits nothing. */
const mapped =
  (prefix: string) =>
  (of: Type<object>): Type<object> => {
    const name = `${prefix}${of.name}`;
    return { [name]: class {} }[name]!;
  };
const PartialType = mapped('Partial');
jest.unstable_mockModule('@nestjs/swagger', () => ({ ...swagger, PartialType }));

const { inheritsByMappedTypes, OLDEST_PEERS, readsDecorators, supportsPeers } =
  await import('../../src/startup/peer-checks.js');

const roots: string[] = [];
afterAll(() => roots.forEach((root) => rmSync(root, { recursive: true, force: true })));

const OWN = ['node_modules', 'class-transformer', 'index.js'];
const NEST = ['node_modules', '@nestjs', 'common', 'index.js'];

/** Writes files below a folder of their own: the application's entry first. */
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

test('one copy of class-transformer is as it should be, and so is a bundle, in which no file is known', () => {
  const [entry, own] = write(['main.js'], OWN, NEST) as [string, string];
  for (const files of [{ own, entry }, { own: undefined, entry }, undefined])
    expect([...readsDecorators(files)]).toEqual([]);
  // Started by a tool, here Jest, an application has no entry.
  expect([...supportsPeers()]).toEqual([]);
});

test.each([
  ['the application', ['app', 'main.js'], ['app', ...OWN]],
  ['@nestjs/common', ['main.js'], ['node_modules', '@nestjs', ...OWN]],
])('both copies are named: that of %s', (name, entryPath, otherPath) => {
  const [entry, own, other] = write(entryPath, OWN, otherPath, NEST) as [string, string, string];
  expect([...readsDecorators({ own, entry })]).toEqual([
    `class-transformer is installed twice, and the decorators of one copy are unknown to the other: @nestwright/crud loads ${own}, ${name} loads ${other}. Install one copy`,
  ]);
});

test('the oldest supported versions are those of the manifests', () => {
  const ranges = ['crud', 'sql', 'crud-typeorm', 'crud-drizzle'].flatMap((folder) => {
    const manifest = readFileSync(join(import.meta.dirname, '../../..', folder, 'package.json'), 'utf8');
    return Object.entries((JSON.parse(manifest) as { peerDependencies: Record<string, string> }).peerDependencies);
  });
  const oldest = ranges.map(([name, range]) => [name, /\d[\d.]*/.exec(range)?.[0]]);
  expect(Object.fromEntries(oldest)).toEqual(OLDEST_PEERS);
});

test('versions of peers are read beside the application, and only of adapters that are installed', () => {
  const installed = ['rxjs', 'drizzle-orm', '@nestwright/crud-drizzle'];
  const manifests = installed.map((name) => ['app', 'node_modules', name, 'package.json']);
  const [entry, rxjs, drizzle, adapter] = write(['app', 'main.js'], ...manifests) as [string, string, string, string];
  const install = (file: string, version: string) => writeFileSync(file, JSON.stringify({ version }));

  install(rxjs, '7.10.1');
  install(drizzle, '0.30.0');
  rmSync(adapter);
  expect([...supportsPeers(entry)]).toEqual([]);
  install(rxjs, '6.6.7');
  install(adapter, '1.0.0-rc.0');
  expect([...supportsPeers(entry)]).toEqual([
    'drizzle-orm is 0.30.0, but must be 0.45.0 or newer: npm install drizzle-orm@latest',
    'rxjs is 6.6.7, but must be 7.8.0 or newer: npm install rxjs@latest',
  ]);
});

class User {
  @IsEmail({}, { groups: ['any'] }) email!: string;
}

class UserChange extends PartialType(User) {}
class UserView extends mapped('Pick')(User) {}
class UserEmail extends swagger.OmitType(User, []) {}
class Partial {}

const told = (type: string, made: string, [peer, what]: readonly [string, string]) =>
  `${type} is a mapped type (${made}), but mapped types of @nestjs/swagger do not inherit ${what}: bundle @nestjs/mapped-types with the same ${peer} as the application (docs/bundling.md#mapped-types)`;
const RULES = ['class-validator', 'the rules of class-validator, so that bodies would not be checked'] as const;
const HIDES = 'the decorators of class-transformer, so that @Exclude() would hide nothing';
const DECORATORS = ['class-transformer', HIDES] as const;
const ofEmail = [told('UserEmail', (Object.getPrototypeOf(UserEmail) as Type).name, DECORATORS)];
const ofChange = [RULES, DECORATORS].map((lost) => told('UserChange', 'PartialUser', lost));

test.each<[what: string, options: object, mistakes: string[]]>([
  ['a body, by rules and by decorators', { dto: { update: UserChange } }, ofChange],
  ['a body without validation, by decorators', { dto: { update: UserChange }, validation: false }, ofChange.slice(1)],
  ['an answer, by decorators', { serialize: { get: UserView } }, [told('UserView', 'PickUser', DECORATORS)]],
  ['a body that has its rules, by decorators', { dto: { update: UserEmail } }, ofEmail],
  ['no other class', { dto: { create: User, update: Partial }, serialize: { get: User, getMany: false } }, []],
])('mapped types that inherit nothing are told for %s', (_what, options, mistakes) => {
  const definition = { ...bareDefinition(), model: User, dto: {}, validation: {}, ...options };
  expect([...inheritsByMappedTypes({ definition } as never)]).toEqual(mistakes);
});
