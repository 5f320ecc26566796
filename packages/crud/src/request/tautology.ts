/** Whether the form of a trusted condition alone makes it hold for every record. */
import {
  type ComparisonNode,
  type ConditionNode,
  type CustomOperators,
  OPERATOR_MEANINGS,
  parseSearch,
  type SCondition,
} from '@nestwright/crud-request';
import { crudError } from '../errors.js';
import type { Catalog } from '../plan/catalog.js';
import { isNotEmpty } from '../plan/condition.js';
import { findColumn } from '../plan/resolve-names.js';
import { RESULT_FOR_EMPTY_LIST } from '../plan/operands.js';
import type { RequestRoute } from './request-route.js';

/** What is known of a condition from its form: always true, never true, or undecided. */
type Certainty = boolean | undefined;

/** What deciding needs beside the condition. */
interface Knowledge {
  /** Says which columns are never null; without one, every column may be. */
  readonly catalog?: Catalog;
  readonly customOperators?: CustomOperators;
}

/**
 * Whether a condition restricts nothing: an empty one, an empty list of exclusions, an alternative that holds, what
 * never holds negated, a null test or an empty text on a column that is never null. Values are not evaluated: `id > 0`
 * counts as a restriction.
 *
 * @example
 * isTautology({ $or: [{ ownerId: 7 }, { id: { $notin: [] } }] }); // true
 */
export function isTautology(condition: SCondition, { catalog, customOperators }: Knowledge = {}): boolean {
  let node: ConditionNode;
  try {
    node = parseSearch(condition, { source: 'trusted', customOperators });
  } catch {
    return false;
  }

  return judgeCertainty(node, catalog) === true;
}

/** Whether a condition may leave out a record of a resource. */
export function restricts(
  condition: SCondition | void | null,
  { catalog, definition }: Pick<RequestRoute, 'catalog' | 'definition'>,
): boolean {
  const customOperators = definition.options.operators.custom;

  return isNotEmpty(condition) && !isTautology(condition, { ...(catalog && { catalog }), customOperators });
}

/**
 * A single-record route without a key in its path acts on the record that conditions leave; if they leave every record,
 * there is none.
 */
export function requireRestriction(
  route: Pick<RequestRoute, 'catalog' | 'definition'>,
  conditions: readonly (SCondition | undefined)[],
): void {
  if (conditions.some((one) => restricts(one, route))) return;

  throw crudError('CRUD_NOT_FOUND', { message: `${route.definition.modelName} not found` });
}

function judgeCertainty(node: ConditionNode, catalog: Catalog | undefined): Certainty {
  switch (node.kind) {
    case 'always':
      return true;
    case 'and':
      return combined(node.items, catalog, false);
    case 'or':
      return combined(node.items, catalog, true);
    case 'not': {
      const certainty = judgeCertainty(node.item, catalog);
      return certainty === undefined ? undefined : !certainty;
    }
    case 'comparison':
      return compared(node, catalog);
    // A null, which holds for nothing, negated or not; and what only the application knows.
    case 'unknown':
    case 'custom':
      return undefined;
  }
}

/** One item of the value `deciding` decides; all of the other value decide too. */
function combined(items: readonly ConditionNode[], catalog: Catalog | undefined, deciding: boolean): Certainty {
  const certainties = items.map((item) => judgeCertainty(item, catalog));
  if (certainties.includes(deciding)) return deciding;

  return certainties.includes(undefined) ? undefined : !deciding;
}

function compared({ field, operator, value }: ComparisonNode, catalog: Catalog | undefined): Certainty {
  if (operator.arity === 'list' && Array.isArray(value) && value.length === 0)
    return RESULT_FOR_EMPTY_LIST.get(operator.name);

  const { kind, negated } = OPERATOR_MEANINGS[operator.name];
  const isDecided = kind === 'null' || (kind === 'text' && value === '');
  if (!isDecided || !isNeverNull(field, catalog)) return undefined;

  // Every text contains the empty one; no value is null.
  return (kind === 'null') === negated;
}

function isNeverNull(field: string, catalog: Catalog | undefined): boolean {
  const found = catalog && findColumn(catalog, field.split('.'));
  if (!found || found.jsonPath.length > 0) return false;

  // What a transformer or the query of a virtual column returns is not in the metadata.
  return !found.column.nullable && found.column.source !== 'virtual' && !found.column.transformed;
}
