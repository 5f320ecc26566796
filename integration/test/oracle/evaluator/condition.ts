/** Every choice of one related record per relation path, a left join in memory; and whether a condition of any depth holds for one. */
import { type Comparison, every, holds, not, some, type Subject, type Truth } from './comparison.js';
import type { Database } from './differences.js';
import { type Entry, isDeleted, relationOf, type Table, tableAt, valueOf, waysTo } from './tables.js';

/** A column that a resource lets clients compare, under the relation path that leads to it. */
export interface Field extends Subject {
  /** Path of relations from the root; empty for the root's own columns. */
  readonly relation: string;
}

/** `not` negates the conjunction of its items. */
export type Condition =
  | { readonly kind: 'compare'; readonly field: Field; readonly comparison: Comparison }
  | { readonly kind: 'and' | 'or' | 'not'; readonly items: readonly Condition[] };

/** One choice: the record at each relation path, `''` being the root; none where there is no related record. */
export type Choice = ReadonlyMap<string, Entry | undefined>;

const GROUPS = { and: every, or: some, not: (truths: readonly Truth[]) => not(every(truths)) } as const;

export function truthOf(condition: Condition, choice: Choice, database: Database): Truth {
  if (condition.kind !== 'compare')
    return GROUPS[condition.kind](condition.items.map((item) => truthOf(item, choice, database)));
  const { field, comparison } = condition;
  return holds(comparison, field, valueOf(choice.get(field.relation), field.column.path), database);
}

/** Every comparison of a condition. */
export const comparisonsOf = (condition: Condition): Extract<Condition, { kind: 'compare' }>[] =>
  condition.kind === 'compare' ? [condition] : condition.items.flatMap(comparisonsOf);

export interface ChoiceRules {
  /** Whether soft-deleted related records may be chosen. */
  readonly withDeleted: boolean;
  /** Paths whose record must be there; without one there is no choice at all. */
  readonly required: ReadonlySet<string>;
}

const depthOf = (path: string) => path.split('.').length;

/** All paths that choosing along some paths decides about, those that lead on first. */
export const chosenPaths = (paths: Iterable<string>): string[] =>
  [...new Set([...paths].flatMap(waysTo))].sort((left, right) => depthOf(left) - depthOf(right));

/** The choices that a record offers; a path without related records offers one that is none. */
export function choicesOf(root: Table, entry: Entry, paths: readonly string[], rules: ChoiceRules): Choice[] {
  let choices: Choice[] = [new Map([['', entry]])];
  for (const path of paths) {
    choices = choices.flatMap((choice) => {
      const related = relatedTo(root, choice.get(parentOf(path)), path, rules);
      const offered = related.length > 0 || rules.required.has(path) ? related : [undefined];
      return offered.map((record) => new Map([...choice, [path, record]]));
    });
  }
  return choices;
}

type WithDeleted = Pick<ChoiceRules, 'withDeleted'>;

/** The related records of a record, soft-deleted ones left out where they are to be. */
export function relatedTo(root: Table, parent: Entry | undefined, path: string, rules: WithDeleted): readonly Entry[] {
  if (!parent) return [];
  const relation = relationOf(tableAt(root, parentOf(path)), lastOf(path));
  return relation.of(parent).filter((related) => rules.withDeleted || !isDeleted(relation.target(), related));
}

export const parentOf = (path: string): string => (path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '');
export const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);
