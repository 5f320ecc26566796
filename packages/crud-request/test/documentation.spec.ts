/** The pages of the query language say what the code does: their grammar is the parsers', their tables are the code's. */
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS, OPERATOR_MEANINGS, OPERATORS, parseQuery, QUERY_PARAMETERS } from '@nestwright/crud-request';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const page = (name: string): string => readFileSync(join(root, 'docs', name), 'utf8');
const document = page('query-language.md');

/** Rows of the table whose first column is called so, backticks taken off. */
function tableOf(heading: string): string[][] {
  const [, rows = ''] = new RegExp(`^\\| ${heading} \\|.*\\n\\|[-|]+\\n((?:\\|.*\\n)+)`, 'm').exec(document) ?? [];
  return rows
    .trim()
    .split('\n')
    .map((row) =>
      row
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

test('the grammar is the one at the head of the parsers', () => {
  const sources = join(root, 'packages/crud-request/src');
  const grammars = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => / \* @grammar\n([\s\S]*?)\n \*\//.exec(readFileSync(join(sources, file), 'utf8'))?.[1])
    .filter((grammar) => grammar !== undefined)
    .map((grammar) => grammar.replace(/^ \* /gm, ''));
  const documented = (/```ebnf\n([\s\S]*?)\n```/.exec(page('query-grammar.md'))?.[1] ?? '').split('\n\n');
  expect([grammars.length, documented.toSorted()]).toEqual([10, grammars.toSorted()]);
});

/** Whether a parameter that is sent twice is refused for that. */
function isRefusedTwice(name: string): boolean {
  try {
    parseQuery({ [name]: ['1', '2'] });
    return false;
  } catch (error) {
    return /more than once/.test(String(error));
  }
}

test('the parameters are those of the table', () =>
  expect(tableOf('Parameter').map(([name, alias, kind]) => [[name, alias].filter(Boolean), kind])).toEqual(
    Object.values(QUERY_PARAMETERS).map(({ names }) => [names, isRefusedTwice(names[0] as string) ? 'scalar' : 'list']),
  ));

test('the operators are those of the table', () => {
  const documented = tableOf('Operator').map(([name, kind, arity, fold]) => [name, kind, arity, fold === 'yes']);
  const actual = Object.values(OPERATORS).map(({ name, arity, foldable }) => [
    ...[name, OPERATOR_MEANINGS[name].kind, arity, foldable],
  ]);
  expect(documented.toSorted()).toEqual(actual.toSorted());
});

test('the limits are the defaults', () =>
  expect(
    Object.fromEntries(tableOf('Limit \\(`query.limits`\\)').map(([name, limit]) => [name, Number(limit)])),
  ).toEqual(DEFAULT_LIMITS));
