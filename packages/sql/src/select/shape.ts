/**
 * The key of compiled statements: equal for plans with equal SQL, so it holds all of a plan but values, limit and
 * offset.
 */
import type {
  AggregatePlan,
  Catalog,
  CatalogColumn,
  PlannedComparison,
  PlannedCondition,
  PlannedOutput,
  PlannedSource,
  ReadPlan,
  ResolvedColumn,
} from '@nestwright/crud/adapter';
import type { CustomOperators } from '@nestwright/crud-request';
import { getObjectNumber } from '../number-of.js';
import { printSliceShape } from './keyset.js';
import { listSize } from './list-size.js';
import type { Draft } from './compile-record.js';

/** The shape of a plan. Names are written as JSON, so that no name can be mistaken for structure. */
export function printShape({ plan, dialect, operators }: Pick<Draft, 'plan' | 'dialect' | 'operators'>): string {
  const printCondition = (condition: PlannedCondition | undefined): string =>
    condition === undefined ? '' : printConditionShape(condition, plan, dialect.listParameter, operators);

  return [
    getObjectNumber(plan.root.catalog satisfies Catalog),
    plan.withDeleted ? 'd' : '',
    plan.locked ? 'k' : '',
    plan.limit === undefined ? '' : 'l',
    plan.offset === undefined ? '' : 'o',
    printSourceShape(plan.root, printCondition),
    printCondition(plan.where),
    plan.sort.map(({ column, order }) => `${columnName(column)}${order}`).join(','),
    ...(plan.slice ? [printSliceShape(plan)] : []),
  ].join('|');
}

/** The shape of a plan for aggregates; keys of the answer are no part of it. */
export function printAggregateShape({
  plan,
  ...draft
}: Pick<Draft, 'dialect' | 'operators'> & { readonly plan: AggregatePlan }): string {
  const { outputs, having, order } = plan;
  const conditions = having.map(
    ({ output, comparison }) => `${output}:${printConditionShape(comparison, plan, false, draft.operators)}`,
  );

  return [
    printShape({ plan, ...draft }),
    outputs.map(printOutputShape).join(','),
    conditions.join(','),
    order.map(({ output, order: direction }) => `${output}${direction}`).join(','),
  ].join('|');
}

function printOutputShape(output: PlannedOutput): string {
  const use = 'function' in output ? output.function : `:${output.unit ?? ''}`;

  return `${use}${output.column ? columnName(output.column) : '*'}`;
}

function printSourceShape(
  source: PlannedSource,
  printCondition: (condition: PlannedCondition | undefined) => string,
): string {
  const columns = source.columns.map(({ column }) =>
    source.hidden.has(column.path) ? `-${column.path}` : column.path,
  );
  const joins = source.joins.map((join) => printSourceShape(join, printCondition));
  const flags = `${source.returned ? 'r' : ''}${source.required ? 'q' : ''}`;

  const place = JSON.stringify(source.path) + JSON.stringify(source.alias);

  return `${place}${flags}(${columns.join(',')})${printCondition(source.on)}[${joins.join('')}]`;
}

function printConditionShape(
  condition: PlannedCondition,
  plan: ReadPlan,
  listParameter: boolean,
  operators: CustomOperators | undefined,
): string {
  const inner = (item: PlannedCondition) => printConditionShape(item, plan, listParameter, operators);

  switch (condition.kind) {
    case 'and':
    case 'or':
      return `${condition.kind}(${condition.items.map(inner).join(',')})`;
    case 'not':
      return `not(${inner(condition.item)})`;
    case 'constant':
      return String(condition.value);
    case 'comparison':
      return printComparison(condition, plan, listParameter);
    case 'custom': {
      const custom =
        operators && Object.hasOwn(operators, condition.operator) ? operators[condition.operator] : undefined;

      return [
        columnName(condition.column),
        JSON.stringify(condition.operator),
        // By its function: requests may have copies of the options.
        custom?.query ? `${getObjectNumber(custom.query)}${custom.isArray ? 'a' : ''}` : '',
        condition.slot,
        printListLength(plan.values[condition.slot], true, false),
      ].join(' ');
    }
  }
}

function printComparison(comparison: PlannedComparison, plan: ReadPlan, listParameter: boolean): string {
  const { column, operator, fold, as, slot } = comparison;
  const length =
    slot === undefined
      ? ''
      : printListLength(plan.values[slot], operator.arity === 'list', listParameter && !isList(column));

  return [columnName(column), operator.name, fold ? 'L' : '', as, slot ?? '', length].join(' ');
}

/** Items of an array column are compared one by one if the column is text. */
function isList({ column }: ResolvedColumn): boolean {
  return column.kind === 'array';
}

/** Number of placeholders of a list, if the text depends on it. */
function printListLength(value: unknown, list: boolean, listParameter: boolean): string {
  return list && !listParameter && Array.isArray(value) ? `#${listSize(value.length)}` : '';
}

function columnName({ source, column, jsonPath }: ResolvedColumn): string {
  if (jsonPath.length > 0) return JSON.stringify([source.path, column.path, jsonPath]);

  return source.path === '' ? ownName(column) : JSON.stringify([source.path, column.path]);
}

const ownNames = new WeakMap<CatalogColumn, string>();

/** The name of a column of the root, as it is asked for most. */
function ownName(column: CatalogColumn): string {
  let name = ownNames.get(column);
  if (name === undefined) ownNames.set(column, (name = JSON.stringify(['', column.path])));

  return name;
}
