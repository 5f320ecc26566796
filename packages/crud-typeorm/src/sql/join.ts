/** A source in, the text of its JOIN out: the related table, its ON clause, the junction table of a many-to-many relation. */
import type { PlannedSource } from '@nestwright/crud';
import type { EntityMetadata } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { writeCondition } from './condition.js';
import { type ColumnPair, linkOf } from './link.js';
import { allOf, columnSql, rowConditions, type Scope, tableSql, type Writing } from './writing.js';

/** A table in FROM or JOIN. */
export function fromSql(writing: Writing, metadata: EntityMetadata, alias: string): string {
  return `${tableSql(writing, metadata)} ${writing.dataSource.driver.escape(alias)}`;
}

/**
 * Joins a source to its parent. The rows of a many-to-many relation are joined as one unit with the junction, so that a link to a record that is left out
 * (soft-deleted) does not count as a record without values.
 */
export function joinSql(writing: Writing, source: PlannedSource, scope: Scope, inner = source.required): string {
  const link = linkOf(source.relation!);
  const alias = scope(source);
  const parent = scope(source.parent!);
  const keyword = inner ? 'INNER JOIN' : 'LEFT JOIN';
  const table = fromSql(writing, entityMetadataOf(source.catalog), alias);
  const own = ownConditions(writing, source, scope);

  if (!link.junction) {
    return `${keyword} ${table} ON ${allOf([...equalities(writing, link.pairs, parent, alias), ...own])}`;
  }

  const junctionAlias = junctionAliasOf(alias);
  const junction = fromSql(writing, link.junction, junctionAlias);
  const child = allOf([...equalities(writing, link.childPairs, alias, junctionAlias), ...own]);

  return `${keyword} (${junction} INNER JOIN ${table} ON ${child}) ON ${allOf(equalities(writing, link.parentPairs, parent, junctionAlias))}`;
}

/** What a joined record must satisfy beside belonging to its parent. */
export function ownConditions(writing: Writing, source: PlannedSource, scope: Scope): string[] {
  const conditions = rowConditions(writing, source.catalog, scope(source));

  return source.on ? [...conditions, writeCondition(source.on, writing, scope)] : conditions;
}

/** Near column equals far column, pair by pair. */
export function equalities(writing: Writing, pairs: readonly ColumnPair[], near: string, far: string): string[] {
  return pairs.map(([left, right]) => `${columnSql(writing, far, right)} = ${columnSql(writing, near, left)}`);
}

/** Alias of the junction table of a source. */
export function junctionAliasOf(alias: string): string {
  return `${alias}_link`;
}
