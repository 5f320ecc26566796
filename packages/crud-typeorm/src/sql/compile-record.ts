/** A source and the statement that reads it in, the shape of its rows and the statements of the to-many relations below it out; pure, run once per shape. */
import type { PlannedSource } from '@nestwright/crud';
import type { RelationMetadata } from 'typeorm';
import { columnOf, entityMetadataOf, metadataOf, relationMetadataOf } from '../catalog/catalog.js';
import type { ColumnMetadata } from '../column-metadata.js';
import type { RecordShape } from '../hydrate/record-shape.js';
import { choiceSql } from './choice.js';
import { writeCondition } from './condition.js';
import { equalities, fromSql, joinSql, junctionAliasOf, ownConditions } from './join.js';
import { linkOf, parentColumns } from './link.js';
import { listItem } from './list-size.js';
import { Parameters, type Statement } from './parameters.js';
import { choiceConditions, joinsInStatement, whereSql } from './predicate.js';
import { Selection } from './selection.js';
import { below, isToOne, namedSources, pathsTo, requiredChoices, toManyWay, wayTo } from './sources.js';
import { columnSql, outerScope, type Scope, type Writing } from './writing.js';

/** What every statement of a plan is written with, but its parameters. */
export type Draft = Omit<Writing, 'parameters'>;

/** The statement of one to-many relation, and how its records find their parents. */
export interface RelatedStatement {
  readonly relation: RelationMetadata;
  /** To-one relations from the record that a row is about to the parent. */
  readonly way: readonly RelationMetadata[];
  /** For each step of the way, names of the values that are all null where there is no record. */
  readonly presence: readonly (readonly string[])[];
  /** Names in a parent's row: of the values that the records are grouped by, and of those among them that are asked for. */
  readonly parentNames: readonly string[];
  readonly asked: number;
  /** Names in a record's row, beside {@link parentNames}. */
  readonly childNames: readonly string[];
  /** The statement for a number of keys; equal numbers share one. */
  readonly statement: (size: number) => Statement;
  readonly shape: RecordShape;
  readonly related: readonly RelatedStatement[];
}

/** How a statement's rows become records, and the statements of what hangs on them. */
export interface CompiledRecord {
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
  const metadata = entityMetadataOf(source.catalog);
  const alias = scope(source);
  const select = (column: ColumnMetadata) => selection.add(alias, column);
  const columns = source.columns.map(({ column }) => ({ path: column.path, column: metadataOf(column) }));
  const cells = columns.map(({ path, column }) => ({ path, column, name: select(column) }));
  const discriminator =
    metadata.discriminatorColumn && metadata.childEntityMetadatas.length > 0
      ? select(metadata.discriminatorColumn)
      : undefined;
  const keys = metadata.primaryColumns.length > 0 ? metadata.primaryColumns.map(select) : cells.map(({ name }) => name);
  const returned = source.joins.filter((join) => join.returned);
  const joined = returned
    .filter((join) => isToOne(join) && joins.some(({ path }) => path === join.path))
    .map((join) => ({ join, ...compileRecord(draft, join, selection, scope, joins, false) }));
  const own = returned
    .filter((join) => !isToOne(join))
    .map((join) =>
      compileRelated(draft, join, {
        linkNames: () => parentColumns(join.relation!).map(select),
        select: (chosen, column) => selection.add(scope(chosen), column),
      }),
    );

  return {
    shape: {
      metadata,
      cells: cells.filter(({ path }) => !source.hidden.has(path)),
      presence: top ? [] : keys,
      ...(discriminator !== undefined && { discriminator }),
      joined: joined.map(({ join, shape }) => ({ relation: relationMetadataOf(join.relation!), shape })),
    },
    related: [
      ...own,
      ...joined.flatMap(({ join, shape, related }) =>
        related.map((statement) => ({
          ...statement,
          way: [relationMetadataOf(join.relation!), ...statement.way],
          presence: [shape.presence, ...statement.presence],
        })),
      ),
    ],
  };
}

/** What the statement of the parents offers. */
export interface ParentRows {
  /** Names of the parent's values that the relation refers to. */
  readonly linkNames: () => readonly string[];
  /** Selects a column of any source of the parents' statement. */
  readonly select: (source: PlannedSource, column: ColumnMetadata) => string;
}

/**
 * Compiles the statement of a to-many relation. Where the condition speaks of the relation (or of one below it), only the records for which a fitting choice exists are
 * read; who they belong to then depends on the root too, so that the statement starts there.
 */
export function compileRelated(draft: Draft, source: PlannedSource, parent: ParentRows): RelatedStatement {
  const chosen = pathsTo(namedSources(choiceConditions(draft.plan)));

  return chosen.has(source.path) ? compileChosen(draft, source, parent) : compilePlain(draft, source, parent);
}

function compilePlain(draft: Draft, source: PlannedSource, { linkNames }: ParentRows): RelatedStatement {
  const scope = outerScope();
  const alias = scope(source);
  const link = linkOf(source.relation!);
  const linkAlias = link.junction ? junctionAliasOf(alias) : alias;
  const keyColumns = (link.junction ? link.parentPairs : link.pairs).map(([, far]) => far);

  return compileStatement(draft, source, scope, {
    joins: joinsInStatement(source, [], true),
    keys: keyColumns.map((column) => ({ alias: linkAlias, column })),
    groups: [],
    parentNames: linkNames(),
    from: (writing) => {
      const table = fromSql(writing, entityMetadataOf(source.catalog), alias);

      return link.junction
        ? [
            `${fromSql(writing, link.junction, linkAlias)} INNER JOIN ${table} ON ${equalities(writing, link.childPairs, alias, linkAlias).join(' AND ')}`,
          ]
        : [table];
    },
    where: (writing) => ownConditions(writing, source, scope),
  });
}

