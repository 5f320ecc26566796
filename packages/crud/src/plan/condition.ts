/** A trusted search condition in, a condition over resolved columns with numbered values out; refuses unknown names, operators that a column does not take and values that it cannot hold. */
import { type ConditionNode, type CustomOperators, parseSearch } from '@nestwright/crud-request';
import { planComparison } from './operands.js';
import type { PlannedCondition, ResolvedColumn } from './read-plan.js';
import { refused } from './values.js';
import { reportUndefined } from './undefined-value.js';

/** What planning a condition needs beside it. */
export interface ConditionContext {
  /** Entity that log lines name. */
  readonly model: string;
  /** Typed values so far; those of the condition are appended in the order in which it names them. */
  readonly values: unknown[];
  readonly customOperators?: CustomOperators;
  /** Finds a column by name; throws where there is none. */
  resolve(name: string): ResolvedColumn;
}

const ALWAYS: PlannedCondition = { kind: 'constant', value: true };

/** Plans a condition; undefined where it always holds. */
export function planCondition(search: unknown, context: ConditionContext): PlannedCondition | undefined {
  if (search === undefined) return undefined;

  const condition = planNode(
    parseSearch(search, { source: 'trusted', customOperators: context.customOperators }),
    context,
  );

  return isConstant(condition, true) ? undefined : condition;
}

function planNode(node: ConditionNode, context: ConditionContext): PlannedCondition {
  switch (node.kind) {
    case 'and':
    case 'or':
      return combine(
        node.kind,
        node.items.map((item) => planNode(item, context)),
      );
    case 'not':
      return negate(planNode(node.item, context));
    case 'always':
      return ALWAYS;
    case 'unknown':
      reportUndefined(context.model, node.field);
      return { kind: 'constant', value: 'unknown' };
    case 'comparison':
      return planComparison(node, context.resolve(node.field), context.values);
    case 'custom': {
      if (holdsNul(node.value)) throw refused(node.operator, 'takes no NUL characters');
      return {
        kind: 'custom',
        column: context.resolve(node.field),
        operator: node.operator,
        slot: context.values.push(node.value) - 1,
      };
    }
  }
}

/** Joins conditions, flat and without those that decide nothing. */
function combine(kind: 'and' | 'or', items: readonly PlannedCondition[]): PlannedCondition {
  const neutral = kind === 'and';
  const flat = items
    .flatMap((item) => (item.kind === kind ? item.items : [item]))
    .filter((item) => !isConstant(item, neutral));
  if (flat.length === 0) return { kind: 'constant', value: neutral };

  return flat.length === 1 ? flat[0]! : { kind, items: flat };
}

function negate(item: PlannedCondition): PlannedCondition {
  if (item.kind === 'not') return item.item;
  if (item.kind === 'constant') return item.value === 'unknown' ? item : { kind: 'constant', value: !item.value };

  return { kind: 'not', item };
}

function isConstant(condition: PlannedCondition, value: boolean): boolean {
  return condition.kind === 'constant' && condition.value === value;
}

function holdsNul(value: unknown): boolean {
  return Array.isArray(value) ? value.some(holdsNul) : typeof value === 'string' && value.includes('\0');
}
