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

const list = ({ children = [] }: Node, path = ''): string[] =>
  children.flatMap((child) =>
    child.type === 'test' ? [`${path}${child.name}`] : list(child, `${path}${child.name} › `),
  );

/** The tests that are left, each with the titles around it. */
function left(children: Node[], staysEverywhere: Parameters<typeof leaveOnePlace>[1] = () => false): string[] {
  const root = blockOf('ROOT', ...children);
  leaveOnePlace(root, staysEverywhere);
  return list(root);
}

test('a block runs at one place, whole', () => {
  const suite = (kind: string) => blockOf(`paging · ${kind}`, testOf('a'), blockOf('inner', testOf('b')));
  const tests = left([suite('sqlite'), suite('postgres')]);
  expect(tests.map((title) => title.replace(/ · \w+/, '')).sort()).toEqual(['paging › a', 'paging › inner › b']);
});

test('a suite of several databases or platforms runs at one of them', () => {
  const query = [
    blockOf('query · express', blockOf('express · sqlite', testOf('a'))),
    blockOf('query · fastify', blockOf('fastify · postgres', testOf('a'))),
  ];
  const skipped = { ...blockOf('paging · mysql', testOf('a')), mode: 'skip' };
  expect(left(query)).toHaveLength(1);
  expect(left([skipped, blockOf('paging · sqlite', testOf('a'))])).toHaveLength(2);
  expect(left([blockOf('one · postgres', testOf('a')), blockOf('other · sqlite', testOf('a'))])).toHaveLength(2);
});

test('suites that are asked for everywhere stay; a file in a group runs where it runs alone', () => {
  const suites = (name: string) =>
    ['sqlite', 'postgres', 'mysql'].map((kind) => blockOf(`${name} · ${kind}`, blockOf('inner', testOf('a'))));
  const isKit = (titles: readonly string[]) => titles.some((title) => title.startsWith('kit ·'));
  expect(left([blockOf('file', ...suites('kit'), ...suites('kits'))], isKit)).toHaveLength(4);
  for (const name of ['a', 'b', 'c'])
    expect(left([blockOf('file', ...suites(name))])).toEqual(left(suites(name)).map((title) => `file › ${title}`));
});

test('CI runs on each database what tells databases apart, and on both HTTP platforms what needs no database', () => {
  const compares = (...titles: string[]) => staysInCi(titles, false);
  const corpus = ['corpus of the example', 'corpus of the example on Drizzle'];
  expect(corpus.map((title) => compares(`${title} · express`, 'express · mysql'))).toEqual([true, false]);
  expect([compares('pipes · fastify'), compares('tenants · fastify', 'fastify · postgres')]).toEqual([true, false]);
  expect(staysInCi(['paging · mysql'], true)).toBe(true);

  // The titles by which it knows them.
  for (const [file, title] of [
    ['packages/crud-typeorm/test/kit/kit.spec.ts', "'the conformance kit'"],
    ['integration/corpus/describe-corpus.ts', '`corpus of the ${name}`'],
    ['integration/test/differences.spec.ts', "'differences'"],
  ] as const)
    expect(readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')).toContain(title);
});
