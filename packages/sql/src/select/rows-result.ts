import { type Client, type ExportCells, NeedsRecords, refuseGone } from '@nestwright/crud/adapter';
import { takesFastPath } from '../database/fast-paths.js';
import type { ReadRows } from '../hydrate/read-rows.js';
import { hydrateRecords } from '../hydrate/records.js';
import { cellColumns, printCells } from '../json/cells.js';
import { getTextPlan, printTexts } from '../json/texts.js';
import type { Database, Entity } from '../database/database.js';

/** Sort values as a cursor holds them. */
export interface RowEdges {
  readonly first: readonly (string | null)[];
  readonly last: readonly (string | null)[];
}

/** Rows that can be turned into records or text, once. */
export class RowsResult<T extends Entity> {
  private made?: T[];

  /**
   * @param cut Whether there were more rows than asked for.
   */
  constructor(
    private read: ReadRows | undefined,
    private readonly context: { readonly database: Database; readonly client?: Client | undefined },
    readonly cut: boolean,
    /** The sort values of its first and last row; undefined if it has no rows, or is not read by a cursor. */
    readonly edges: RowEdges | undefined,
  ) {}

  get length(): number {
    return (this.made ?? this.read!.rows).length;
  }

  /** Makes the records at once, for load listeners and subscribers. */
  async make(): Promise<T[]> {
    return (this.made = await this.records());
  }

  records(): T[] | Promise<T[]> {
    // Only the catalog knows the records' class.
    return this.made ?? (hydrateRecords(this.take(), this.proceed) as Promise<T[]>);
  }

  texts(): string[] | Promise<string[]> | NeedsRecords {
    const plan = this.textPlan();

    return plan instanceof NeedsRecords ? plan : printTexts(this.take(), plan, this.proceed);
  }

  /** The records as a table; its columns are known even without records. */
  cells(): ExportCells | NeedsRecords {
    const plan = this.textPlan();
    if (plan instanceof NeedsRecords) return plan;

    return {
      columns: cellColumns(plan),
      rows: () => printCells(this.take(), plan, this.proceed),
    };
  }

  private textPlan(): ReturnType<typeof getTextPlan> {
    if (!takesFastPath(this.context.database, 'text')) return new NeedsRecords('the option fastPaths: false');
    if (this.made) return new NeedsRecords('@AfterLoad() or a subscriber');

    return getTextPlan(this.read!.statement);
  }

  /** Releases the rows, since the result may live until the response is sent. */
  private take(): ReadRows {
    const read = this.read!;
    this.read = undefined;

    return read;
  }

  private readonly proceed = (): void => refuseGone(this.context.client);
}
