/**
 * The RETURNING clause of a write, and how the returned rows become its answer. Undefined if the answer needs more than
 * the row.
 */
import { isDeepStrictEqual } from 'node:util';
import {
  type Catalog,
  NeedsRecords,
  planRead,
  type PlannedCondition,
  type ReadPlan,
  scopeOf,
} from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { DataSource, EntityMetadata, ObjectLiteral } from 'typeorm';
import { entityMetadataOf } from '../catalog/catalog.js';
import { hydratorOf } from '../hydrate/hydrator.js';
import { LruCache } from '../lru-cache.js';
import { textPlanOf } from '../json/texts.js';
import type { FormedRows, Row, RowForm } from '../rows/row-form.js';
import { type RecordWriter, writerOf } from '../json/writer.js';
import { type Key, readOptions, withoutJoins, type WriteContext, type Written } from '../statements/write-context.js';
import { ownPieces, type Pieces, piecesBytes, type Returned, shapeOfPlan } from '../sql/index.js';
import { type ReturnedColumns, returnedColumns, columnsOfPlan } from './returned-columns.js';
import { isOwnRead } from './reasons-against.js';

/** How a statement answers. */
export interface ReturningClause {
  /** The RETURNING list, cut at its values, and the values. */
  readonly texts: readonly string[];
  readonly parameters: readonly unknown[];
  /** Whether the row must be checked before the commit. */
  readonly scoped: boolean;
  /** Equal for equal texts. */
  readonly shape: string;
  readonly isInScope: (row: Row, form: RowForm) => boolean;
  readonly writtenOf: (rows: FormedRows) => Written[];
}

/** Name of the boolean that tells whether a row is in scope; columns are called `c0`, `c1` … */
const IN_SCOPE = 's0';

const pieces = new LruCache<Pieces>();

/** Options of {@link returningClauseOf}. */
export interface ReturningOptions {
  /** Whether joined relations are left out of the answer. */
  readonly shallow: boolean;
  /** The key of the changed record: the scope then need not repeat the statement's own condition. */
  readonly key?: Key;
  /** The plan of the request's condition, if it was made already. */
  readonly target?: ReadPlan;
}

/** The answer of a write. */
export function returningClauseOf(
  context: WriteContext,
  { shallow, key, target }: ReturningOptions,
): ReturningClause | undefined {
  const { request, catalog, manager } = context;
  const { connection } = manager;

  if (isAlwaysInScope(context, { key, target })) {
    const columns = returnedColumns(context, shallow);

    return columns && unscoped(columns, catalog);
  }

  const options = readOptions(request);
  const bare = shallow ? withoutJoins(request) : request;
  const plan = planRead({ ...bare, parsed: { ...bare.parsed, search: scopeOf(request) } }, catalog, 'one');

  if (!isOwnRead(plan)) {
    return undefined;
  }

  const columns = columnsOfPlan(context, plan);
  const where = plan.where && withoutKey(plan.where, plan, key);

  if (!where) {
    return unscoped(columns, catalog);
  }

  const scope = { ...plan, where };
  const shape = shapeOfPlan(scope, connection, options);
  const { texts, parameters } = pieces.get(connection, shape, (weigh) => {
    const list = scopedList(columns.list.sql, ownPieces(scope, connection, options), connection);

    weigh(piecesBytes(list));

    return list;
  });

  return {
    writtenOf: readerOf(columns, catalog),
    texts,
    parameters: parameters.map((source) => source({ plan: scope })),
    scoped: true,
    shape,
    isInScope: (row, form) => Number(row[form.key(IN_SCOPE) as string]) === 1,
  };
}

function unscoped(columns: ReturnedColumns, catalog: Catalog): ReturningClause {
  return {
    writtenOf: readerOf(columns, catalog),
    texts: [columns.list.sql],
    parameters: [],
    scoped: false,
    shape: columns.shape,
    isInScope: () => true,
  };
}

