/** What filter operators mean, for code that answers a query; browsers need not load it. */
import type { OperatorName } from './operators.js';

/** What an operator compares: values by their order or identity, texts by their characters, presence, or the items of an array. */
export type OperatorKind = 'comparison' | 'text' | 'null' | 'array';

/** One row of {@link OPERATOR_MEANINGS}. */
export interface OperatorMeaning {
  /** What it compares. */
  readonly kind: OperatorKind;
  /** Whether the operator says that something is not so. */
  readonly negated: boolean;
}

const says = (kind: OperatorKind): OperatorMeaning => ({ kind, negated: false });
const denies = (kind: OperatorKind): OperatorMeaning => ({ kind, negated: true });

/**
 * What every operator means. Planning, SQL and documentation read its row.
 *
 * @example
 * OPERATOR_MEANINGS.excl; // { kind: 'text', negated: true }
 */
export const OPERATOR_MEANINGS = /* @__PURE__ */ (() =>
  ({
    eq: says('comparison'),
    ne: denies('comparison'),
    gt: says('comparison'),
    lt: says('comparison'),
    gte: says('comparison'),
    lte: says('comparison'),
    starts: says('text'),
    ends: says('text'),
    cont: says('text'),
    excl: denies('text'),
    in: says('comparison'),
    notin: denies('comparison'),
    isnull: says('null'),
    notnull: denies('null'),
    between: says('comparison'),
    contArr: says('array'),
    intersectsArr: says('array'),
  }) satisfies Record<OperatorName, OperatorMeaning>)() as Readonly<Record<OperatorName, OperatorMeaning>>;
