/** docs/performance.md opens with figures of docs/performance-figures.md, as `npm run bench` prints them. */
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTESTANTS, type ContestantName } from '../../benchmarks/src/harness/contestants.js';
import { type Findings, headline } from '../../benchmarks/src/harness/markdown.js';
import type { WorkloadName } from '../../benchmarks/src/harness/workloads.js';
import { ROOT } from './markdown.js';

type Summary = Findings['summaries'][number];
const SERVERS = Object.entries(CONTESTANTS) as [ContestantName, { title: string }][];

/** What `npm run bench` has written into a page. */
function generated(page: string): string {
  const text = readFileSync(join(ROOT, 'docs', page), 'utf8');
  return /<!-- written by npm run bench: begin -->\n([\s\S]*)<!-- written by npm run bench: end -->/.exec(text)![1]!;
}

test('the headline repeats the figures', () => {
  const figures = generated('performance-figures.md');
  const machine = Object.fromEntries(Array.from(figures.matchAll(/^- (\w+): (.*)$/gm), ([, ...entry]) => entry));
  const summaries = figures.split(/^\| (?=L\d)/m).flatMap((table) => {
    const workload = /^L\d+/.exec(table)?.[0] as WorkloadName | undefined;
    if (!workload) return [];
    return SERVERS.flatMap(([server, { title }]) => {
      const least = table.split(`\n| ${title} | `)[1];
      return least === undefined ? [] : [{ workload, server, nodeMin: Number.parseFloat(least) } as Summary];
    });
  });
  expect(summaries.length).toBeGreaterThan(50);
  expect(headline({ machine, summaries })).toBe(generated('performance.md'));
});
