/** Tables of the documentation, for tests that compare them with the code. */
import { readFileSync } from 'node:fs';

export const readPage = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** Rows of the table of a page whose heading starts so, cell by cell, without backticks. */
export function tableOf(name: string, heading: string): string[][] {
  const [, rest = ''] = readPage(name).split(`\n| ${heading} |`);
  const [table = ''] = rest.split(/\n(?!\|)/);
  const cellsOf = (row: string) => (row.match(/[^|]+/g) ?? []).map((cell) => cell.trim().replaceAll('`', ''));
  return table.split('\n').slice(2).map(cellsOf);
}