function compileChosen(draft: Draft, source: PlannedSource, { select }: ParentRows): RelatedStatement {
  const { root } = draft.plan;
  const scope = outerScope();
  const conditions = choiceConditions(draft.plan);
  const way = wayTo(source);
  const onWay = new Set(way.map(({ path }) => path));
  const chain = toManyWay(source);
  const above = [root, ...chain.slice(0, -1)];
  const named = namedSources(conditions);
  // Where the statement's own joins reach everything that is named, the conditions stand in it directly.
  const reached = named.every((one) => toManyWay(one).every(({ path }) => onWay.has(path)));
  const alongside = pathsTo([...(reached ? named : []), ...joinsInStatement(source, [], true)]);
  const joins = below(root, (join) => onWay.has(join.path) || (isToOne(join) && alongside.has(join.path)));
  const keysOf = (one: PlannedSource) => entityMetadataOf(one.catalog).primaryColumns;
  const group = above.flatMap((one) => keysOf(one).map((column) => ({ source: one, column })));
  const asked = keysOf(root).length;

  return compileStatement(draft, source, scope, {
    joins,
    keys: group.slice(0, asked).map(({ source: one, column }) => ({ alias: scope(one), column })),
    groups: group.slice(asked).map(({ source: one, column }) => ({ alias: scope(one), column })),
    parentNames: group.map(({ source: one, column }) => select(one, column)),
    from: (writing) => [
      fromSql(writing, entityMetadataOf(root.catalog), scope(root)),
      ...joins.map((join) => joinSql(writing, join, scope, join.required || onWay.has(join.path))),
    ],
    where: (writing) =>
      reached
        ? conditions.map((condition) => writeCondition(condition, writing, scope))
        : [choiceSql(writing, { top: root, conditions, required: [], chosen: way }, scope)],
    joined: true,
  });
}

interface AliasedColumn {
  readonly alias: string;
  readonly column: ColumnMetadata;
}

interface StatementParts {
  readonly joins: readonly PlannedSource[];
  /** Columns that are asked for: `IN (keys)`. */
  readonly keys: readonly AliasedColumn[];
  /** Further columns that the records are grouped by. */
  readonly groups: readonly AliasedColumn[];
  readonly parentNames: readonly string[];
  readonly from: (writing: Writing) => string[];
  readonly where: (writing: Writing) => string[];
  /** Whether {@link from} joins the to-one relations itself. */
  readonly joined?: boolean;
}

function compileStatement(draft: Draft, source: PlannedSource, scope: Scope, parts: StatementParts): RelatedStatement {
  const statements = new Map<number, Statement>();
  const drafting: Writing = { ...draft, parameters: new Parameters() };
  const selection = new Selection(drafting);
  const childNames = [...parts.keys, ...parts.groups].map(({ alias, column }) => selection.add(alias, column));
  const { shape, related } = compileRecord(draft, source, selection, scope, parts.joins);
  const order = entityMetadataOf(source.catalog).primaryColumns.map((column) => ({ alias: scope(source), column }));

  const write = (size: number): Statement => {
    const writing: Writing = { ...draft, parameters: new Parameters() };
    const joins = parts.joined ? [] : parts.joins.map((join) => joinSql(writing, join, scope));
    const required = requiredChoices(source);
    const conditions = [
      keysSql(writing, parts.keys, size),
      ...parts.where(writing),
      ...(required.length > 0 ? [choiceSql(writing, { top: source, conditions: [], required }, scope)] : []),
    ];
    const sorted = order.map(({ alias, column }) => `${columnSql(writing, alias, column)} ASC`);
    const text =
      `SELECT ${selection.toSql()} FROM ${[...parts.from(writing), ...joins].join(' ')}${whereSql(conditions)}` +
      (sorted.length > 0 ? ` ORDER BY ${sorted.join(', ')}` : '');

    return writing.parameters.positional(text, draft.dataSource);
  };

  return {
    relation: relationMetadataOf(source.relation!),
    way: [],
    presence: [],
    parentNames: parts.parentNames,
    asked: parts.keys.length,
    childNames,
    statement: (size) => {
      let statement = statements.get(size);

      if (!statement) {
        statement = write(size);
        statements.set(size, statement);
      }

      return statement;
    },
    shape,
    related,
  };
}

/** Restricts a statement to the records of the parents at hand. */
function keysSql(writing: Writing, columns: readonly AliasedColumn[], size: number): string {
  const { parameters, dialect } = writing;
  const names = columns.map(({ alias, column }) => columnSql(writing, alias, column));

  if (dialect.listParameter && names.length === 1) {
    return `${names[0]} = ANY(${parameters.mark(({ keys }) => keys?.[0])})`;
  }

  const marks = Array.from({ length: size }, (_, row) => {
    const values = columns.map(({ column }, index) =>
      dialect.typed(
        parameters.mark(({ keys }) => listItem(keys?.[index] ?? [], row)),
        columnOf(column),
      ),
    );

    return values.length === 1 ? values[0] : `(${values.join(', ')})`;
  });

  return `${names.length === 1 ? names[0] : `(${names.join(', ')})`} IN (${marks.join(', ')})`;
}
