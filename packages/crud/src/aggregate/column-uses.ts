/** Which functions and groups fit a column: the one table that start-up checks and plans read. */
import type { AggregateFunction, DateUnit } from '@nestwright/crud-request';
import type { CatalogColumn, ColumnKind } from '../plan/catalog.js';
import type { ResolvedColumn } from '../plan/read-plan.js';

const NUMBERS: readonly ColumnKind[] = ['integer', 'bigint', 'decimal', 'float'];
const MOMENTS: readonly ColumnKind[] = ['date', 'datetime'];
/** Values that are equal or not, on every database. */
const DISTINCT: readonly ColumnKind[] = [...NUMBERS, ...MOMENTS, 'time', 'text', 'boolean', 'uuid', 'enum'];
/** Values that have an order, on every database. */
const ORDERED: readonly ColumnKind[] = [...NUMBERS, ...MOMENTS, 'time', 'text'];

const FITTING: Readonly<Record<Exclude<AggregateFunction, 'count'>, readonly ColumnKind[]>> = {
  countDistinct: DISTINCT,
  sum: NUMBERS,
  avg: NUMBERS,
  min: ORDERED,
  max: ORDERED,
};

/** What is done with a column: it groups records, or something is computed of it. */
export interface ColumnUse {
  /** Default: it groups records. */
  readonly function?: AggregateFunction;
  /** Part of the calendar that groups them. Default: the value itself. */
  readonly unit?: DateUnit;
}

/** Why a column cannot be used so; undefined if it can. */
export function kindFault({ function: name, unit }: ColumnUse, { kind }: CatalogColumn): string | undefined {
  if (name === 'count') return undefined;
  if (name !== undefined)
    return FITTING[name].includes(kind) ? undefined : `${name} does not take values of this kind (${kind})`;
  if (unit !== undefined)
    return MOMENTS.includes(kind) ? undefined : `${unit} needs dates or moments, not values of this kind (${kind})`;

  return DISTINCT.includes(kind) ? undefined : `records cannot be grouped by values of this kind (${kind})`;
}

/** {@link kindFault} of a column in a plan, which may be of several records, or a part of a document. */
export function useFault(use: ColumnUse, { source, column, jsonPath }: ResolvedColumn): string | undefined {
  if (source.toMany) return 'There may be several values per record';

  return jsonPath.length > 0 ? 'Keys of JSON columns have no type' : kindFault(use, column);
}
