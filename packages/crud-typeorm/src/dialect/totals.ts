/** What a database must tell to compute sums and averages exactly. */
import type { CatalogColumn } from '@nestwright/crud/adapter';

/** Digits that an average has behind those of its column. */
export const AVERAGE_DIGITS = 6;

/** How to round a bound between two possible values of a total: not at all, down or up. */
export type Rounding = 'exact' | 'floor' | 'ceil';

/** How one database computes exact totals; parts are columns of the grouping statement. */
export interface ExactTotals {
  /** What is selected of each group for the sum of a column. */
  parts(value: string, column: CatalogColumn): readonly string[];
  /** The sum, as it is ordered and compared. */
  sum(parts: readonly string[]): string;
  /** The average, rounded half up, away from zero, to {@link AVERAGE_DIGITS} more digits than the column has. */
  average(parts: readonly string[], count: string, column: CatalogColumn): string;
  /** The sum as a double. */
  double(parts: readonly string[]): string;
  /** An ordered total as a text. */
  selected(total: string): string;
  /** What was selected of a sum or an average, as a decimal number. */
  textOf(selected: string, column: CatalogColumn, isAverage: boolean): string;
  /** What a decimal number is bound as, to be compared with sums or averages of a column. */
  bound(text: string, rounding: Rounding, column: CatalogColumn, isAverage: boolean): unknown;
  placed(placeholder: string): string;
  /** Where a total may have more digits than the database computes with, which then silently returns another number. Default: it never does. */
  size?(value: string, column: CatalogColumn, isAverage: boolean): TotalSize | undefined;
}

/** How large a total may be. */
interface TotalSize {
  /** What is selected of each group: no total is larger. */
  readonly part: string;
  /** The bound from which a total is not sure to be right. */
  readonly beyond: string;
}

/** Digits behind the point of a column's values; undefined if each has its own. */
export function scaleOf({ kind, scale, precision }: CatalogColumn): number | undefined {
  if (kind !== 'decimal') return 0;

  return scale ?? (precision === undefined ? undefined : 0);
}
