/** Whether a condition of any depth holds for one choice of related records. */
import { type Comparison, holds, type Subject } from './comparison.js';
import type { Database } from './differences.js';
import { every, not, some, type Truth } from './logic.js';
import { type Entry, valueOf } from './tables.js';

/** A column that a resource lets clients compare, under the relation path that leads to it. */
export interface Field extends Subject {
  /** Path of relations from the root; empty for the root's own columns. */
  readonly relation: string;
}

export type Condition =
  | { readonly kind: 'compare'; readonly field: Field; readonly comparison: Comparison }
  | { readonly kind: 'and' | 'or'; readonly items: readonly Condition[] }
  /** Negates the conjunction of its items. */
  | { readonly kind: 'not'; readonly items: readonly Condition[] };

/** One choice: the record at each relation path, `''` being the root; none where there is no related record. */
export type Choice = ReadonlyMap<string, Entry | undefined>;

const GROUPS = {
  and: every,
  or: some,
  not: (truths: readonly Truth[]) => not(every(truths)),
} as const;

export function truthOf(condition: Condition, choice: Choice, database: Database): Truth {
  if (condition.kind === 'compare') {
    const { field, comparison } = condition;

    return holds(comparison, field, valueOf(choice.get(field.relation), field.column.path), database);
  }

  return GROUPS[condition.kind](condition.items.map((item) => truthOf(item, choice, database)));
}

/** Every comparison of a condition. */
export function comparisonsOf(condition: Condition): Extract<Condition, { kind: 'compare' }>[] {
  return condition.kind === 'compare' ? [condition] : condition.items.flatMap(comparisonsOf);
}
