/* eslint-disable house/telling-file-name -- VitePress knows a loader of data by its name. */
/** The table that `npm run bench` writes at the top of docs/performance.md, for the figure on the front page. */
import { readFileSync } from 'node:fs';

/** Lists and writes, and those requests that save least: the whole table is a click away. */
const SHOWN = ['L1', 'L3', 'L4', 'L6', 'L7', 'L8'];

/** @param markdown docs/performance.md */
export function costsIn(markdown) {
  const [, table] = /<!-- written by npm run bench: begin -->\n([^]*?)<!--/.exec(markdown) ?? [];
  const [note, header, , ...rows] = table?.split('\n').filter((line) => line !== '') ?? [];
  const cells = (row) => row.slice(2, -2).split(' | ');

  const requests = SHOWN.map((name) => {
    const row = rows.find((each) => each.startsWith(`| ${name} `));
    if (!row) throw new Error(`docs/performance.md has no figures of ${name}`);
    const [title, ...texts] = cells(row);
    const costs = texts.map(Number);
    if (costs.some(Number.isNaN)) throw new Error(`docs/performance.md has a figure of ${name} that is no number`);

    return { title: title.slice(name.length + 1), costs };
  });

  return { note, servers: cells(header).slice(1), requests };
}

export default {
  watch: ['../../performance.md'],
  load: ([file]) => costsIn(readFileSync(file, 'utf8')),
};
