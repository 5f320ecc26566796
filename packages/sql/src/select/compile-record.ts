/**
 * Compiles a source: its SELECT list, the shape of its rows, and the statements of its to-many relations. Runs once per
 * shape.
 */
import { getOrInsert, type PlannedSource } from '@nestwright/crud/adapter';
import type { RelatedShape } from '../hydrate/read-rows.js';
import type { RecordShape } from '../hydrate/record-shape.js';
import type { Weigh } from '../lru-cache.js';
import { CELL_BYTES, OBJECT_BYTES } from '../weight.js';
import {
  existsSql,
  equalities,
  fromSql,
  joinSql,
  nameJunctionAlias,
  ownConditions,
  nameParentAlias,
  parentSql,
} from './join.js';
import { writeCondition } from './condition.js';
import { getLink, parentColumns } from './link.js';
import { FIRST_KEYS, makeKeySource, Parameters, type Statement } from './parameters.js';
import { toManyConditions, joinsInStatement, whereSql } from './predicate.js';
import { Selection } from './selection.js';
import {
  listDescendants,
  isToOne,
  namedSources,
  listPaths,
  requiredThroughToMany,
  toManyPath,
  listSourceChain,
} from './sources.js';
import { columnSql, finishStatement, outerScope, type Scope, type Writing } from './writing.js';
import { getCatalogColumn, getColumn, getRelation, getTable } from '../database/links.js';
import type { Column } from '../database/database.js';

/** What writing any statement of a plan needs, except its parameters. */
export type Draft = Omit<Writing, 'parameters'>;

/** The statement of one to-many relation, and how its records find their parents. */
export interface RelatedStatement extends RelatedShape {
  /** The statement for a number of keys, compiled when first needed and shared. */
  readonly statement: (size: number, draft: Draft) => Statement;
  readonly related: readonly RelatedStatement[];
}

/** How a statement's rows become records, and the statements of their to-many relations. */
interface CompiledRecord {
  readonly shape: RecordShape;
  readonly related: readonly RelatedStatement[];
}

/** Selects what a source and its to-one relations return, and compiles the statements of its to-many relations. */
export function compileRecord(
  draft: Draft,
  source: PlannedSource,
  selection: Selection,
  scope: Scope,
  joins: readonly PlannedSource[],
  top = true,
): CompiledRecord {
  const table = getTable(source.catalog);
  const alias = scope(source);
  const select = (column: Column) => selection.add(alias, column);
  const columns = source.columns.map(({ column }) => ({ path: column.path, column: getColumn(column) }));
  const cells = columns.map(({ path, column }) => ({ path, column, name: select(column) }));
  const isParent = table.discriminatorColumn && table.children.length > 0;
  const discriminator = isParent ? select(table.discriminatorColumn!) : undefined;
  const keys = table.primaryColumns.length > 0 ? table.primaryColumns.map(select) : cells.map(({ name }) => name);
  const returned = source.joins.filter((join) => join.returned);
  const joined = returned
    .filter((join) => isToOne(join) && joins.some(({ path }) => path === join.path))
    .map((join) => ({ join, ...compileRecord(draft, join, selection, scope, joins, false) }));
  const selectColumn = (named: PlannedSource, column: Column) => selection.add(scope(named), column);
  const own = returned
    .filter((join) => !isToOne(join))
    .map((join) =>
      compileRelated(draft, join, { linkNames: () => parentColumns(join.relation!).map(select), select: selectColumn }),
    );

  draft.weigh(4 * OBJECT_BYTES + columns.length * CELL_BYTES);

  return {
    shape: {
      table,
      cells: cells.filter(({ path }) => !source.hidden.has(path)),
      presence: top ? [] : keys,
      ...(discriminator !== undefined && { discriminator }),
      joined: joined.map(({ join, shape }) => ({ relation: getRelation(join.relation!), shape })),
    },
    related: [...own, ...joined.flatMap(({ join, ...compiled }) => liftRelated(join, compiled))],
  };
}

