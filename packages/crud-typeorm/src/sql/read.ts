/** A plan in, the records that it describes out, with their total where it is asked for; refuses nothing, the database's errors pass through. */
import type { ReadPlan } from '@nestwright/crud';
import type { CustomOperators } from '@nestwright/crud-request';
import type { DataSource, ObjectLiteral, QueryRunner } from 'typeorm';
import { dialectOf } from '../dialect/dialect-of.js';
import { broadcastLoad } from '../hydrate/load-events.js';
import { hydratorOf, type Row } from '../hydrate/hydrator.js';
import { attachRelated, findParents, type ReadRecord } from '../hydrate/related.js';
import type { CompiledRead } from './compile.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { keyPages } from './key-pages.js';
import { dataSourceOf, type ReadTarget, runsConcurrently, runStatement, withRunner } from './run.js';
import { compiledRead } from './statement-cache.js';

/** What a read needs beside its plan. */
export interface ReadOptions {
  /** `operators.custom` of the resource. */
  readonly operators?: CustomOperators;
}

/** A page and the number of records on all pages. */
export interface ReadPage<T> {
  readonly records: T[];
  readonly total: number;
}

/**
 * Reads the records of a plan: one statement, and one per to-many relation.
 *
 * @example
 * const [user] = await read<User>(planRead(request, catalog, 'one'), dataSource);
 */
export async function read<T extends ObjectLiteral = ObjectLiteral>(
  plan: ReadPlan,
  target: ReadTarget,
  options: ReadOptions = {},
): Promise<T[]> {
  const draft = draftOf(plan, target, options);
  const compiled = compiledRead(draft);

  // Which class the records have is known to the catalog alone.
  return withRunner(target, (runner) => readRecords(draft, compiled, runner)) as Promise<T[]>;
}

/** Counts the records that match a plan, on all pages. */
export async function count(plan: ReadPlan, target: ReadTarget, options: ReadOptions = {}): Promise<number> {
  const draft = draftOf(plan, target, options);
  const compiled = compiledRead(draft);

  return withRunner(target, (runner) => readTotal(draft, compiled, runner));
}

/** Reads a page and counts beside it, at the same time where the connection allows. */
export async function readPage<T extends ObjectLiteral = ObjectLiteral>(
  plan: ReadPlan,
  target: ReadTarget,
  options: ReadOptions = {},
): Promise<ReadPage<T>> {
  const draft = draftOf(plan, target, options);
  const compiled = compiledRead(draft);
  const records = (runner: QueryRunner) => readRecords(draft, compiled, runner) as Promise<T[]>;
  const total = (runner: QueryRunner) => readTotal(draft, compiled, runner);

  if (runsConcurrently(target, draft.dialect.sharedConnection)) {
    const [page, all] = await Promise.all([withRunner(target, records), withRunner(target, total)]);

    return { records: page, total: all };
  }

  return withRunner(target, async (runner) => ({ records: await records(runner), total: await total(runner) }));
}

/** What the statements of a plan are written with. */
export function draftOf(plan: ReadPlan, target: ReadTarget, { operators }: ReadOptions): Draft {
  const dataSource = dataSourceOf(target);

  return { dataSource, dialect: dialectOf(dataSource), plan, operators };
}

/** Counts on a runner that is there. */
export async function readTotal({ plan }: Draft, compiled: CompiledRead, runner: QueryRunner): Promise<number> {
  const [row] = await runStatement(runner, compiled.total(), { plan }, plan.cache);

  return Number(row?.c0);
}

async function readRecords(
  { plan, dataSource, dialect }: Draft,
  compiled: CompiledRead,
  runner: QueryRunner,
): Promise<ObjectLiteral[]> {
  const rows = await runStatement(runner, compiled.page, { plan }, plan.cache);
  const hydrate = hydratorOf(compiled.shape, dataSource);
  const records = rows.map((row) => ({ record: hydrate(row)!, row }));

  await readRelated(
    { plan, runner, dataSource, listLimit: dialect.listLimit, listParameter: dialect.listParameter },
    compiled.related,
    records,
  );

  const entities = records.map(({ record }) => record);

  await broadcastLoad(runner, compiled.shape, compiled.related, entities);

  return entities;
}

interface Reading {
  readonly plan: ReadPlan;
  readonly runner: QueryRunner;
  readonly dataSource: DataSource;
  readonly listLimit: number;
  readonly listParameter: boolean;
}

/** Reads what hangs on some records, one relation after the other, and what hangs on that. */
async function readRelated(
  reading: Reading,
  statements: readonly RelatedStatement[],
  records: readonly ReadRecord[],
): Promise<void> {
  for (const statement of statements) {
    const { parents, keys } = findParents(statement, records);
    const rows = await readRows(reading, statement, keys);
    const related = attachRelated(statement, parents, rows, reading.dataSource);

    await readRelated(reading, statement.related, related);
  }
}

async function readRows(
  { plan, runner, listLimit, listParameter }: Reading,
  statement: RelatedStatement,
  keys: readonly (readonly unknown[])[],
): Promise<readonly Row[]> {
  const pages: (readonly Row[])[] = [];

  for (const { part, size } of keyPages(keys, listLimit, listParameter)) {
    pages.push(await runStatement(runner, statement.statement(size), { plan, keys: part }, plan.cache));
  }

  return pages.length === 1 ? pages[0]! : pages.flat();
}
