/** How often each cell and parameter was asked, and how often the answer told something: printed and asserted at the end of a run. */
import type { Answer } from '../evaluator/list.js';
import { type Cell, cellName, type ComparedType, type Position } from '../queries/cells.js';
import type { SpelledQuery } from '../queries/generate.js';

/** Every parameter of a list, under each of its names. */
const PARAMETERS = [
  's',
  'filter',
  'or',
  'join',
  'sort',
  'fields',
  'select',
  'limit',
  'per_page',
  'page',
  'offset',
  'includeDeleted',
] as const;
const POSITIONS: readonly Position[] = ['root', 'to-one', 'to-many', 'embedded', 'JSON path'];

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

  /** A table of types by positions: operators, and how often the rarest and the most frequent of them occurred. */
  print(): string {
    const types = [...new Set([...this.counts.values()].map(({ cell }) => cell.type))];
    const cellText = (type: ComparedType, position: Position): string => {
      const counts = [...this.counts.values()]
        .filter(({ cell }) => cell.type === type && cell.position === position)
        .map(({ count }) => count);

      return counts.length === 0 ? '–' : `${counts.length} × ${Math.min(...counts)}–${Math.max(...counts)}`;
    };
    const rows = types.map((type) => [type, ...POSITIONS.map((position) => cellText(type, position))]);

    return [
      `${this.queries} queries, ${this.counts.size} cells; nothing ${this.nothing}, everything ${this.everything}, telling ${(this.telling * 100).toFixed(1)} %`,
      [...this.parameters].map(([name, count]) => `${name} ${count}`).join(', '),
      ...[['operators × occurrences', ...POSITIONS], ...rows].map((row) =>
        row
          .map((text) => text.padEnd(16))
          .join(' ')
          .trimEnd(),
      ),
    ].join('\n');
  }
}