/** Statements of a joined record's relations, as those of the record that it is joined to. */
function liftRelated(join: PlannedSource, { shape, related }: CompiledRecord): RelatedStatement[] {
  return related.map((statement) => ({
    ...statement,
    pathToParent: [getRelation(join.relation!), ...statement.pathToParent],
    presence: [shape.presence, ...statement.presence],
  }));
}

interface ParentRows {
  /** Names of the parent's values that the relation refers to. */
  readonly linkNames: () => readonly string[];
  /** Selects a column of any source of the parents' statement. */
  readonly select: (source: PlannedSource, column: Column) => string;
}

function compileRelated(draft: Draft, source: PlannedSource, parent: ParentRows): RelatedStatement {
  const parts = chooseParts(draft, source);
  const selection = new Selection({ ...draft, parameters: new Parameters() });
  const childNames = [...parts.keys, ...parts.groups].map(({ alias, column }) => selection.add(alias, column));
  const { shape, related } = compileRecord(draft, source, selection, parts.scope, parts.joins);

  return {
    relation: getRelation(source.relation!),
    pathToParent: [],
    presence: [],
    parentNames: parts.parentNames(parent),
    keyCount: parts.keys.length,
    childNames,
    statement: statementsBySize(source.path, selection.toSql(), draft.weigh),
    shape,
    related,
  };
}

/**
 * The parts of a to-many relation's statement. If the condition names the relation (or one of its own relations), only
 * records that match it are read; since that depends on the root, the statement starts there.
 */
function chooseParts(draft: Draft, source: PlannedSource): StatementParts {
  const namedPaths = listPaths(namedSources(toManyConditions(draft.plan)));

  return namedPaths.has(source.path) ? partsFromRoot(draft, source) : partsFromSource(draft, source);
}

function partsFromSource({ dialect }: Draft, source: PlannedSource): StatementParts {
  const scope = outerScope;
  const alias = scope(source);
  const link = getLink(source.relation!);
  const linkAlias = link.junction ? nameJunctionAlias(alias) : alias;
  const pairs = link.junction ? link.parentPairs : link.pairs;
  // Keys that the database considers equal may differ as texts; then the joined parent's own key is used.
  const parentAlias = dialect.looseText && pairs.some(([near]) => isText(near)) ? nameParentAlias(alias) : undefined;

  return {
    scope,
    joins: joinsInStatement(source, [], true),
    keys: pairs.map(([near, far]) =>
      parentAlias === undefined ? { alias: linkAlias, column: far } : { alias: parentAlias, column: near },
    ),
    groups: [],
    parentNames: ({ linkNames }) => linkNames(),
    from: (writing) => {
      const table = fromSql(writing, getTable(source.catalog), alias);

      const children = link.junction
        ? `${fromSql(writing, link.junction, linkAlias)} INNER JOIN ${table} ON ` +
          `${equalities(writing, link.childPairs, alias, linkAlias).join(' AND ')}`
        : table;

      return parentAlias === undefined ? [children] : [children, parentSql(writing, pairs, parentAlias, linkAlias)];
    },
    where: (writing) => ownConditions(writing, source, scope),
  };
}

function isText(column: Column): boolean {
  const { kind } = getCatalogColumn(column);

  return kind === 'text' || kind === 'uuid';
}

