/** The evaluator's table of differences and the one that users read, held equal. */
import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { type Difference, DIFFERENCES } from './evaluator/differences.js';

/** First cell of each row in the guide. */
const TITLES = {
  folding: 'Letters whose case `L` operators ignore',
  nulls: 'Nulls in an ascending sort',
  textOrder: 'Order of text (sort, `gt` `lt` `gte` `lte` `between`)',
  jsonTextOrder: 'Order of text in JSON (`gt` `lt` `gte` `lte` `between`)',
  uuidOrder: 'Order of uuids',
  enumOrder: 'Sort by an enum',
  decimals: 'A decimal column without a transformer',
} satisfies Record<keyof Difference, string>;

test('docs/databases.md has the differences that the evaluator knows, and no others', () => {
  const guide = readFileSync(new URL('../../../docs/databases.md', import.meta.url), 'utf8');
  const table = guide.split('\n\n').find((block) => block.startsWith('| | SQLite |')) ?? '';
  const lines = table.split('\n').slice(2);
  const rows = lines.map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim())); // prettier-ignore
  const { sqlite, postgres, mysql } = DIFFERENCES;
  const names = Object.keys(TITLES) as (keyof Difference)[];
  expect(rows).toEqual(names.map((name) => [TITLES[name], sqlite[name], postgres[name], mysql[name]]));
});
