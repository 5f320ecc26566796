/** The statements of an aggregate plan: an inner one groups, an outer one filters, orders and pages the groups. */
import type { AggregatePlan } from '@nestwright/crud/adapter';
import { LruCache } from '../lru-cache.js';
import { withStatements } from './run-statements.js';
import { type ReadValue, makeReader, writeValues, type WrittenValue } from './aggregate-values.js';
import type { Draft } from './compile-record.js';
import { writeHaving } from './having.js';
import { orderedPageSql } from './keyset.js';
import { Parameters, type Statement } from './parameters.js';
import { matchingSql, whereSql } from './predicate.js';
import { makeDraft, type ReadOptions } from './read.js';
import type { Executor } from '../database/database.js';
import { Selection } from './selection.js';
import { printAggregateShape } from './shape.js';
import { finishStatement, outerScope, type Writing } from './writing.js';

/** The rows of an answer, by the keys that the request gave. */
type AggregateRow = Record<string, unknown>;

/** Rows, whether more than the most were found, and how many there are on all pages, if that was asked. */
interface AggregateRows {
  readonly rows: AggregateRow[];
  readonly cut: boolean;
  readonly total: number | undefined;
}

interface CompiledAggregate {
  readonly page: Statement;
  readonly total: Statement;
  /** Names of the selected expressions, by value. */
  readonly names: readonly (readonly string[])[];
}

/** The alias of the statement that groups. */
const GROUPS = 'groups';

const compiled = new LruCache<CompiledAggregate>();

/**
 * Reads the rows of a plan for aggregates.
 *
 * @param most Rows beyond it are dropped. Default: none are.
 * @param counts Whether the rows on all pages are counted.
 */
export async function readAggregates(
  plan: AggregatePlan,
  executor: Executor,
  options: ReadOptions,
  { most, counts }: { readonly most?: number | undefined; readonly counts: boolean },
): Promise<AggregateRows> {
  const draft = makeDraft(plan, executor, options);
  const statements = compiled.get(draft.database, printAggregateShape({ ...draft, plan }), (weigh) =>
    compileAggregate({ ...draft, weigh }),
  );

  return withStatements(draft, executor, async (run) => {
    const { rows: found, format } = await run(statements.page, { plan });
    const total = counts ? await run(statements.total, { plan }) : undefined;
    const cut = most !== undefined && found.length > most;
    const readers = plan.outputs.map((output, index): [name: string, keys: (string | number)[], read: ReadValue] => {
      const names = statements.names[index]!;

      return [output.name, names.map((name) => format.key(name)), makeReader(output, names, format)];
    });

    return {
      rows: (cut ? found.slice(0, most) : found).map((row) =>
        Object.fromEntries(readers.map(([name, keys, read]) => [name, read(keys.map((key) => row[key as string]))])),
      ),
      cut,
      total: total && Number(total.rows[0]![total.format.key('c0') as string]),
    };
  });
}

function compileAggregate(draft: Draft): CompiledAggregate {
  const plan = draft.plan as AggregatePlan;
  const { database } = draft;
  const writing: Writing = { ...draft, parameters: new Parameters() };

  const scope = outerScope;
  const inner = new Selection(writing);
  const values = writeValues(writing, scope, inner, GROUPS);
  const groups = groupsSql(writing, inner, values);
  const conditions = plan.having.map((having) => writeHaving(writing, having, values[having.output]!));
  const from = `(${groups}) ${database.quote(GROUPS)}${whereSql(conditions)}`;
  const outer = new Selection(writing);
  const names = values.map(({ selected }) => selected.map((sql) => outer.addSql(sql)));
  const order = plan.order.flatMap(({ output, order: direction }) => {
    const { ordered, tieBreaker } = values[output]!;

    return [ordered, ...(tieBreaker === undefined ? [] : [tieBreaker])].map((sql) => `${sql} ${direction}`);
  });
  const page = orderedPageSql(writing, order.join(', '));

  return {
    page: finishStatement(writing, `SELECT ${outer.toSql()} FROM ${from}${page}`),
    total: finishStatement(writing, `SELECT COUNT(*) AS ${database.quote('c0')} FROM ${from}`),
    names,
  };
}

/**
 * The groups of the records that a list would have. To-many relations are tested by EXISTS, never joined, so that
 * nothing is counted twice.
 */
function groupsSql(writing: Writing, selection: Selection, values: readonly WrittenValue[]): string {
  const sources = values.flatMap(({ output: { column } }) => (column ? [column.source] : []));
  const { from, conditions } = matchingSql(writing, outerScope, sources);
  const keys = values.flatMap(({ groupBy }) => groupBy ?? []);

  return (
    `SELECT ${selection.toSql()} FROM ${from}${whereSql(conditions)}` +
    (keys.length === 0 ? '' : ` GROUP BY ${keys.join(', ')}`)
  );
}
