/** The syntax tree of conditions. */
import type { OperatorDescriptor } from '../operators.js';

/** Who wrote a comparison, if this is known: a client, or the server itself. */
export type ConditionAuthor = 'client' | 'server';

/** Conditions that all hold (`and`), or of which one does (`or`); an empty `or` matches nothing. */
export interface GroupNode {
  readonly kind: 'and' | 'or';
  /** In the order in which they were written. */
  readonly items: readonly ConditionNode[];
}

/** A negation in SQL's three-valued logic: unknown stays unknown. */
export interface NotNode {
  readonly kind: 'not';
  /** What is negated. */
  readonly item: ConditionNode;
}

/** Holds for every record: `{}`, `{field: {}}`, `{$and: []}`. */
export interface AlwaysNode {
  readonly kind: 'always';
}

/**
 * SQL's NULL: matches nothing, not even under `not`. Made of an undefined value (or a null that cannot mean IS NULL) in
 * a condition that the server wrote.
 */
export interface UnknownNode {
  readonly kind: 'unknown';
  /** Field whose value is missing; `''` if a whole condition is. */
  readonly field: string;
  /** Who wrote it. Default: not known. */
  readonly author?: ConditionAuthor;
}

/** A field, an operator and the value it takes. */
export interface ComparisonNode {
  readonly kind: 'comparison';
  /** Field path as written. */
  readonly field: string;
  /** Its row in `OPERATORS`. */
  readonly operator: OperatorDescriptor;
  /** Whether case is ignored. */
  readonly fold: boolean;
  /** By the operator's arity — one: a value; two: a pair; list: an array; none: undefined. */
  readonly value: unknown;
  /** Who wrote it. Default: not known. */
  readonly author?: ConditionAuthor;
}

/** A comparison by an operator of the application's own. */
export interface CustomNode {
  readonly kind: 'custom';
  /** Field path as written. */
  readonly field: string;
  /** Name in `operators.custom`. */
  readonly operator: string;
  /** Its value as written; a list if the operator takes one. */
  readonly value: unknown;
  /** Who wrote it. Default: not known. */
  readonly author?: ConditionAuthor;
}

/** A leaf of the tree. */
export type LeafNode = UnknownNode | ComparisonNode | CustomNode;

/** A condition as a tree. Names in it are as a client or the server wrote them: nothing is resolved yet. */
export type ConditionNode = GroupNode | NotNode | AlwaysNode | UnknownNode | ComparisonNode | CustomNode;

/** The one {@link AlwaysNode}. */
export const ALWAYS: AlwaysNode = { kind: 'always' };

/**
 * A conjunction or disjunction in its simplest form: of one item that item, of no items `always` for `and`.
 *
 * @example
 * group('and', []); // { kind: 'always' }
 */
export function group(kind: 'and' | 'or', items: readonly ConditionNode[]): ConditionNode {
  if (items.length === 1) return items[0] as ConditionNode;

  return items.length === 0 && kind === 'and' ? ALWAYS : { kind, items };
}

/**
 * Visits every comparison of a condition, in the order in which it was written.
 *
 * @example
 * visitComparisons(node, ({ field }) => fields.add(field));
 */
export function visitComparisons(node: ConditionNode, visit: (comparison: ComparisonNode | CustomNode) => void): void {
  // A stack of its own, since trees made by hand may be deeper than the call stack.
  const pending: ConditionNode[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.kind === 'comparison' || next.kind === 'custom') visit(next);
    else if (next.kind === 'not') pending.push(next.item);
    else if (next.kind === 'and' || next.kind === 'or')
      for (let index = next.items.length - 1; index >= 0; index--) pending.push(next.items[index] as ConditionNode);
  }
}
