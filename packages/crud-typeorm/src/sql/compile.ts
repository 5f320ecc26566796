/** A plan in, its statements out: one for the page or the record, one per to-many relation below it, one for the total; each with the shape in which its rows become records. */
import { entityMetadataOf, metadataOf } from '../catalog/catalog.js';
import type { RecordShape } from '../hydrate/record-shape.js';
import { compileRecord, type Draft, type RelatedStatement } from './compile-record.js';
import { fromSql, joinSql } from './join.js';
import { LIMIT, OFFSET, Parameters, type Statement } from './parameters.js';
import { joinsInStatement, predicateParts, whereSql } from './predicate.js';
import { Selection } from './selection.js';
import type { Weigh } from '../lru-cache.js';
import { columnSql, outerScope, type Writing, written } from './writing.js';

/** The statements of one plan shape. */
export interface CompiledRead {
  readonly page: Statement;
  readonly shape: RecordShape;
  readonly related: readonly RelatedStatement[];
  /** Written at the first request for it, by the draft of that request. */
  readonly total: (draft: Draft) => Statement;
}

/** Compiles a plan. */
export function compileRead(draft: Draft): CompiledRead {
  const { plan, dialect } = draft;
  const writing: Writing = { ...draft, parameters: new Parameters() };
  const { parameters } = writing;
  const scope = outerScope();
  const selection = new Selection(writing);
  const parts = predicateParts(writing, scope);
  const joins = joinsInStatement(plan.root, [...parts.named, ...plan.sort.map(({ column }) => column.source)], true);
  const compiled = compileRecord(draft, plan.root, selection, scope, joins);
  const from = [
    fromSql(writing, entityMetadataOf(plan.root.catalog), scope(plan.root)),
    ...joins.map((join) => joinSql(writing, join, scope)),
  ];
  const order = plan.sort.map(
    ({ column, order }) => `${columnSql(writing, scope(column.source), metadataOf(column.column))} ${order}`,
  );
  const text =
    `SELECT ${selection.toSql()} FROM ${from.join(' ')}${whereSql(parts.conditions)}` +
    (order.length > 0 ? ` ORDER BY ${order.join(', ')}` : '') +
    dialect.page(
      plan.limit === undefined ? undefined : parameters.mark(LIMIT),
      plan.offset === undefined ? undefined : parameters.mark(OFFSET),
    ) +
    (plan.locked ? dialect.shareLock(draft.dataSource.driver.escape(scope(plan.root))) : '');
  return {
    page: written(writing, text),
    shape: compiled.shape,
    related: compiled.related,
    total: totalOf(draft.weigh),
  };
}

function totalOf(weigh: Weigh): CompiledRead['total'] {
  let total: Statement | undefined;

  return (draft) => (total ??= compileTotal({ ...draft, weigh }));
}

/** Counts the root's records with the joins that conditions need, and no others. */
function compileTotal(draft: Draft): Statement {
  const writing: Writing = { ...draft, parameters: new Parameters() };
  const { root } = draft.plan;
  const scope = outerScope();
  const { conditions, named } = predicateParts(writing, scope);
  const joins = joinsInStatement(root, named, false).map((join) => joinSql(writing, join, scope));
  const from = [fromSql(writing, entityMetadataOf(root.catalog), scope(root)), ...joins];
  const text = `SELECT COUNT(*) AS ${draft.dataSource.driver.escape('c0')} FROM ${from.join(' ')}${whereSql(conditions)}`;

  return written(writing, text);
}
