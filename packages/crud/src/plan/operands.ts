/** Plans one comparison over a resolved column. */
import {
  type ComparisonNode,
  OPERATOR_MEANINGS,
  type OperatorDescriptor,
  type OperatorKind,
  OPERATORS,
} from '@nestwright/crud-request';
import { listOperators } from '../definition/operator-spellings.js';
import { crudError } from '../errors/errors.js';
import type { CatalogColumn, ColumnKind } from './catalog.js';
import type { PlannedComparison, PlannedCondition, ResolvedColumn } from './read-plan.js';
import { Refusal, wrongType } from './refusal.js';
import { pathOf } from './sources.js';
import { readText, refused, typedElement, typedValue } from './values.js';

/**
 * What becomes of an operator on a column: `plain` compares by the column's type, `text` compares the value's text,
 * `member` an enum's member or text, `equality` is equal or not equal whatever the operator, `key` goes by the type of
 * the value, `elements` compares lists.
 */
type Treatment = 'plain' | 'text' | 'member' | 'equality' | 'key' | 'elements';
type Treatments = { readonly [K in OperatorKind]?: Treatment };
type Reader = (column: CatalogColumn, raw: unknown) => unknown;
type Shape = Pick<PlannedComparison, 'operator' | 'fold' | 'as'>;

const NUMBER: Treatments = { comparison: 'plain', text: 'text' };
const MOMENT: Treatments = { comparison: 'plain' };

/**
 * Which operators a column takes, by its kind; every column takes those that ask for null. `key` is a path into a JSON
 * column.
 */
const TREATMENTS = {
  text: { comparison: 'plain', text: 'plain' },
  integer: NUMBER,
  bigint: NUMBER,
  decimal: NUMBER,
  float: NUMBER,
  boolean: { comparison: 'plain', text: 'equality' },
  uuid: { comparison: 'plain', text: 'text' },
  enum: { comparison: 'member', text: 'text' },
  date: MOMENT,
  time: MOMENT,
  datetime: MOMENT,
  json: {},
  array: { array: 'elements' },
  binary: {},
  key: { comparison: 'key', text: 'text' },
} satisfies Record<ColumnKind | 'key', Treatments> as Record<ColumnKind | 'key', Treatments>;

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
  const { operator, fold } = node;
  const kind = column.jsonPath.length > 0 ? 'key' : column.column.kind;
  const meaning = OPERATOR_MEANINGS[operator.name].kind;
  if (meaning === 'null')
    return { kind: 'comparison', column, operator, fold: false, as: kind === 'key' ? 'text' : 'column' };

  const treatment = TREATMENTS[kind][meaning];
  if (!treatment) throw inapplicable(column, TREATMENTS[kind], operator);

  const { value } = node;
  if (operator.arity === 'list' && Array.isArray(value) && value.length === 0)
    return { kind: 'constant', value: RESULT_FOR_EMPTY_LIST.get(operator.name) ?? false };

  const isText = meaning === 'text' || kind === 'text' || kind === 'enum' || kind === 'key';

  if (treatment === 'key') return planKey(node, column, values, fold);
  const { read, ...shape } = COMPARE[treatment](node, column.column, isText && fold);

  return compare(shape, column, value, read, values);
}

type Comparing = Shape & { readonly read: Reader };

/** How the values of a treatment are read and compared. */
const COMPARE = {
  plain: ({ operator }, _column, fold) => ({ operator, fold, as: 'column', read: typedValue }),
  text: ({ operator }, { kind }, fold) => {
    // The text of a uuid is lower case, that of a number has no case: only the value is folded.
    const cased = kind === 'text' || kind === 'enum' || kind === 'json';
    return { operator, fold: fold && cased, as: 'text', read: fold && !cased ? readFolded : readAsText };
  },
  member: ({ operator }, _column, fold) => {
    const isEqual = !fold && EQUALITY.has(operator.name);
    if (isEqual) return { operator, fold, as: 'column', read: typedValue };
    return { operator, fold, as: 'text', read: fold ? readAsText : readMember };
  },
  equality: ({ operator: { name } }) => {
    const operator = name === NEGATED_TEXT ? OPERATORS.ne : OPERATORS.eq;
    return { operator, fold: false, as: 'column', read: typedValue };
  },
  elements: ({ operator }) => ({ operator, fold: false, as: 'column', read: typedElement }),
} satisfies Record<
  Exclude<Treatment, 'key'>,
  (node: ComparisonNode, column: CatalogColumn, fold: boolean) => Comparing
>;

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
  const types = [...new Set(given.map(typeOf))];
  if (types.length > 1 && operator.arity !== 'list')
    throw refused(pathOf(column), 'must be compared with values of one type');

  const items = types.map((as) => {
    const ofType = given.filter((item) => typeOf(item) === as);
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

function typeOf(value: unknown): 'number' | 'boolean' | 'text' {
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
    if (typed instanceof Refusal) throw refused(pathOf(column), typed.text);
    return typed;
  };
  const slot = values.push(shape.operator.arity === 'one' ? readOne(value) : asList(value, column).map(readOne)) - 1;

  return { kind: 'comparison', column, ...shape, slot };
}

function asList(value: unknown, column: ResolvedColumn): readonly unknown[] {
  if (!Array.isArray(value)) throw refused(pathOf(column), 'must be compared with a list');

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

function inapplicable(column: ResolvedColumn, treatments: Treatments, { name }: OperatorDescriptor): Error {
  const field = pathOf(column);
  const allowed = Object.values(OPERATORS).filter((operator) =>
    ['null', ...Object.keys(treatments)].includes(OPERATOR_MEANINGS[operator.name].kind),
  );

  return crudError('CRUD_UNKNOWN_OPERATOR', {
    message: `${field} does not take the operator ${name}; allowed: ${listOperators(allowed).join(', ')}`,
    field,
  });
}
