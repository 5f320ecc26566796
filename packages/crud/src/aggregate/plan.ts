/** Plans groups and what is computed of them: names resolved, conditions and order of the rows by their keys. */
import {
  type AggregateFunction,
  convertFilterToSearch,
  type DateUnit,
  OPERATOR_MEANINGS,
  type ParsedRequestParams,
  parseSearch,
  type QueryFilter,
  type QuerySort,
  speakable,
} from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import { aggregatesColumns, useFault } from './options.js';
import { crudError } from '../errors.js';
import { type Catalog, type CatalogColumn, type ColumnKind, describeColumn } from '../plan/catalog.js';
import { requestToPlan } from '../plan/changed-options.js';
import { planJoins } from '../plan/joins.js';
import { planComparison } from '../plan/operands.js';
import { type PagingOverride, planWhere } from '../plan/read.js';
import { scopedTree } from '../plan/relation-scope.js';
import { resolveColumn, type SourceTree } from '../plan/sources.js';
import type { PlannedComparison, ReadPlan, ResolvedColumn } from '../plan/read-plan.js';

/** What records are grouped by. */
export interface PlannedGroup {
  /** Key of the value in the rows of the answer. */
  readonly name: string;
  /** The column that records are grouped by. */
  readonly column: ResolvedColumn;
  /** Part of the calendar in UTC. Default: the value itself. */
  readonly unit?: DateUnit;
}

/** What is computed of each group. */
export interface PlannedFunction {
  /** Key of the value in the rows of the answer. */
  readonly name: string;
  /** What is computed. */
  readonly function: AggregateFunction;
  /** What it is computed of. Default: the records themselves. */
  readonly column?: ResolvedColumn;
}

/** A value of each row of the answer. */
export type PlannedOutput = PlannedGroup | PlannedFunction;

/** A condition on the rows of the answer. */
export interface PlannedHaving {
  /** What is compared, in {@link AggregatePlan.outputs}. */
  readonly output: number;
  /** Its column is the output's column if the output has one, otherwise a placeholder. */
  readonly comparison: PlannedComparison;
}

/** A value that the rows of the answer are sorted by. */
export interface PlannedRowOrder {
  /** What is sorted by, in {@link AggregatePlan.outputs}. */
  readonly output: number;
  /** Direction. */
  readonly order: 'ASC' | 'DESC';
}

/**
 * Everything an adapter must know to group records and compute functions of each group. The members of {@link
 * ReadPlan} select the records; `limit` and `offset` page the rows of the answer. Plans that differ only in `values`,
 * `limit` and `offset` give equal SQL.
 */
export interface AggregatePlan extends ReadPlan {
  /** Groups first, then functions. */
  readonly outputs: readonly PlannedOutput[];
  /** All hold. */
  readonly having: readonly PlannedHaving[];
  /** Each output once; the remaining groups follow, ascending, so that pages never overlap. */
  readonly order: readonly PlannedRowOrder[];
}

/**
 * What a value of the answer is: `column`, a value as its column prints it; `count`, a whole number; `number`, a sum or
 * an average of doubles or of small integers; `exact`, a text with all digits; `period`, a text that names a part of
 * the calendar.
 */
export type OutputKind = 'column' | 'count' | 'number' | 'exact' | 'period';

const TOTALS: ReadonlyMap<ColumnKind, OutputKind> = new Map<ColumnKind, OutputKind>([
  ['integer', 'number'],
  ['float', 'number'],
  ['bigint', 'exact'],
  ['decimal', 'exact'],
]);

/** What the values of an output are; it depends on the column's type alone. */
export function outputKind(output: PlannedOutput): OutputKind {
  if (!('function' in output)) return output.unit === undefined ? 'column' : 'period';
  if (output.function === 'min' || output.function === 'max') return 'column';
  const total = output.function === 'sum' || output.function === 'avg';

  return (total && output.column && TOTALS.get(output.column.column.kind)) || 'count';
}

/**
 * Plans `GET /aggregate` over the records that a list of the same request would have.
 *
 * @throws 400 if nothing is asked for, if two values have one name, or if a name, a value or an operator does not fit
 * @example
 * const plan = planAggregate(request, catalog, { take: 10, skip: null });
 */
