import { OPERATORS, type SCondition } from '@nestwright/crud-request';
import type { CrudRequest } from '../crud-request.js';
import type { Catalog, CatalogColumn } from './catalog.js';
import { planCondition } from './condition.js';
import { namesOf, NO_QUERY } from './resolve-names.js';
import { planComparison } from './operands.js';
import { applyProjection } from './projection.js';
import type { PlannedCondition, ReadPlan } from './read-plan.js';
import { isOwnEntity } from './relation-scope.js';
import { customOperatorsOf, queryOf } from './scoped-tree.js';
import { resolveColumn, SourceTree } from './sources.js';

/** Records of one entity that must satisfy a condition. */
export interface ReachQuestion {
  /** The resource's entity: conditions on its own records may use the short names of its options. */
  readonly root: Catalog;
  /** The entity of the records. */
  readonly target: Catalog;
  /** What they must satisfy. */
  readonly condition: SCondition;
  /** What the records are named by. */
  readonly columns: readonly CatalogColumn[];
  /** Values of {@link columns}, record by record; at least one record. */
  readonly keys: readonly (readonly unknown[])[];
}

/**
 * Plans which of some records satisfy a condition: {@link ReachQuestion.columns} are read, and the date of deletion,
 * since soft-deleted records are found too. Found records are locked until the transaction ends.
 *
 * @example
 * const condition = { tenant: 'acme' };
 * planReach(request, { root: tasks, target: users, condition, columns: users.primary, keys: [[1], [2]] });
 */
export function planReach(request: CrudRequest, question: ReachQuestion): ReadPlan {
  const { root, target, condition, columns, keys } = question;
  const tree = new SourceTree(namesOf(target, isOwnEntity(root, target) ? queryOf(request) : NO_QUERY));
  const values: unknown[] = [];
  const read = new Set([...columns, ...(target.deleteDate ? [target.deleteDate] : [])]);

  applyProjection(tree.root, { columns: [...read], hidden: new Set() });
  const inReach = planCondition(condition, {
    model: target.model,
    values,
    customOperators: customOperatorsOf(request),
    resolve: (name) => tree.resolve(name),
  });
  const named = planKeys(tree, columns, keys, values);
  tree.sort();

  return Object.freeze({
    root: tree.root,
    where: inReach ? { kind: 'and' as const, items: [inReach, named] } : named,
    sort: [],
    withDeleted: true,
    locked: true,
    values,
  });
}

/** One of several keys; a list if the key is one column. */
function planKeys(
  { root }: SourceTree,
  columns: readonly CatalogColumn[],
  keys: readonly (readonly unknown[])[],
  values: unknown[],
): PlannedCondition {
  const compare = (column: CatalogColumn, name: 'eq' | 'in', value: unknown): PlannedCondition => {
    const shape = { kind: 'comparison', operator: OPERATORS[name], fold: false } as const;
    const resolved = resolveColumn(root, column);

    // Clients have no operator for bytes, but keys are compared.
    return column.kind === 'binary'
      ? { ...shape, column: resolved, as: 'column', slot: values.push(value) - 1 }
      : planComparison({ ...shape, field: column.path, value }, resolved, values);
  };
  const [only, ...others] = columns;
  if (only && others.length === 0) {
    return compare(
      only,
      'in',
      keys.map(([value]) => value),
    );
  }

  const items = keys.map((key): PlannedCondition => ({
    kind: 'and',
    items: columns.map((column, index) => compare(column, 'eq', key[index])),
  }));

  return { kind: 'or', items };
}
