/** State shared by the clauses of one statement; names of tables and columns come from metadata only. */
import { type Catalog, type Client, getOrInsert, type PlannedSource, type ReadPlan } from '@nestwright/crud/adapter';
import type { CustomOperators } from '@nestwright/crud-request';
import type { Dialect } from '../database/dialect.js';
import type { Weigh } from '../lru-cache.js';
import { type Parameters, statementBytes, type Statement } from './parameters.js';
import { getTable } from '../database/links.js';
import type { Column, Database, Table } from '../database/database.js';

/** What the clauses of one statement share while its text is written. */
export interface Writing {
  /** The database that the statement is for. */
  readonly database: Database;
  /** Its dialect. */
  readonly dialect: Dialect;
  /** The plan; its values only matter if the text depends on them (lengths of lists). */
  readonly plan: ReadPlan;
  /** The values of the statement. */
  readonly parameters: Parameters;
  /** Operators of the resource's own: `operators.custom`. */
  readonly operators: CustomOperators | undefined;
  /** The client that waits for the records; undefined if the statement must run anyway, as part of begun work. */
  readonly client?: Client | undefined;
  /** Adds to the weight of the cache entry, if the statement is cached. */
  readonly weigh: Weigh;
}

/** The statement of a finished text, whose weight is added to the cache entry. */
export function finishStatement({ parameters, database, weigh }: Writing, text: string): Statement {
  const statement = parameters.positional(text, database);

  weigh(statementBytes(statement));

  return statement;
}

/** SQL aliases of the sources that a clause may name. */
export type Scope = (source: PlannedSource) => string;

/** Longest identifier that all databases keep whole. */
const LONGEST_ALIAS = 60;

/** The scope of a statement's own FROM clause: the plan's aliases, shortened if a database would cut them. */
export function outerScope({ alias, path }: PlannedSource): string {
  if (alias.length <= LONGEST_ALIAS) return alias;

  let hash = 5381;

  for (const character of path) hash = (hash * 33 + character.charCodeAt(0)) >>> 0;

  return `${alias.slice(0, LONGEST_ALIAS - 9)}_${hash.toString(36)}`;
}

/**
 * The scope of a subquery: `c0`, `c1` … in the order of first use, in letters that the statement around it does not
 * use.
 */
export function innerScope(outer: readonly string[]): Scope {
  const aliases = new Map<string, string>();
  const prefix = outer.some((alias) => /^c\d+$/i.test(alias)) ? 'choice_' : 'c';

  return ({ path }) => getOrInsert(aliases, path, () => `${prefix}${aliases.size}`);
}

/** An entity's table in a statement: database, schema and name, escaped separately. */
export function tableSql({ tablePath, database: { quote } }: Table): string {
  return tablePath
    .split('.')
    .map((part) => (part === '' ? part : quote(part)))
    .join('.');
}

/** A column of a table that has an alias; a virtual column is its query. */
export function columnSql({ database: { quote } }: Writing, alias: string, column: Column): string {
  if (column.query) return `(${column.query(quote(alias))})`;

  return `${quote(alias)}.${quote(column.databaseName)}`;
}

/**
 * What every row of an entity must satisfy: not soft-deleted, and of the entity's own subclass if several share a
 * table.
 */
export function rowConditions(writing: Writing, catalog: Catalog, alias: string): string[] {
  const table = getTable(catalog);
  const conditions: string[] = [];

  if (table.deleteDateColumn && !writing.plan.withDeleted)
    conditions.push(`${columnSql(writing, alias, table.deleteDateColumn)} IS NULL`);

  if (table.discriminatorColumn && table.parent) {
    const values = [table, ...table.children].map(({ discriminatorValue }) =>
      writing.parameters.constant(discriminatorValue),
    );

    conditions.push(`${columnSql(writing, alias, table.discriminatorColumn)} IN (${values.join(', ')})`);
  }

  return conditions;
}

/** Conditions that must all hold; `undefined` if there are none. */
export function writeConjunction(conditions: readonly string[]): string | undefined {
  return conditions.length === 0 ? undefined : conditions.join(' AND ');
}
