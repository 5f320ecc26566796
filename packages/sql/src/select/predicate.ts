import type { PlannedCondition, PlannedSource, ReadPlan } from '@nestwright/crud/adapter';
import { existsSql, fromSql, joinSql } from './join.js';
import { writeCondition } from './condition.js';
import { isToOne, listDescendants, listPaths, namedSources, requiredThroughToMany, splitCondition } from './sources.js';
import { rowConditions, type Scope, type Writing } from './writing.js';
import { getTable } from '../database/links.js';

/** What the root's records must satisfy, and the sources that the predicate expects to be joined. */
export interface PredicateParts {
  readonly conditions: readonly string[];
  readonly named: readonly PlannedSource[];
}

/**
 * Writes the predicate of a plan: conditions over the root and its to-one relations directly, those over to-many
 * relations in one EXISTS.
 *
 * @param ofRoot The conditions on every root record. Default: not soft-deleted, and of the entity's class
 */
export function predicateParts(
  writing: Writing,
  scope: Scope,
  ofRoot = rowConditions(writing, writing.plan.root.catalog, scope(writing.plan.root)),
): PredicateParts {
  const { plan } = writing;
  const { toOne, toMany } = splitCondition(plan);
  const required = requiredThroughToMany(plan.root);
  const conditions = [...ofRoot, ...toOne.map((condition) => writeCondition(condition, writing, scope))];

  if (toMany.length > 0 || required.length > 0)
    conditions.push(existsSql(writing, { top: plan.root, conditions: toMany, required }, scope));

  return { conditions, named: namedSources(toOne) };
}

export function whereSql(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`;
}

/**
 * The to-one sources that a statement joins: those that are named or required, and those that are returned if records
 * are read.
 */
export function joinsInStatement(
  top: PlannedSource,
  named: readonly PlannedSource[],
  reading: boolean,
): PlannedSource[] {
  const reachable = listDescendants(top, isToOne);
  const wanted = listPaths([
    ...named,
    ...reachable.filter((source) => source.required || (reading && source.returned)),
  ]);

  return reachable.filter(({ path }) => wanted.has(path));
}

/**
 * FROM and conditions of the root's records that a plan matches, with no more joins than conditions need.
 *
 * @param also Further sources that the statement names. Default: none.
 */
export function matchingSql(
  writing: Writing,
  scope: Scope,
  also: readonly PlannedSource[] = [],
): { readonly from: string; readonly conditions: readonly string[] } {
  const { root } = writing.plan;
  const { conditions, named } = predicateParts(writing, scope);
  const joins = joinsInStatement(root, [...named, ...also], false).map((join) => joinSql(writing, join, scope));
  const table = fromSql(writing, getTable(root.catalog), scope(root));

  return { from: [table, ...joins].join(' '), conditions };
}

/** Conditions of a plan that name to-many relations. */
export function toManyConditions(plan: ReadPlan): readonly PlannedCondition[] {
  return splitCondition(plan).toMany;
}
