import type { ReadPlan } from '@nestwright/crud/adapter';
import type { Sql } from './fragment.js';
import { Parameters } from './parameters.js';
import { matchingSql, predicateParts, whereSql } from './predicate.js';
import { makeDraft, type ReadOptions } from './read.js';
import type { Executor } from '../database/database.js';
import { listDescendants, namedSources } from './sources.js';
import { columnSql, outerScope, type Writing } from './writing.js';
import { getTable } from '../database/links.js';

/**
 * The rows of the root's table that a plan matches. Conditions over other tables become `id IN (SELECT …)`, the
 * subquery inside a derived table, since MySQL and MariaDB refuse to read the table that a statement changes.
 */
export function compileWhere(plan: ReadPlan, executor: Executor, options: ReadOptions = {}): Sql {
  const writing: Writing = { ...makeDraft(plan, executor, options), parameters: new Parameters() };
  const text = isOwn(plan) ? ownPredicate(writing) : keyPredicate(writing);

  return writing.parameters.toSql(text, { plan });
}

/** Whether a predicate only uses the root's own columns. */
function isOwn({ root, where }: ReadPlan): boolean {
  return (
    (!where || namedSources([where]).every(({ relation }) => !relation)) &&
    listDescendants(root).every(({ required }) => !required)
  );
}

/** The predicate of a plan over the root's own columns, qualified by the table's name. */
export function ownPredicate(writing: Writing): string {
  const { tableName } = getTable(writing.plan.root.catalog);
  const { conditions } = predicateParts(writing, () => tableName);

  return conditions.length === 0 ? '1 = 1' : conditions.join(' AND ');
}

function keyPredicate(writing: Writing): string {
  const { root } = writing.plan;
  const { quote } = writing.database;
  const scope = outerScope;
  const { from, conditions } = matchingSql(writing, scope);
  const keys = getTable(root.catalog).primaryColumns;
  const selected = keys.map((column, index) => `${columnSql(writing, scope(root), column)} AS ${quote(`k${index}`)}`);
  const own = keys.map(({ databaseName }) => quote(databaseName));
  const names = keys.map((_, index) => quote(`k${index}`)).join(', ');
  const matching = `SELECT ${selected.join(', ')} FROM ${from}${whereSql(conditions)}`;

  return (
    `${own.length === 1 ? own[0] : `(${own.join(', ')})`} IN (SELECT ${names} FROM (${matching}) ` +
    `${quote('matching')})`
  );
}