function readerOf({ list }: ReturnedColumns, catalog: Catalog): ReturningClause['writtenOf'] {
  const metadata = entityMetadataOf(catalog);

  return ({ rows, form }) => {
    const reading = new Reading(form, list, metadata);

    return rows.map((row) => new ReturnedRow(row, reading));
  };
}

/** Whether the scope has no conditions on the row, as far as is known without planning the answer. */
function isAlwaysInScope({ request }: WriteContext, { key, target }: Omit<ReturningOptions, 'shallow'>): boolean {
  const scope = scopeOf(request);

  return (
    isEmpty(scope) ||
    (target !== undefined &&
      target.root.joins.length === 0 &&
      isDeepStrictEqual(scope, request.parsed.search) &&
      !(target.where && withoutKey(target.where, target, key)))
  );
}

/** Whether this is the scope of a request without path values and conditions of its own. */
function isEmpty(scope: SCondition): boolean {
  return Array.isArray(scope.$and) && scope.$and.length === 0 && Object.keys(scope).length === 1;
}

/** The list with an additional boolean: whether the row is in scope. */
function scopedList(list: string, { texts, parameters }: Pieces, { driver }: DataSource): Pieces {
  const first = `${list}, CASE WHEN ${texts[0]}`;
  const end = ` THEN 1 ELSE 0 END AS ${driver.escape(IN_SCOPE)}`;

  return {
    texts: texts.length === 1 ? [first + end] : [first, ...texts.slice(1, -1), texts.at(-1)! + end],
    parameters,
  };
}

/** The condition without parts that the key implies; undefined if nothing is left. */
function withoutKey(condition: PlannedCondition, plan: ReadPlan, key: Key | undefined): PlannedCondition | undefined {
  if (condition.kind === 'and') {
    const items = condition.items.flatMap((item) => withoutKey(item, plan, key) ?? []);

    return items.length > 0 ? { kind: 'and', items } : undefined;
  }

  if (condition.kind === 'constant') {
    return condition.value === true ? undefined : condition;
  }

  const names =
    key &&
    condition.kind === 'comparison' &&
    condition.operator.name === 'eq' &&
    condition.as === 'column' &&
    !condition.fold &&
    condition.slot !== undefined &&
    condition.column.source === plan.root &&
    condition.column.column.primary &&
    condition.column.jsonPath.length === 0 &&
    plan.values[condition.slot] === key[condition.column.column.path];

  return names ? undefined : condition;
}

/** Reads the rows of one statement, lazily. */
class Reading {
  private text?: RecordWriter | NeedsRecords;

  constructor(
    private readonly form: RowForm,
    private readonly list: Returned,
    private readonly metadata: EntityMetadata,
  ) {}

  recordOf(row: Row): ObjectLiteral {
    return hydratorOf(this.list.shape, this.metadata.connection, this.form)(row)!;
  }

  keyOf(row: Row): Key {
    const { driver } = this.metadata.connection;

    return Object.fromEntries(
      this.metadata.primaryColumns.map((column, index) => {
        const name = this.list.keys[index]!;
        const value = row[this.form.key(name) as string];
        const parse = this.form.textOf(name)?.parse;
        const parsed = parse && typeof value === 'string' ? parse(value) : value;

        return [column.propertyPath, driver.prepareHydratedValue(parsed, column) as unknown];
      }),
    );
  }

  jsonOf(row: Row): string | NeedsRecords {
    this.text ??= this.writer();

    return this.text instanceof NeedsRecords ? this.text : this.text(row, []);
  }

  private writer(): RecordWriter | NeedsRecords {
    const text = textPlanOf({ shape: this.list.shape, related: [] });

    return text instanceof NeedsRecords ? text : writerOf(text.plan, this.form, this.metadata.connection);
  }
}

/** A row that a write has returned. */
class ReturnedRow implements Written {
  constructor(
    private readonly row: Row,
    private readonly reading: Reading,
  ) {}

  get record(): ObjectLiteral {
    return this.reading.recordOf(this.row);
  }

  get key(): Key {
    return this.reading.keyOf(this.row);
  }

  get json(): string | NeedsRecords {
    return this.reading.jsonOf(this.row);
  }
}
