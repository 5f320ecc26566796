/**
 * Plans a condition: every name resolved, every value typed. A mistake is a 400 if a client wrote it, a 500 if the
 * application did.
 */
import {
  type ComparisonNode,
  type ConditionAuthor,
  type ConditionNode,
  type CustomNode,
  type CustomOperators,
  type LeafNode,
  parseSearch,
  type SCondition,
  typeValue,
} from '@nestwright/crud-request';
import { isPlainObject } from '../definition/plain-objects.js';
import type { Catalog, ColumnKind } from './catalog.js';
import { findAuthor, sentValue } from './condition-origins.js';
import { planComparison } from './operands.js';
import type { PlannedCondition, ResolvedColumn } from './read-plan.js';
import { reportUndefined, serverMistake } from './server-mistakes.js';
import type { SourceTree } from './sources.js';
import { refused } from './values.js';

/** Finds a column by name; throws if there is none. A client may see fewer records of a relation than the server. */
export type Resolve = (name: string, author: ConditionAuthor | undefined) => ResolvedColumn;

/** What planning a condition needs beside it. */
interface Context {
  /** Values of the condition are appended to its values, in the order in which it names them. */
  readonly tree: SourceTree;
  readonly resolve: Resolve;
  /** Entity that log lines name. */
  readonly model: string;
}

const ALWAYS: PlannedCondition = { kind: 'constant', value: true };

/** Plans a condition on the root's records, or on those of another entity; undefined if it always holds. */
export function planCondition(
  search: unknown,
  tree: SourceTree,
  resolve: Resolve,
  { model }: Catalog = tree.root.catalog,
): PlannedCondition | undefined {
  if (search === undefined) return undefined;

  const condition = planNode(readNode(search, model, tree.customOperators), { tree, resolve, model });

  return isConstant(condition, true) ? undefined : condition;
}

function readNode(search: unknown, model: string, customOperators: CustomOperators | undefined): ConditionNode {
  const path: (string | number)[] = [];

  try {
    return parseSearch(search, {
      source: 'trusted',
      customOperators,
      path,
      leaf: (node) => {
        const author = findAuthor(search, path);

        return { ...(author === 'client' ? asSent(node, search, path, customOperators) : node), author };
      },
    });
  } catch (error) {
    throw blameAuthor(error, findAuthor(search, path), model);
  }
}

/** A client's comparison with the text that it sent, if application code was given a typed value in its place. */
function asSent(
  node: LeafNode,
  search: unknown,
  path: readonly (string | number)[],
  customOperators: CustomOperators | undefined,
): LeafNode {
  const operator = String(path.at(-1));
  const comparisons = path
    .slice(0, -1)
    .reduce<unknown>((part, key) => (part as Record<string | number, unknown>)[key], search) as Record<string, unknown>;
  const value = sentValue(comparisons, operator);
  if (value === comparisons[operator]) return node;

  // Read again: a null becomes another comparison.
  return parseSearch({ [node.field]: { [operator]: value } }, { source: 'trusted', customOperators }) as LeafNode;
}

/** A mistake in a condition of the application is a 500, whatever the client sent. */
function blameAuthor(error: unknown, author: ConditionAuthor | undefined, model: string): unknown {
  return author === 'server' ? serverMistake(model, error) : error;
}

function planNode(node: ConditionNode, context: Context): PlannedCondition {
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
    case 'custom':
      return planLeaf(node, context);
  }
}

function planLeaf(node: ComparisonNode | CustomNode, context: Context): PlannedCondition {
  const { resolve, model } = context;
  const { values } = context.tree;

  try {
    if (node.kind === 'comparison') return planComparison(node, resolve(node.field, node.author), values);
    if (containsNul(node.value)) throw refused(node.operator, 'takes no NUL characters');

    const column = resolve(node.field, node.author);
    const value = node.author === 'client' && readsTyped(column) ? typeValue(node.value) : node.value;

    return { kind: 'custom', column, operator: node.operator, slot: values.push(value) - 1 };
  } catch (error) {
    throw blameAuthor(error, node.author, model);
  }
}

const READ_TYPED: ReadonlySet<ColumnKind> = new Set(['integer', 'bigint', 'decimal', 'float', 'boolean', 'datetime']);

/**
 * Whether a custom operator gets a client's text as a typed value. The text `true` would match no boolean on SQLite,
 * and the wrong ones on MySQL.
 */
function readsTyped({ column, jsonPath }: ResolvedColumn): boolean {
  return jsonPath.length > 0 || READ_TYPED.has(column.kind);
}

/**
 * Whether a condition is not empty. Values that are no condition (a list, a Map) are kept, so that planning refuses
 * them.
 */
export function isNotEmpty(condition: SCondition | void | null): condition is SCondition {
  if (condition === undefined || condition === null) return false;

  return !isPlainObject(condition) || Object.keys(condition).length > 0;
}

/** Both conditions, if there are both. */
export function combineBoth(
  one: PlannedCondition | undefined,
  other: PlannedCondition | undefined,
): PlannedCondition | undefined {
  return one && other ? combine('and', [one, other]) : (one ?? other);
}

/** Combines conditions, flattened and without those that always hold. */
export function combine(kind: 'and' | 'or', items: readonly PlannedCondition[]): PlannedCondition {
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

function containsNul(value: unknown): boolean {
  return Array.isArray(value) ? value.some(containsNul) : typeof value === 'string' && value.includes('\0');
}
