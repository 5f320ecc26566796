/** What filter operators mean, for code that answers a query; browsers need not load it. */
import type { OperatorName } from './operators.js';

/**
 * What an operator compares: values by their order or identity, texts by their characters, presence, or the items of an
 * array.
 */
export type OperatorKind = 'comparison' | 'text' | 'null' | 'array';

/** One row of {@link OPERATOR_MEANINGS}. */
export interface OperatorMeaning {
  /** What it compares. */
  readonly kind: OperatorKind;
  /** Whether the operator negates its condition. */
  readonly negated: boolean;
}

const positive = (kind: OperatorKind): OperatorMeaning => ({ kind, negated: false });
const negative = (kind: OperatorKind): OperatorMeaning => ({ kind, negated: true });

/**
 * What every operator means. Planning, SQL and documentation read its row.
 *
 * @example
 * OPERATOR_MEANINGS.excl; // { kind: 'text', negated: true }
 */
export const OPERATOR_MEANINGS = /* @__PURE__ */ (() =>
  ({
    eq: positive('comparison'),
    ne: negative('comparison'),
    gt: positive('comparison'),
    lt: positive('comparison'),
    gte: positive('comparison'),
    lte: positive('comparison'),
    starts: positive('text'),
    ends: positive('text'),
    cont: positive('text'),
    excl: negative('text'),
    in: positive('comparison'),
    notin: negative('comparison'),
    isnull: positive('null'),
    notnull: negative('null'),
    between: positive('comparison'),
    contArr: positive('array'),
    intersectsArr: positive('array'),
  }) satisfies Record<OperatorName, OperatorMeaning>)() as Readonly<Record<OperatorName, OperatorMeaning>>;
