/** Plans one comparison over a resolved column. */
import {
  type ComparisonNode,
  OPERATOR_MEANINGS,
  type OperatorDescriptor,
  type OperatorKind,
  OPERATORS,
} from '@nestwright/crud-request';
import { listOperators } from '../definition/wording.js';
import { crudError } from '../errors.js';
import type { CatalogColumn, ColumnKind } from './catalog.js';
import type { PlannedComparison, PlannedCondition, ResolvedColumn } from './read-plan.js';
import { Refusal, wrongType } from './refusal.js';
import { printColumnPath } from './sources.js';
import { readText, refused, typedElement, typedValue } from './values.js';

type Reader = (column: CatalogColumn, raw: unknown) => unknown;
type Shape = Pick<PlannedComparison, 'operator' | 'fold' | 'as'>;
/** Plans an operator on a column, and appends its values. */
type Planner = (node: ComparisonNode, column: ResolvedColumn, values: unknown[], fold: boolean) => PlannedCondition;
type Planners = { readonly [K in OperatorKind]?: Planner };

const NUMBER: Planners = { comparison: planPlain, text: planText };
const MOMENT: Planners = { comparison: planPlain };

/**
 * Which operators a column takes, by its kind; every column takes those that ask for null. `key` is a path into a JSON
 * column.
 */
const PLANNERS = {
  text: { comparison: planPlain, text: planPlain },
  integer: NUMBER,
  bigint: NUMBER,
  decimal: NUMBER,
  float: NUMBER,
  boolean: { comparison: planPlain, text: planEquality },
  uuid: { comparison: planPlain, text: planText },
  enum: { comparison: planMember, text: planText },
  date: MOMENT,
  time: MOMENT,
  datetime: MOMENT,
  json: {},
  array: { array: planElements },
  binary: {},
  key: { comparison: planKey, text: planText },
} satisfies Record<ColumnKind | 'key', Planners> as Record<ColumnKind | 'key', Planners>;

/** Operators that compare for equality, so that no order of an enum's members is needed. */
const EQUALITY = new Set(['eq', 'ne', 'in', 'notin']);
/** The result of list operators for an empty list. */
export const RESULT_FOR_EMPTY_LIST: ReadonlyMap<string, boolean> = new Map([
  ['in', false],
  ['notin', true],
  ['contArr', true],
  ['intersectsArr', false],
]);
const NEGATED_TEXT = 'excl';

/** Plans one comparison; its values are appended to `values`. */
export function planComparison(node: ComparisonNode, column: ResolvedColumn, values: unknown[]): PlannedCondition {
  const { operator, fold, value } = node;
  const kind = column.jsonPath.length > 0 ? 'key' : column.column.kind;
  const meaning = OPERATOR_MEANINGS[operator.name].kind;
  if (meaning === 'null')
    return { kind: 'comparison', column, operator, fold: false, as: kind === 'key' ? 'text' : 'column' };

  const plan = PLANNERS[kind][meaning];
  if (!plan) throw inapplicable(column, PLANNERS[kind], operator);
  if (Array.isArray(value) && value.length === 0)
    return { kind: 'constant', value: RESULT_FOR_EMPTY_LIST.get(operator.name) ?? false };

  const isText = meaning === 'text' || kind === 'text' || kind === 'enum' || kind === 'key';

  return plan(node, column, values, isText && fold);
}

/** Compares by the column's type. */
function planPlain(node: ComparisonNode, column: ResolvedColumn, values: unknown[], fold: boolean): PlannedCondition {
  return compare({ operator: node.operator, fold, as: 'column' }, column, node.value, typedValue, values);
}

/** Compares the value's text. */
function planText(node: ComparisonNode, column: ResolvedColumn, values: unknown[], fold: boolean): PlannedCondition {
  const { kind } = column.column;
  // The text of a uuid is lower case, that of a number has no case: only the value is folded.
  const cased = kind === 'enum' || kind === 'json';
  const read = fold && !cased ? readFolded : readAsText;

  return compare({ operator: node.operator, fold: fold && cased, as: 'text' }, column, node.value, read, values);
}

