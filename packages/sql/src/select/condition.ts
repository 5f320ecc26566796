import type { PlannedComparison, PlannedCondition, PlannedCustom } from '@nestwright/crud/adapter';
import type { OperatorName } from '@nestwright/crud-request';
import { joinConditions } from './join-conditions.js';
import { listSize } from './list-size.js';
import { makeColumnOperand, makeOperand, type Operand } from './operand.js';
import { makeItemSource, makeValueSource } from './parameters.js';
import { columnSql, type Scope, type Writing } from './writing.js';
import { getColumn } from '../database/links.js';

type Kind = PlannedCondition['kind'];
type OfKind<K extends Kind> = Extract<PlannedCondition, { readonly kind: K }>;
type Clause<K extends Kind> = (condition: OfKind<K>, writing: Writing, scope: Scope) => string;

/** SQL's unknown truth value, on every database. */
const UNKNOWN = '(1 = NULL)';

const CLAUSES: { readonly [K in Kind]: Clause<K> } = {
  and: writeGroup,
  or: writeGroup,
  not: ({ item }, writing, scope) => `NOT (${writeCondition(item, writing, scope)})`,
  constant: ({ value }) => (value === 'unknown' ? UNKNOWN : value ? '1 = 1' : '1 = 0'),
  comparison: writeComparison,
  custom: writeCustom,
};

/** The text of a condition; groups within it are in parentheses. */
export function writeCondition(condition: PlannedCondition, writing: Writing, scope: Scope): string {
  // Each row takes its own kind of condition, which TypeScript cannot infer from the index.
  const clause = CLAUSES[condition.kind] as Clause<Kind>;

  return clause(condition, writing, scope);
}

function writeGroup(condition: OfKind<'and' | 'or'>, writing: Writing, scope: Scope): string {
  const items = condition.items.map((item) => writeCondition(item, writing, scope));

  return items.length === 1 ? items[0]! : `(${joinConditions(items, condition.kind === 'and' ? 'AND' : 'OR')})`;
}

type Comparison = (operand: Operand) => string;

const COMPARISONS = {
  eq: (operand) => operand.equal(operand.one()),
  ne: (operand) => operand.differ(operand.one()),
  gt: (operand) => `${operand.sql} > ${operand.latest()}`,
  lt: (operand) => `${operand.sql} < ${operand.earliest()}`,
  gte: (operand) => `${operand.sql} >= ${operand.earliest()}`,
  lte: (operand) => `${operand.sql} <= ${operand.latest()}`,
  starts: (operand) => operand.like('starts'),
  ends: (operand) => operand.like('ends'),
  cont: (operand) => operand.like('cont'),
  excl: (operand) => `NOT (${operand.like('cont')})`,
  in: (operand) => operand.member(),
  notin: (operand) => `NOT (${operand.member()})`,
  isnull: (operand) => `${operand.presence} IS NULL`,
  notnull: (operand) => `${operand.presence} IS NOT NULL`,
  between: (operand) => `${operand.sql} BETWEEN ${operand.earliest(0)} AND ${operand.latest(1)}`,
  contArr: (operand) => operand.hasItems('all'),
  intersectsArr: (operand) => operand.hasItems('any'),
} satisfies Record<OperatorName, Comparison>;

function writeComparison(comparison: PlannedComparison, writing: Writing, scope: Scope): string {
  return COMPARISONS[comparison.operator.name](makeColumnOperand(comparison, writing, scope));
}

/** The text of a comparison of an expression with a value of the column. */
export function writeValueComparison(value: string, comparison: PlannedComparison, writing: Writing): string {
  return COMPARISONS[comparison.operator.name](makeOperand(value, comparison, writing));
}

/** Marks the placeholder while the application's operator writes its SQL. */
const PLACE = '\u0002';

/**
 * The placeholder, with TypeORM's sign of a parameter before it (`:` or `:...`) if the operator writes one. A colon
 * behind a name, a number or a bracket is SQL's own (`tags[1:2]`).
 */
// eslint-disable-next-line no-control-regex
const PLACES = /(?:(?<![\w"`:)\]]):(?:\.\.\.)?)?\u0002/g;

function writeCustom({ column, operator, slot }: PlannedCustom, writing: Writing, scope: Scope): string {
  const custom =
    writing.operators && Object.hasOwn(writing.operators, operator) ? writing.operators[operator] : undefined;

  if (!custom?.query) throw new Error(`The operator ${JSON.stringify(operator)} has no query`);

  const { parameters, dialect, plan } = writing;
  const { bound } = dialect;
  const value = plan.values[slot];
  const marks =
    custom.isArray && Array.isArray(value)
      ? Array.from({ length: listSize(value.length) }, (_, index) =>
          parameters.mark(makeItemSource(slot, index, bound)),
        ).join(', ')
      : parameters.mark(makeValueSource(slot, bound));

  const text = custom.query(columnSql(writing, scope(column.source), getColumn(column.column)), PLACE);

  return `(${text.replace(PLACES, () => marks)})`;
}
