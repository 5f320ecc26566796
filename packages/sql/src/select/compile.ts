/** The statements of a plan: the page or the record, one per to-many relation, the total. */
import { hasLoadListeners } from '../hydrate/load-events.js';
import type { RecordShape } from '../hydrate/record-shape.js';
import { LruCache, type Weigh } from '../lru-cache.js';
import { compileRecord, type Draft, type RelatedStatement } from './compile-record.js';
import { fromSql, joinSql } from './join.js';
import { Parameters, type Statement } from './parameters.js';
import { type Keyset, orderedPageSql, orderSql, selectSortValues, writeKeyset } from './keyset.js';
import { joinsInStatement, matchingSql, type PredicateParts, predicateParts, whereSql } from './predicate.js';
import { Selection } from './selection.js';
import { printShape } from './shape.js';
import { listDescendants } from './sources.js';
import { finishStatement, outerScope, type Scope, type Writing } from './writing.js';
import { getTable } from '../database/links.js';

export interface CompiledRead {
  readonly page: Statement;
  readonly shape: RecordShape;
  /** Names of the sort values for cursors; empty without cursors. */
  readonly sortValues: readonly string[];
  readonly related: readonly RelatedStatement[];
  /** Whether entities among the records have listeners that are called when they are loaded. */
  readonly hasListeners: boolean;
  /** Compiled when first needed. */
  readonly total: (draft: Draft) => Statement;
}

function compileRead(draft: Draft): CompiledRead {
  const { plan, dialect } = draft;
  const writing: Writing = { ...draft, parameters: new Parameters() };

  const scope = outerScope;
  const selection = new Selection(writing);
  const parts = predicateParts(writing, scope);
  const joins = joinsInStatement(plan.root, [...parts.named, ...plan.sort.map(({ column }) => column.source)], true);
  const compiled = compileRecord(draft, plan.root, selection, scope, joins);
  const sortValues = selectSortValues(writing, selection, scope);
  const table = fromSql(writing, getTable(plan.root.catalog), scope(plan.root));
  const order = orderSql(writing, plan.sort, scope);
  const keyset: Keyset = plan.slice?.from ? writePageStart(writing, scope, parts, table, order) : { ...parts, order };
  const from = [keyset.from?.(table) ?? table, ...joins.map((join) => joinSql(writing, join, scope))];
  const text =
    `SELECT ${selection.toSql()} FROM ${from.join(' ')}${whereSql(keyset.conditions)}` +
    orderedPageSql(writing, keyset.order) +
    (plan.locked ? dialect.shareLock(draft.database.quote(scope(plan.root))) : '');

  return {
    page: finishStatement(writing, text),
    ...compiled,
    sortValues,
    hasListeners: hasLoadListeners(draft.database.listeners, compiled),
    total: makeTotalCompiler(draft.weigh),
  };
}

/** Where the page of a plan begins, with the joins that conditions and order need. */
function writePageStart(writing: Writing, scope: Scope, parts: PredicateParts, table: string, order: string): Keyset {
  const { root, sort } = writing.plan;
  const named = [...parts.named, ...sort.map(({ column }) => column.source)];
  const joins = joinsInStatement(root, named, false).map((join) => joinSql(writing, join, scope));
  const aliases = [root, ...listDescendants(root)].map(scope);

  return writeKeyset(writing, scope, {
    from: [table, ...joins].join(' '),
    conditions: parts.conditions,
    order,
    aliases,
  });
}

function makeTotalCompiler(weigh: Weigh): CompiledRead['total'] {
  let total: Statement | undefined;

  return (draft) => (total ??= compileTotal({ ...draft, weigh }));
}

/** Counts the root's records, with only the joins that conditions need. */
function compileTotal(draft: Draft): Statement {
  const writing: Writing = { ...draft, parameters: new Parameters() };
  const { from, conditions } = matchingSql(writing, outerScope);
  const total = draft.database.quote('c0');

  return finishStatement(writing, `SELECT COUNT(*) AS ${total} FROM ${from}${whereSql(conditions)}`);
}

const reads = new LruCache<CompiledRead>();

export function compiledRead(draft: Draft): CompiledRead {
  return reads.get(draft.database, printShape(draft), (weigh) => compileRead({ ...draft, weigh }));
}
