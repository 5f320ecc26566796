/** Prints figures as Markdown, and writes them between two markers: all into docs/performance-figures.md, the headline into docs/performance.md. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { TOLERATED } from './bodies.js';
import { contestant, type ContestantName } from './contestants.js';
import type { Check } from './requirements.js';
import { BENCHMARKS } from './server-process.js';
import type { Summary } from './summary.js';
import { workload, type WorkloadName } from './workloads.js';

/** What a run has found. */
interface Findings {
  machine: Record<string, string>;
  summaries: Summary[];
  checks: Check[];
  /** Megabytes by server, in the whole run. */
  peakRss: Partial<Record<ContestantName, number>>;
}

/** The findings as sections of a document. */
export function markdown({ machine, summaries, checks, peakRss }: Findings): string {
  const names = [...new Set(summaries.map((summary) => summary.workload))];

  return [
    ...Object.entries(machine).map(([label, value]) => `- ${label}: ${value}`),
    '',
    'CPU in milliseconds per request, least / median of the rounds; p50 and p99 in milliseconds; statements per request without BEGIN and COMMIT.',
    '',
    ...names.flatMap((name) => [...tableOf(name, summaries), '']),
    '| Server | Peak RSS in MB |',
    '|---|---|',
    ...Object.entries(peakRss).map(
      ([name, megabytes]) => `| ${contestant(name as ContestantName).title} | ${megabytes.toFixed(0)} |`,
    ),
    '',
    'Answers were compared before they were timed. What may differ:',
    '',
    ...TOLERATED.map((difference) => `- ${difference}`),
    '',
    '| Promise | Measured | |',
    '|---|---|---|',
    ...checks.map(
      ({ text, measured, kept }) => `| ${text} | ${measured.toFixed(2)} | ${kept ? 'kept' : '**missed**'} |`,
    ),
    '',
  ].join('\n');
}

function tableOf(name: WorkloadName, summaries: Summary[]): string[] {
  return [
    `| ${name} ${workload(name).title} | node CPU | database CPU | req/s | p50 | p99 | statements |`,
    '|---|---|---|---|---|---|---|',
    ...summaries
      .filter((summary) => summary.workload === name)
      .map((summary) => {
        const { server, nodeMin, nodeMedian, databaseMin, databaseMedian, perSecond, p50, p99, statements } = summary;
        const cells = [
          contestant(server).title,
          `${nodeMin.toFixed(2)} / ${nodeMedian.toFixed(2)}`,
          `${databaseMin?.toFixed(2) ?? '–'} / ${databaseMedian?.toFixed(2) ?? '–'}`,
          perSecond.toFixed(0),
          p50.toFixed(1),
          p99.toFixed(1),
          String(Math.round(statements * 100) / 100),
        ];

        return `| ${cells.join(' | ')} |`;
      }),
  ];
}

/** What the headline compares, in the order of its columns. */
const HEADLINE = ['express', 'handwritten', 'dataui'] as const satisfies ContestantName[];

/** One table of the least node CPU of each workload. The front page of the site draws it. */
function headline({ machine, summaries }: Pick<Findings, 'machine' | 'summaries'>): string {
  const names = [...new Set(summaries.map((summary) => summary.workload))];
  const least = (name: WorkloadName, server: ContestantName) =>
    summaries.find((summary) => summary.workload === name && summary.server === server)?.nodeMin.toFixed(2) ?? '–';

  return [
    `CPU of the Node.js process in milliseconds per request, the least of the rounds. Measured on ${machine['Date']} at commit ${machine['Commit']}.`,
    '',
    `| Request | ${HEADLINE.map((server) => contestant(server).title).join(' | ')} |`,
    `|---|${'---|'.repeat(HEADLINE.length)}`,
    ...names.map((name) => {
      const cells = [`${name} ${workload(name).title}`, ...HEADLINE.map((server) => least(name, server))];

      return `| ${cells.join(' | ')} |`;
    }),
    '',
  ].join('\n');
}

const BEGIN = '<!-- written by npm run bench: begin -->';
const END = '<!-- written by npm run bench: end -->';

/** Puts the findings in the place of those of the last run. */
export async function publish(findings: Findings): Promise<void> {
  await replace('performance.md', headline(findings));
  await replace('performance-figures.md', markdown(findings));
}

async function replace(page: string, text: string): Promise<void> {
  const file = join(BENCHMARKS, '../docs', page);
  const [before, rest] = (await readFile(file, 'utf8')).split(BEGIN);
  const after = rest?.split(END)[1];

  if (before === undefined || after === undefined) throw new Error(`${file} has lost the markers of the table`);
  await writeFile(file, `${before}${BEGIN}\n${text}${END}${after}`);
}
