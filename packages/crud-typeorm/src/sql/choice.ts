/** Conditions over to-many relations in, an EXISTS out that holds where some choice of one related record per relation fulfils them all. */
import type { PlannedCondition, PlannedSource } from '@nestwright/crud';
import { entityMetadataOf } from '../catalog/catalog.js';
import { writeCondition } from './condition.js';
import { fromSql, joinSql } from './join.js';
import { below, namedSources, pathsTo } from './sources.js';
import { columnSql, innerScope, type Scope, type Writing } from './writing.js';

/** What is chosen, and for whom. */
export interface Choice {
  /** The source whose rows the choice decides about; the root, or a to-many relation that is read by itself. */
  readonly top: PlannedSource;
  readonly conditions: readonly PlannedCondition[];
  /** Sources that must be there. */
  readonly required: readonly PlannedSource[];
  /** Sources that the statement around has chosen already, beside the top. */
  readonly chosen?: readonly PlannedSource[];
}

/**
 * Writes a choice. A relation without records offers one all-null record (LEFT JOIN) unless it is required. The top is bound by its primary key, so that the database
 * can make a semi-join of it.
 */
export function choiceSql(writing: Writing, { top, conditions, required, chosen = [] }: Choice, outer: Scope): string {
  const inner = innerScope([top, ...chosen].map(outer));
  const wanted = pathsTo([...namedSources(conditions), ...required, ...chosen]);
  const from = fromSql(writing, entityMetadataOf(top.catalog), inner(top));
  const joins = below(top, ({ path }) => wanted.has(path)).map((source) => joinSql(writing, source, inner));
  const bound = [top, ...chosen].flatMap((source) => sameRow(writing, source, inner(source), outer(source)));
  const where = [...bound, ...conditions.map((condition) => writeCondition(condition, writing, inner))];

  return `EXISTS (SELECT 1 FROM ${[from, ...joins].join(' ')} WHERE ${where.join(' AND ')})`;
}

function sameRow(writing: Writing, { catalog }: PlannedSource, inner: string, outer: string): string[] {
  const { primaryColumns, columns } = entityMetadataOf(catalog);

  // A view may have no key; then all of its columns tell its rows apart.
  return (primaryColumns.length > 0 ? primaryColumns : columns).map(
    (column) => `${columnSql(writing, inner, column)} = ${columnSql(writing, outer, column)}`,
  );
}