/** Compares an enum's member, or its text if case or order matters. */
function planMember(node: ComparisonNode, column: ResolvedColumn, values: unknown[], fold: boolean): PlannedCondition {
  const { operator, value } = node;
  if (!fold && EQUALITY.has(operator.name)) return planPlain(node, column, values, fold);

  return compare({ operator, fold, as: 'text' }, column, value, fold ? readAsText : readMember, values);
}

/** Equal or not equal, whatever the operator. */
function planEquality(node: ComparisonNode, column: ResolvedColumn, values: unknown[]): PlannedCondition {
  const operator = node.operator.name === NEGATED_TEXT ? OPERATORS.ne : OPERATORS.eq;

  return planPlain({ ...node, operator }, column, values, false);
}

/** Compares lists. */
function planElements(
  { operator, value }: ComparisonNode,
  column: ResolvedColumn,
  values: unknown[],
): PlannedCondition {
  return compare({ operator, fold: false, as: 'column' }, column, value, typedElement, values);
}

/**
 * Compares a key of a JSON document: numbers with numbers, booleans with booleans, else text; a mixed list becomes one
 * comparison per type.
 */
function planKey(
  { operator, value }: ComparisonNode,
  column: ResolvedColumn,
  values: unknown[],
  fold: boolean,
): PlannedCondition {
  const given = operator.arity === 'one' ? [value] : asList(value, column);
  const types = [...new Set(given.map(classifyValue))];
  if (types.length > 1 && operator.arity !== 'list')
    throw refused(printColumnPath(column), 'must be compared with values of one type');

  const items = types.map((as) => {
    const ofType = given.filter((item) => classifyValue(item) === as);
    const shape: Shape = { operator, fold: fold && as === 'text', as };
    return compare(shape, column, operator.arity === 'one' ? ofType[0] : ofType, KEY_READERS[as], values);
  });

  return items.length === 1 ? items[0]! : { kind: OPERATOR_MEANINGS[operator.name].negated ? 'and' : 'or', items };
}

const KEY_READERS = {
  number: (_, raw) => (Number.isFinite(Number(raw)) ? Number(raw) : wrongType('must be a number')),
  boolean: (_, raw) => raw,
  text: readAsText,
} satisfies Record<'number' | 'boolean' | 'text', Reader>;

function classifyValue(value: unknown): 'number' | 'boolean' | 'text' {
  if (typeof value === 'number' || typeof value === 'bigint') return 'number';

  return typeof value === 'boolean' ? 'boolean' : 'text';
}

function compare(
  shape: Shape,
  column: ResolvedColumn,
  value: unknown,
  read: Reader,
  values: unknown[],
): PlannedComparison {
  const readOne = (raw: unknown) => {
    const typed = read(column.column, raw);
    if (typed instanceof Refusal) throw refused(printColumnPath(column), typed.text);
    return typed;
  };
  const slot = values.push(shape.operator.arity === 'one' ? readOne(value) : asList(value, column).map(readOne)) - 1;

  return { kind: 'comparison', column, ...shape, slot };
}

function asList(value: unknown, column: ResolvedColumn): readonly unknown[] {
  if (!Array.isArray(value)) throw refused(printColumnPath(column), 'must be compared with a list');

  return value;
}

function readAsText(_: CatalogColumn, raw: unknown): string | Refusal {
  return readText(raw);
}

function readFolded(_: CatalogColumn, raw: unknown): string | Refusal {
  const text = readText(raw);

  return text instanceof Refusal ? text : text.toLowerCase();
}

function readMember(column: CatalogColumn, raw: unknown): string | Refusal {
  const member = typedValue(column, raw);

  return member instanceof Refusal ? member : String(member);
}

function inapplicable(column: ResolvedColumn, planners: Planners, { name }: OperatorDescriptor): Error {
  const field = printColumnPath(column);
  const allowed = Object.values(OPERATORS).filter((operator) =>
    ['null', ...Object.keys(planners)].includes(OPERATOR_MEANINGS[operator.name].kind),
  );

  return crudError('CRUD_UNKNOWN_OPERATOR', {
    message: `${field} does not take the operator ${name}; allowed: ${listOperators(allowed).join(', ')}`,
    field,
  });
}
