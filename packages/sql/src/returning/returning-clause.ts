/**
 * The RETURNING clause of a write, and how the returned rows become its answer. Undefined if the answer needs more than
 * the row.
 */
import { isDeepStrictEqual } from 'node:util';
import { NeedsRecords, planRead, type PlannedCondition, type ReadPlan, scopeOf } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import { rowValueConverter } from '../hydrate/column-value.js';
import { getHydrator } from '../hydrate/hydrator.js';
import type { ReadShape } from '../hydrate/read-rows.js';
import { getTextPlan } from '../json/texts.js';
import { getRecordWriter, type RecordWriter } from '../json/writer.js';
import { LruCache } from '../lru-cache.js';
import { getObjectNumber } from '../number-of.js';
import type { Row, RowFormat, StatementRows } from '../database/rows.js';
import { ownCondition, printPlanShape, type Returned, type Statement, statementBytes } from '../select/index.js';
import type { Key } from '../statements/values.js';
import { readOptions, withoutJoins, type WriteContext, type Written } from '../statements/write-context.js';
import { isOwnRead } from './reasons-against.js';
import { compilePlanColumns, returnedColumns } from './returned-columns.js';
import { getTable } from '../database/links.js';
import { type Entity, getDatabase, type Table } from '../database/database.js';

export interface ReturningClause {
  /** The RETURNING list, its values not placed yet, and the values. */
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Equal for equal texts. */
  readonly shape: string;
  /** Checks a row before the commit. Undefined if all rows are in scope. */
  readonly isInScope?: (row: Row, format: RowFormat) => boolean;
  readonly readWritten: (rows: StatementRows) => Written[];
}

/** Name of the boolean that tells whether a row is in scope; columns are called `c0`, `c1` … */
const IN_SCOPE = 's0';

const scopedLists = new LruCache<Statement>();

interface ReturningOptions {
  /** Whether joined relations are left out of the answer. */
  readonly shallow: boolean;
  /** The key of the changed record: the scope then need not repeat the statement's own condition. */
  readonly key?: Key;
  /** The plan of the request's condition, if it was made already. */
  readonly target?: ReadPlan;
}

export function makeReturningClause(
  context: WriteContext,
  { shallow, key, target }: ReturningOptions,
): ReturningClause | undefined {
  const { request, catalog } = context;
  const table = getTable(catalog);

  if (isAlwaysInScope(context, { key, target })) {
    const columns = returnedColumns(context, shallow);

    return columns && unscoped(columns, table);
  }

  const bare = shallow ? withoutJoins(request) : request;
  const plan = planRead({ ...bare, parsed: { ...bare.parsed, search: scopeOf(request) } }, catalog, 'one');

  if (!isOwnRead(plan)) return undefined;

  const columns = compilePlanColumns(context, plan);
  const where = plan.where && withoutKey(plan.where, plan, key);

  return where ? scoped(context, columns, { ...plan, where }) : unscoped(columns, table);
}

function scoped({ request, catalog, store }: WriteContext, columns: Returned, scope: ReadPlan): ReturningClause {
  const database = getDatabase(store.executor);
  const options = readOptions(request);
  const shape = printPlanShape(scope, database, options);
  const { sql, parameters } = scopedLists.get(database, shape, (weigh) => {
    const condition = ownCondition(scope, database, options);
    const isInScope = `CASE WHEN ${condition.text} THEN 1 ELSE 0 END AS ${database.quote(IN_SCOPE)}`;
    const list = { sql: `${columns.sql}, ${isInScope}`, parameters: condition.values };

    weigh(statementBytes(list));

    return list;
  });

  return {
    readWritten: (rows) => readWritten(columns, getTable(catalog), rows),
    sql,
    parameters: parameters.map((source) => source({ plan: scope })),
    shape,
    isInScope: (row, format) => Number(row[format.key(IN_SCOPE) as string]) === 1,
  };
}

function unscoped(columns: Returned, table: Table): ReturningClause {
  return {
    readWritten: (rows) => readWritten(columns, table, rows),
    sql: columns.sql,
    parameters: [],
    shape: String(getObjectNumber(columns)),
  };
}

function readWritten({ shape, keys }: Returned, { primaryColumns }: Table, { rows, format }: StatementRows): Written[] {
  const read: ReadShape = { shape, related: [] };
  let print: RecordWriter | NeedsRecords | undefined;
  const reader: RowReader = {
    record: (row) => getHydrator(read, format)(row, [])!,
    key: (row) =>
      Object.fromEntries(
        primaryColumns.map((column, index) => {
          const name = keys[index]!;
          const value = row[format.key(name) as string];
          const prepare = rowValueConverter(column, format.findTextFormat(name));

          return [column.propertyPath, prepare ? prepare(value) : value];
        }),
      ),
    json: (row) => {
      print ??= makePrinter(read, format);

      return print instanceof NeedsRecords ? print : print(row, []);
    },
  };

  return rows.map((row) => new ReturnedRow(row, reader));
}

/** Makes of a row what is asked for. */
interface RowReader {
  readonly record: (row: Row) => Entity;
  readonly key: (row: Row) => Key;
  readonly json: (row: Row) => string | NeedsRecords;
}

/** A row that a write has returned. A class, since creating objects with own getters is slow. */
class ReturnedRow implements Written {
  constructor(
    private readonly row: Row,
    private readonly reader: RowReader,
  ) {}

  get record(): Entity {
    return this.reader.record(this.row);
  }

  get key(): Key {
    return this.reader.key(this.row);
  }

  get json(): string | NeedsRecords {
    return this.reader.json(this.row);
  }
}

function makePrinter(read: ReadShape, format: RowFormat): RecordWriter | NeedsRecords {
  const text = getTextPlan(read);

  return text instanceof NeedsRecords ? text : getRecordWriter(text.plan, format);
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

/** The condition of an own read without parts that the key implies; undefined if nothing is left. */
function withoutKey(condition: PlannedCondition, plan: ReadPlan, key: Key | undefined): PlannedCondition | undefined {
  if (condition.kind === 'and') {
    const items = condition.items.flatMap((item) => withoutKey(item, plan, key) ?? []);

    return items.length > 0 ? { kind: 'and', items } : undefined;
  }

  const names =
    key &&
    condition.kind === 'comparison' &&
    condition.operator.name === 'eq' &&
    condition.as === 'column' &&
    !condition.fold &&
    condition.column.source === plan.root &&
    condition.column.column.primary &&
    plan.values[condition.slot!] === key[condition.column.column.path];

  return names ? undefined : condition;
}
