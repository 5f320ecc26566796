/** Suites of several databases or platforms → what a short run takes of them. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { leaveOnePlace, staysInCi } from '../places.js';

interface Node {
  readonly type: 'test' | 'describeBlock';
  readonly name: string;
  readonly mode?: string;
  children?: Node[];
}

const testOf = (name: string): Node => ({ type: 'test', name });
const blockOf = (name: string, ...children: Node[]): Node => ({ type: 'describeBlock', name, children });

/** The tests that are left, each with the titles around it. */
const left = (...children: Node[]): string[] => leftOf(() => false, ...children);

function leftOf(
  staysEverywhere: (titles: readonly string[], hasOwnTests: boolean) => boolean,
  ...children: Node[]
): string[] {
  const root = blockOf('ROOT', ...children);
  leaveOnePlace(root, staysEverywhere);
  const list = ({ children: inner = [] }: Node, path: string): string[] =>
    inner.flatMap((child) =>
      child.type === 'test' ? [`${path}${child.name}`] : list(child, `${path}${child.name} › `),
    );

  return list(root, '');
}

const withoutPlace = (title: string) => title.replace(/ · \w+|express|fastify/g, '');

test('a block runs at one place, whole', () => {
  const suite = (kind: string) => blockOf(`paging · ${kind}`, testOf('a'), testOf('b'), blockOf('inner', testOf('c')));
  const tests = left(suite('sqlite'), suite('postgres'));

  expect(tests.map(withoutPlace).sort()).toEqual(['paging › a', 'paging › b', 'paging › inner › c']);
  const [a, b] = tests.filter((title) => !title.includes('inner'));
  expect(a!.replace(/a$/, '')).toBe(b!.replace(/b$/, ''));
});

test('a suite of databases and platforms, or of platforms, runs at one of its places', () => {
  const suite = (platform: string, kind: string) =>
    blockOf(`query · ${platform}`, blockOf(`${platform} · ${kind}`, testOf('a')));

  expect(left(suite('express', 'sqlite'), suite('fastify', 'postgres'))).toHaveLength(1);
  expect(left(blockOf('pipes · express', testOf('a')), blockOf('pipes · fastify', testOf('a')))).toHaveLength(1);
});

test('suites that are asked for everywhere stay', () => {
  const suites = ['kit', 'kits'].flatMap((name) =>
    ['sqlite', 'postgres', 'mysql'].map((kind) => blockOf(`${name} · ${kind}`, blockOf('inner', testOf('a')))),
  );

  expect(
    leftOf((titles) => titles.some((title) => title.startsWith('kit ·')), blockOf('file', ...suites))
      .map((title) => title.replace(/ · \w+/, ''))
      .sort(),
  ).toEqual([...Array.from({ length: 3 }, () => 'file › kit › inner › a'), 'file › kits › inner › a']);
});

test('a file in a group runs where it runs alone', () => {
  for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
    const suites = () => ['sqlite', 'postgres'].map((kind) => blockOf(`${name} · ${kind}`, testOf('t')));

    expect(left(blockOf('file', ...suites()))).toEqual(left(...suites()).map((title) => `file › ${title}`));
  }
});

test('everything else stays', () => {
  const skipped = { ...blockOf('paging · mysql', testOf('a')), mode: 'skip' };

  expect(left(skipped, blockOf('paging · sqlite', testOf('a')))).toEqual(['paging · mysql › a', 'paging · sqlite › a']);
  expect(left(blockOf('one · postgres', testOf('a')), blockOf('other · sqlite', testOf('a')))).toHaveLength(2);
});

test('CI runs on each database what tells databases apart, and on both HTTP platforms what needs no database', () => {
  const compares = (...titles: string[]) => staysInCi(titles, false);

  expect(compares('kit', 'the conformance kit · mysql')).toBe(true);
  expect(compares('corpus of the example · express', 'express · mysql')).toBe(true);
  expect(compares('corpus of the example on Drizzle · express', 'express · mysql')).toBe(false);
  expect(compares('pipes · fastify')).toBe(true);
  expect(compares('tenants · fastify', 'fastify · postgres')).toBe(false);
  expect(staysInCi(['paging · mysql'], true)).toBe(true);
});

test.each([
  ['packages/crud-typeorm/test/kit/kit.spec.ts', "'the conformance kit'"],
  ['integration/corpus/describe-corpus.ts', '`corpus of the ${name}`'],
  ['integration/test/oracle/oracle.spec.ts', "'oracle'"],
])('%s has the title by which CI knows it', (file, title) => {
  expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toContain(title);
});