function partsFromRoot(draft: Draft, source: PlannedSource): StatementParts {
  const { root } = draft.plan;
  const scope = outerScope;
  const conditions = toManyConditions(draft.plan);
  const path = listSourceChain(source);
  const onPath = new Set(path.map((step) => step.path));
  const chain = toManyPath(source);
  const above = [root, ...chain.slice(0, -1)];
  const named = namedSources(conditions);
  // If the statement's own joins reach everything that is named, the conditions need no subquery.
  const reached = named.every((one) => toManyPath(one).every(({ path }) => onPath.has(path)));
  const alongside = listPaths([...(reached ? named : []), ...joinsInStatement(source, [], true)]);
  const joins = listDescendants(root, (join) => onPath.has(join.path) || (isToOne(join) && alongside.has(join.path)));
  const listKeyColumns = (one: PlannedSource) => getTable(one.catalog).primaryColumns;
  const group = above.flatMap((one) => listKeyColumns(one).map((column) => ({ source: one, column })));
  const asked = listKeyColumns(root).length;

  return {
    scope,
    joins,
    keys: group.slice(0, asked).map(({ source: one, column }) => ({ alias: scope(one), column })),
    groups: group.slice(asked).map(({ source: one, column }) => ({ alias: scope(one), column })),
    parentNames: ({ select }) => group.map(({ source: one, column }) => select(one, column)),
    from: (writing) => [
      fromSql(writing, getTable(root.catalog), scope(root)),
      ...joins.map((join) => joinSql(writing, join, scope, join.required || onPath.has(join.path))),
    ],
    where: (writing) =>
      reached
        ? conditions.map((condition) => writeCondition(condition, writing, scope))
        : [existsSql(writing, { top: root, conditions, required: [], joined: path }, scope)],
    joined: true,
  };
}

interface AliasedColumn {
  readonly alias: string;
  readonly column: Column;
}

interface StatementParts {
  readonly scope: Scope;
  readonly joins: readonly PlannedSource[];
  /** Columns that are asked for: `IN (keys)`. */
  readonly keys: readonly AliasedColumn[];
  /** Further columns that the records are grouped by. */
  readonly groups: readonly AliasedColumn[];
  readonly parentNames: (parent: ParentRows) => readonly string[];
  readonly from: (writing: Writing) => string[];
  readonly where: (writing: Writing) => string[];
  /** Whether {@link from} joins the to-one relations itself. */
  readonly joined?: boolean;
}

/** The statements of one relation by number of keys, compiled when first needed. */
function statementsBySize(path: string, selected: string, weigh: Weigh): RelatedStatement['statement'] {
  const statements = new Map<number, Statement>();

  return (size, draft) =>
    getOrInsert(statements, size, () => {
      const source = listDescendants(draft.plan.root).find((one) => one.path === path)!;

      return writeRelated({ ...draft, weigh, parameters: new Parameters() }, source, selected, size);
    });
}

function writeRelated(writing: Writing, source: PlannedSource, selected: string, size: number): Statement {
  const { scope, ...parts } = chooseParts(writing, source);
  const joins = parts.joined ? [] : parts.joins.map((join) => joinSql(writing, join, scope));
  const required = requiredThroughToMany(source);
  const conditions = [
    keysSql(writing, parts.keys, size),
    ...parts.where(writing),
    ...(required.length > 0 ? [existsSql(writing, { top: source, conditions: [], required }, scope)] : []),
  ];
  const order = getTable(source.catalog).primaryColumns.map(
    (column) => `${columnSql(writing, scope(source), column)} ASC`,
  );
  const text =
    `SELECT ${selected} FROM ${[...parts.from(writing), ...joins].join(' ')}${whereSql(conditions)}` +
    (order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '');

  return finishStatement(writing, text);
}

/** Restricts a statement to the records of the given parents. */
function keysSql(writing: Writing, columns: readonly AliasedColumn[], size: number): string {
  const { parameters, dialect } = writing;
  const names = columns.map(({ alias, column }) => columnSql(writing, alias, column));

  if (dialect.listParameter && names.length === 1) return `${names[0]} = ANY(${parameters.mark(FIRST_KEYS)})`;

  const marks = Array.from({ length: size }, (_, row) => {
    const values = columns.map(({ column }, index) =>
      dialect.typed(parameters.mark(makeKeySource(index, row)), getCatalogColumn(column)),
    );

    return values.length === 1 ? values[0] : `(${values.join(', ')})`;
  });

  return `${names.length === 1 ? names[0] : `(${names.join(', ')})`} IN (${marks.join(', ')})`;
}
