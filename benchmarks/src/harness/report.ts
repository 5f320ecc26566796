/** Cells in, table and JSON out. */
import type { Plan } from './arguments.js';
import { contestant } from './contestants.js';
import type { Cell } from './measure.js';
import { workload } from './workloads.js';

/** What a run has found. */
export interface Findings {
  plan: Plan;
  cells: Cell[];
  /** Megabytes by server. */
  peakRss: Record<string, number>;
  postgres: string;
}

/** Writes the findings down. */
export function report({ plan, cells, peakRss, postgres }: Findings): { text: string; json: object; missed: boolean } {
  const lines = [
    '| Workload | Server | CPU min | CPU median | DB min | req/s | p50 | p99 | statements |',
    '|---|---|---|---|---|---|---|---|---|',
  ];

  for (const cell of cells) {
    const cpu = cell.rounds.map((round) => round.nodeCpu).sort((a, b) => a - b);
    const db = cell.rounds.map((round) => round.databaseCpu ?? NaN).sort((a, b) => a - b);
    const best = (pick: 'perSecond' | 'p50' | 'p99') => cell.rounds.map((round) => round[pick]).sort((a, b) => a - b);

    lines.push(
      `| ${cell.workload} ${workload(cell.workload).title} | ${contestant(cell.server).title} | ${cpu[0]!.toFixed(2)} | ${cpu[cpu.length >> 1]!.toFixed(2)} | ${db[0]!.toFixed(2)} | ${best('perSecond').at(-1)!.toFixed(0)} | ${best('p50')[0]!.toFixed(1)} | ${best('p99')[0]!.toFixed(1)} | ${cell.statements.toFixed(2)} |`,
    );
  }
  return { text: `${lines.join('\n')}\n`, json: { plan, cells, peakRss, postgres }, missed: false };
}
