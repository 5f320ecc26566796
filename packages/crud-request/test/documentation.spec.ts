/** The pages of the query language say what the code does: their grammar is the parsers', their tables are the code's. */
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, OPERATOR_MEANINGS, OPERATORS, parseQuery, QUERY_PARAMETERS } from '@nestwright/crud-request';
import { readPage, tableOf } from '../../../integration/test-support/pages.js';
import { refusalOf } from './refusal.js';

const PAGE = 'query-language.md';

test('the grammar is the one at the head of the parsers', () => {
  const sources = fileURLToPath(new URL('../src', import.meta.url));
  const grammars = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap(
      (file) => / \* @grammar\n([\s\S]*?)\n \*\//.exec(readFileSync(join(sources, file), 'utf8'))?.slice(1) ?? [],
    )
    .map((grammar) => grammar.replace(/^ \* /gm, ''));
  const documented = (/```ebnf\n([\s\S]*?)\n```/.exec(readPage('query-grammar.md'))?.[1] ?? '').split('\n\n');
  expect([grammars.length, documented.toSorted()]).toEqual([10, grammars.toSorted()]);
});

test('the parameters are those of the table, and scalars refused if they are sent twice', () => {
  const documented = tableOf(PAGE, 'Parameter').map(([name, alias, kind]) => [name, alias, kind].filter(Boolean));
  const kindOf = (name: string) =>
    refusalOf(() => parseQuery({ [name]: ['1', '2'] })).message?.includes('more than once') ? 'scalar' : 'list';
  expect(documented).toEqual(Object.values(QUERY_PARAMETERS).map(({ names }) => [...names, kindOf(names[0]!)]));
});

test('the operators are those of the table', () => {
  const actual = Object.values(OPERATORS).map(({ name, arity, foldable }) =>
    [name, OPERATOR_MEANINGS[name].kind, arity, foldable ? 'yes' : 'no'].join(),
  );
  const documented = tableOf(PAGE, 'Operator').map((row) => row.slice(0, 4).join());
  expect(documented.toSorted()).toEqual(actual.toSorted());
});

test('the limits are the defaults', () => {
  const rows = tableOf(PAGE, 'Limit (`query.limits`)').map(([name, limit]) => [name, Number(limit)]);
  expect(Object.fromEntries(rows)).toEqual(DEFAULT_LIMITS);
});
