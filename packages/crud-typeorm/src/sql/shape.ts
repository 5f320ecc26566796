/** The key of compiled statements: equal for plans with equal SQL, so it holds all of a plan but values, limit and offset. */
import type {
  AggregatePlan,
  Catalog,
  CatalogColumn,
  PlannedCondition,
  PlannedOutput,
  PlannedSource,
  ReadPlan,
  ResolvedColumn,
} from '@nestwright/crud/adapter';
import type { CustomOperators } from '@nestwright/crud-request';
import { numberOf } from '../number-of.js';
import { shapeOfSlice } from './keyset.js';
import { listSize } from './list-size.js';
import type { Draft } from './compile-record.js';

/** The shape of a plan. Names are written as JSON, so that no name can be mistaken for structure. */
export function shapeOf({ plan, dialect, operators }: Pick<Draft, 'plan' | 'dialect' | 'operators'>): string {
  const conditionOf = (condition: PlannedCondition | undefined): string =>
    condition === undefined ? '' : shapeOfCondition(condition, plan, dialect.listParameter, operators);

  return [
    numberOf(plan.root.catalog satisfies Catalog),
    plan.withDeleted ? 'd' : '',
    plan.locked ? 'k' : '',
    plan.limit === undefined ? '' : 'l',
    plan.offset === undefined ? '' : 'o',
    shapeOfSource(plan.root, conditionOf),
    conditionOf(plan.where),
    plan.sort.map(({ column, order }) => `${columnName(column)}${order}`).join(','),
    ...(plan.slice ? [shapeOfSlice(plan)] : []),
  ].join('|');
}

/** The shape of a plan for aggregates; keys of the answer are no part of it. */
export function shapeOfAggregate({
  plan,
  ...draft
}: Pick<Draft, 'dialect' | 'operators'> & { readonly plan: AggregatePlan }): string {
  const { outputs, having, order } = plan;
  const conditions = having.map(
    ({ output, comparison }) => `${output}:${shapeOfCondition(comparison, plan, false, draft.operators)}`,
  );

  return [
    shapeOf({ plan, ...draft }),
    outputs.map(shapeOfOutput).join(','),
    conditions.join(','),
    order.map(({ output, order: direction }) => `${output}${direction}`).join(','),
  ].join('|');
}

function shapeOfOutput(output: PlannedOutput): string {
  const use = 'function' in output ? output.function : `:${output.unit ?? ''}`;

  return `${use}${output.column ? columnName(output.column) : '*'}`;
}

function shapeOfSource(
  source: PlannedSource,
  conditionOf: (condition: PlannedCondition | undefined) => string,
): string {
  const columns = source.columns.map(({ column }) =>
    source.hidden.has(column.path) ? `-${column.path}` : column.path,
  );
  const joins = source.joins.map((join) => shapeOfSource(join, conditionOf));
  const flags = `${source.returned ? 'r' : ''}${source.required ? 'q' : ''}`;

  return `${JSON.stringify(source.path)}${JSON.stringify(source.alias)}${flags}(${columns.join(',')})${conditionOf(source.on)}[${joins.join('')}]`;
}

function shapeOfCondition(
  condition: PlannedCondition,
  plan: ReadPlan,
  listParameter: boolean,
  operators: CustomOperators | undefined,
): string {
  const inner = (item: PlannedCondition) => shapeOfCondition(item, plan, listParameter, operators);

  switch (condition.kind) {
    case 'and':
    case 'or':
      return `${condition.kind}(${condition.items.map(inner).join(',')})`;
    case 'not':
      return `not(${inner(condition.item)})`;
    case 'constant':
      return String(condition.value);
    case 'comparison':
      return [
        columnName(condition.column),
        condition.operator.name,
        condition.fold ? 'L' : '',
        condition.as,
        condition.slot ?? '',
        condition.slot === undefined
          ? ''
          : lengthOf(
              plan.values[condition.slot],
              condition.operator.arity === 'list',
              listParameter && !isList(condition.column),
            ),
      ].join(' ');
    case 'custom': {
      const custom =
        operators && Object.hasOwn(operators, condition.operator) ? operators[condition.operator] : undefined;

      return [
        columnName(condition.column),
        JSON.stringify(condition.operator),
        // By its function: requests may have copies of the options.
        custom?.query ? `${numberOf(custom.query)}${custom.isArray ? 'a' : ''}` : '',
        condition.slot,
        lengthOf(plan.values[condition.slot], true, false),
      ].join(' ');
    }
  }
}

/** Items of an array column are compared one by one if the column is text. */
function isList({ column }: ResolvedColumn): boolean {
  return column.kind === 'array';
}

/** Number of placeholders of a list, if the text depends on it. */
function lengthOf(value: unknown, list: boolean, listParameter: boolean): string {
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
