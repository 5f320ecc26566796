import type { CondOperator } from './types/operators.js';

/** Name of an operator without the optional leading `$` and without the `L` that folds case. */
export type OperatorName = Exclude<WithoutDollar<`${CondOperator}`>, `${string}L`>;

type WithoutDollar<T extends string> = T extends `$${infer Name}` ? Name : never;

/** How many values an operator takes: none, one, exactly two, or a list of any length. */
export type OperatorArity = 'none' | 'one' | 'two' | 'list';

/** One row of {@link OPERATORS}. */
export interface OperatorDescriptor {
  /** Without `$` and without `L`. */
  readonly name: OperatorName;
  /** How many values it takes. */
  readonly arity: OperatorArity;
  /** Whether the operator has a variant ending in `L` that ignores case. */
  readonly foldable: boolean;
}

const rows = <Name extends OperatorName>(arity: OperatorArity, foldable: boolean, ...names: readonly Name[]) =>
  Object.fromEntries<OperatorDescriptor>(names.map((name) => [name, { name, arity, foldable }])) as Record<
    Name,
    OperatorDescriptor
  >;

/**
 * Every operator of the query language: how it is spelt. Its meaning is in {@link OPERATOR_MEANINGS}, which browsers
 * need not load.
 *
 * @example
 * OPERATORS.between.arity; // 'two'
 */
export const OPERATORS: Readonly<Record<OperatorName, OperatorDescriptor>> = /* @__PURE__ */ (() => ({
  ...rows('one', true, 'eq', 'ne', 'gt', 'lt', 'gte', 'lte', 'starts', 'ends', 'cont', 'excl'),
  ...rows('list', true, 'in', 'notin'),
  ...rows('none', false, 'isnull', 'notnull'),
  ...rows('two', true, 'between'),
  ...rows('list', false, 'contArr', 'intersectsArr'),
}))();

/** An operator as a client named it. */
export interface FoundOperator {
  /** Its row in {@link OPERATORS}. */
  readonly operator: OperatorDescriptor;
  /** Whether the `L` variant was named: both sides are compared without regard to case. */
  readonly fold: boolean;
}

// A Map, not an object: a client may name an operator `constructor` or `__proto__`.
const SPELLINGS: ReadonlyMap<string, FoundOperator> = /* @__PURE__ */ (() => {
  const spellings = new Map<string, FoundOperator>();
  for (const operator of Object.values(OPERATORS)) {
    for (const fold of operator.foldable ? [false, true] : [false]) {
      const name = operator.name + (fold ? 'L' : '');
      const found = { operator, fold };
      spellings.set(name, found).set(`$${name}`, found);
    }
  }
  return spellings;
})();

/**
 * The operator that a text names: `eq`, `$eq`, `eqL` and `$eqL` alike; `undefined` for anything else.
 *
 * @example
 * findOperator('$contL'); // { operator: OPERATORS.cont, fold: true }
 * findOperator('toString'); // undefined
 */
export function findOperator(text: string): FoundOperator | undefined {
  return SPELLINGS.get(text);
}

/**
 * The spelling that the builder and {@link printSearch} use: `$` in front, `L` behind if case is folded.
 *
 * @example
 * spellOperator(OPERATORS.cont, true); // '$contL'
 */
export function spellOperator(operator: OperatorDescriptor, fold: boolean): string {
  return `$${operator.name}${fold ? 'L' : ''}`;
}