export function planAggregate(request: CrudRequest, catalog: Catalog, { take, skip }: PagingOverride): AggregatePlan {
  const own = requestToPlan(request, catalog, [aggregatesColumns]);
  const { parsed } = own;
  const tree = scopedTree(own, catalog);
  const outputs = planOutputs(tree, parsed);
  const where = planWhere(tree, parsed.search);
  planJoins(tree, parsed.join ?? [], true);
  const having = (parsed.having ?? []).map((filter) => planHaving(filter, outputs, tree));
  const order = planOrder(parsed.sort ?? [], outputs);
  tree.sort();

  return Object.freeze({
    root: tree.root,
    ...(where && { where }),
    sort: [],
    ...(typeof take === 'number' && { limit: take }),
    ...(skip && { offset: skip }),
    withDeleted: parsed.includeDeleted === 1 && tree.names.query.softDelete === true,
    values: tree.values,
    outputs,
    having,
    order,
  });
}

function planOutputs(
  tree: SourceTree,
  { groupBy = [], aggregate = [] }: Pick<ParsedRequestParams, 'groupBy' | 'aggregate'>,
): PlannedOutput[] {
  const outputs: PlannedOutput[] = [
    ...groupBy.map(({ field, unit, name }) => ({ name, column: tree.resolve(field), ...(unit && { unit }) })),
    ...aggregate.map(({ function: made, field, name }) => ({
      name,
      function: made,
      ...(field !== '*' && { column: tree.resolve(field) }),
    })),
  ];
  if (outputs.length === 0)
    throw crudError('CRUD_INVALID_QUERY', { message: 'groupBy or aggregate expected', field: 'aggregate' });

  const names = new Set<string>();
  for (const output of outputs) {
    const { name, column } = output;
    const reason = column && useFault(output, column);
    if (reason !== undefined)
      throw crudError('CRUD_INVALID_QUERY', { message: `Invalid aggregate. ${reason}`, ...named(name) });
    if (names.has(name)) {
      throw crudError('CRUD_INVALID_QUERY', {
        message: 'Two groups or functions have the same name. Rename one of them',
        ...named(name),
      });
    }
    names.add(name);
  }

  return outputs;
}

function named(name: string): { field: string } {
  return { field: speakable(name) ?? 'aggregate' };
}

function findOutputIndex(outputs: readonly PlannedOutput[], name: string, parameter: string): number {
  const index = outputs.findIndex((output) => output.name === name);
  if (index < 0) throw crudError('CRUD_UNKNOWN_FIELD', { field: speakable(name) ?? parameter });

  return index;
}

/** Placeholder columns, by which values of the answer are read and compared. */
const PLACEHOLDER_KINDS: Readonly<Record<Exclude<OutputKind, 'column'>, CatalogColumn['kind']>> = {
  count: 'float',
  number: 'float',
  exact: 'decimal',
  period: 'text',
};

function planHaving(filter: QueryFilter, outputs: readonly PlannedOutput[], tree: SourceTree): PlannedHaving {
  const index = findOutputIndex(outputs, filter.field, 'having');
  const output = outputs[index]!;
  const node = parseSearch(convertFilterToSearch(filter), { source: 'trusted' });
  if (node.kind !== 'comparison') throw crudError('CRUD_INVALID_VALUE', { field: filter.field });

  const kind = outputKind(output);
  if (kind !== 'column' && !COMPARED.has(OPERATOR_MEANINGS[node.operator.name].kind)) {
    throw crudError('CRUD_UNKNOWN_OPERATOR', {
      message: `${filter.field} does not take the operator ${node.operator.name} in having`,
      field: filter.field,
    });
  }

  // Named as the client has named it.
  const column: CatalogColumn =
    kind === 'column'
      ? { ...output.column!.column, path: filter.field }
      : describeColumn(filter.field, PLACEHOLDER_KINDS[kind]);
  const comparison = planComparison(node, resolveColumn(tree.root, column), tree.values);
  // An empty list, which no client can send.
  if (comparison.kind !== 'comparison') throw crudError('CRUD_INVALID_VALUE', { field: filter.field });

  return { output: index, comparison: kind === 'column' ? { ...comparison, column: output.column! } : comparison };
}

const COMPARED: ReadonlySet<string> = new Set(['comparison', 'null']);

/** The order of the rows: the requested order, then the remaining groups. */
function planOrder(sort: readonly QuerySort[], outputs: readonly PlannedOutput[]): PlannedRowOrder[] {
  const order = new Map<number, PlannedRowOrder['order']>();
  for (const { field, order: direction } of sort) {
    const index = findOutputIndex(outputs, field, 'sort');
    if (!order.has(index)) order.set(index, String(direction).toUpperCase() === 'DESC' ? 'DESC' : 'ASC');
  }
  outputs.forEach((output, index) => {
    if (!('function' in output) && !order.has(index)) order.set(index, 'ASC');
  });

  return [...order].map(([output, direction]) => ({ output, order: direction }));
}
