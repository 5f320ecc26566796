/** Every choice of one related record per relation path: a left join in memory. */
import type { Choice } from './condition.js';
import { type Entry, isDeleted, relationOf, type Table, tableAt, waysTo } from './tables.js';

export interface ChoiceRules {
  /** Whether soft-deleted related records may be chosen. */
  readonly withDeleted: boolean;
  /** Paths whose record must be there; without one there is no choice at all. */
  readonly required: ReadonlySet<string>;
}

/** All paths that choosing along some paths decides about, those that lead on first. */
export function chosenPaths(paths: Iterable<string>): string[] {
  return [...new Set([...paths].flatMap(waysTo))].sort(
    (left, right) => left.split('.').length - right.split('.').length,
  );
}

/** The choices that a record offers; a path without related records offers one that is none. */
export function choicesOf(root: Table, entry: Entry, paths: readonly string[], rules: ChoiceRules): Choice[] {
  return paths.reduce<Choice[]>(
    (choices, path) =>
      choices.flatMap((choice) => {
        const related = relatedTo(root, choice.get(parentOf(path)), path, rules);
        const offered = related.length > 0 || rules.required.has(path) ? related : [undefined];

        return offered.map((record) => new Map([...choice, [path, record]]));
      }),
    [new Map([['', entry]])],
  );
}

/** The related records of a record, soft-deleted ones left out where they are to be. */
export function relatedTo(
  root: Table,
  parent: Entry | undefined,
  path: string,
  { withDeleted }: Pick<ChoiceRules, 'withDeleted'>,
): readonly Entry[] {
  if (!parent) return [];
  const relation = relationOf(tableAt(root, parentOf(path)), lastOf(path));
  const target = relation.target();

  return relation.of(parent).filter((related) => withDeleted || !isDeleted(target, related));
}

export function parentOf(path: string): string {
  return path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '';
}

export function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
