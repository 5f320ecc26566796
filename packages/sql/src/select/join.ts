import type { PlannedCondition, PlannedSource } from '@nestwright/crud/adapter';
import { writeCondition } from './condition.js';
import { type ColumnPair, getLink } from './link.js';
import { listDescendants, listPaths, namedSources } from './sources.js';
import {
  columnSql,
  innerScope,
  rowConditions,
  type Scope,
  tableSql,
  writeConjunction,
  type Writing,
} from './writing.js';
import { getTable } from '../database/links.js';
import type { Table } from '../database/database.js';

export function fromSql(writing: Writing, table: Table, alias: string): string {
  return `${tableSql(table)} ${writing.database.quote(alias)}`;
}

/**
 * Joins a source to its parent. The rows of a many-to-many relation are joined as one unit with the junction, so that a
 * link to a record that is left out (soft-deleted) does not count as a record without values.
 */
export function joinSql(writing: Writing, source: PlannedSource, scope: Scope, inner = source.required): string {
  const link = getLink(source.relation!);
  const alias = scope(source);
  const parent = scope(source.parent!);
  const keyword = inner ? 'INNER JOIN' : 'LEFT JOIN';
  const table = fromSql(writing, getTable(source.catalog), alias);
  const own = ownConditions(writing, source, scope);

  if (!link.junction)
    return `${keyword} ${table} ON ${writeConjunction([...equalities(writing, link.pairs, parent, alias), ...own])}`;

  const junctionAlias = nameJunctionAlias(alias);
  const junction = fromSql(writing, link.junction, junctionAlias);
  const child = writeConjunction([...equalities(writing, link.childPairs, alias, junctionAlias), ...own]);

  return (
    `${keyword} (${junction} INNER JOIN ${table} ON ${child}) ON ` +
    `${writeConjunction(equalities(writing, link.parentPairs, parent, junctionAlias))}`
  );
}

/**
 * What a joined record must satisfy besides belonging to its parent. Conditions on further relations are in a subquery,
 * since an ON clause cannot use later joins.
 */
export function ownConditions(writing: Writing, source: PlannedSource, scope: Scope): string[] {
  const conditions = rowConditions(writing, source.catalog, scope(source));
  if (!source.on) return conditions;

  const parts = source.on.kind === 'and' ? source.on.items : [source.on];
  const namesOthers = (part: PlannedCondition) => namedSources([part]).some(({ path }) => path !== source.path);
  const further = parts.filter(namesOthers);

  return [
    ...conditions,
    ...parts.filter((part) => !namesOthers(part)).map((part) => writeCondition(part, writing, scope)),
    ...(further.length > 0 ? [existsSql(writing, { top: source, conditions: further, required: [] }, scope)] : []),
  ];
}

/** Near column equals far column, pair by pair. */
export function equalities(writing: Writing, pairs: readonly ColumnPair[], near: string, far: string): string[] {
  return pairs.map(([left, right]) => `${columnSql(writing, far, right)} = ${columnSql(writing, near, left)}`);
}

/** Joins the parents of a statement's records, or of their junction's rows. */
export function parentSql(writing: Writing, pairs: readonly ColumnPair[], parent: string, child: string): string {
  const [[{ table }]] = pairs as readonly [ColumnPair];

  return (
    `INNER JOIN ${fromSql(writing, table, parent)} ON ` +
    `${writeConjunction(equalities(writing, pairs, parent, child))}`
  );
}

/** Alias of a source's parent, if the statement starts at the source. */
export function nameParentAlias(alias: string): string {
  return `${alias}_of`;
}

export function nameJunctionAlias(alias: string): string {
  return `${alias}_link`;
}

/** The joined records that an EXISTS looks for. */
interface ExistsClause {
  /** The source whose rows are filtered: the root, or a to-many relation with its own statement. */
  readonly top: PlannedSource;
  readonly conditions: readonly PlannedCondition[];
  /** Sources that must exist (inner joins). */
  readonly required: readonly PlannedSource[];
  /** Sources that the outer statement joins already, besides the top. */
  readonly joined?: readonly PlannedSource[];
}

/**
 * Writes an EXISTS. A relation without records offers one all-null record (LEFT JOIN) unless it is required. The top is
 * bound by its primary key, so that the database can make a semi-join of it.
 */
export function existsSql(
  writing: Writing,
  { top, conditions, required, joined = [] }: ExistsClause,
  outer: Scope,
): string {
  const inner = innerScope([top, ...joined].map(outer));
  const wanted = listPaths([...namedSources(conditions), ...required, ...joined]);
  const from = fromSql(writing, getTable(top.catalog), inner(top));
  const joins = listDescendants(top, ({ path }) => wanted.has(path)).map((source) => joinSql(writing, source, inner));
  const bound = [top, ...joined].flatMap((source) => sameRow(writing, source, inner(source), outer(source)));
  const where = [...bound, ...conditions.map((condition) => writeCondition(condition, writing, inner))];

  return `EXISTS (SELECT 1 FROM ${[from, ...joins].join(' ')} WHERE ${where.join(' AND ')})`;
}

function sameRow(writing: Writing, { catalog }: PlannedSource, inner: string, outer: string): string[] {
  const { primaryColumns, columns } = getTable(catalog);

  // A view may have no key; then all of its columns identify a row.
  return (primaryColumns.length > 0 ? primaryColumns : columns).map(
    (column) => `${columnSql(writing, inner, column)} = ${columnSql(writing, outer, column)}`,
  );
}
