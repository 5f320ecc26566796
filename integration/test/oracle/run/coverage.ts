/** How often each cell and parameter was asked, and how often the answer told something: asserted at the end of a run. */
import type { Answer } from '../evaluator/list.js';
import { type Cell, cellName } from '../queries/cells.js';
import type { SpelledQuery } from '../queries/generate.js';

/** Every parameter of a list, under each of its names. */
const PARAMETERS = 's filter or join sort fields select limit per_page page offset includeDeleted'.split(' ');

export class Coverage {
  private readonly counts = new Map<string, { readonly cell: Cell; count: number }>();
  private readonly parameters = new Map<string, number>(PARAMETERS.map((name) => [name, 0]));
  private nothing = 0;
  private everything = 0;
  private queries = 0;

  constructor(cells: readonly Cell[]) {
    for (const cell of cells) this.counts.set(cellName(cell), { cell, count: 0 });
  }

  add({ cells, url }: SpelledQuery, { total, ofAll }: Answer): void {
    const names = [...new URL(url, 'http://localhost').searchParams.keys()].map((name) => name.replace(/\[.*/, ''));
    for (const name of new Set(names)) this.parameters.set(name, (this.parameters.get(name) ?? 0) + 1);
    this.queries += 1;
    if (total === 0) this.nothing += 1;
    else if (total === ofAll) this.everything += 1;
    for (const cell of cells) {
      const counted = this.counts.get(cellName(cell));
      if (counted) counted.count += 1;
      else this.counts.set(cellName(cell), { cell, count: 1 });
    }
  }

  /** Cells that occurred less often than `least`. */
  lacking(least: number): string[] {
    return [...this.counts].filter(([, { count }]) => count < least).map(([name, { count }]) => `${name}: ${count}`);
  }

  /** Parameters that less than a share of the queries had. */
  seldom(share: number): string[] {
    return [...this.parameters]
      .filter(([, count]) => count < share * this.queries)
      .map(([name, count]) => `${name}: ${count}`);
  }

  /** Share of the queries that returned neither nothing nor everything. */
  get telling(): number {
    return 1 - (this.nothing + this.everything) / this.queries;
  }
}
