/** A plan in, the records that it describes out, with their total where it is asked for; refuses nothing, the database's errors pass through. */
import { type Client, mapInSlices, type ReadPlan, refuseGone } from '@nestwright/crud';
import type { CustomOperators } from '@nestwright/crud-request';
import type { ObjectLiteral } from 'typeorm';
import { dialectOf } from '../dialect/dialect-of.js';
import { broadcastLoad, isObserved } from '../hydrate/load-events.js';
import { hydratorOf } from '../hydrate/hydrator.js';
import { attachRelated, findParents, type ReadRecord } from '../hydrate/related.js';
import type { RowForm } from '../rows/row-form.js';
import type { CompiledRead } from './compile.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { lenderOf, readRelatedRows, readTotal, runForNames, type RunRows } from './form-rows.js';
import { dataSourceOf, isRunner, type ReadTarget, runsConcurrently, withRunner } from './run.js';
import { compiledRead } from './statement-cache.js';

/** What a read needs beside its plan. */
export interface ReadOptions {
  /** `operators.custom` of the resource. */
  readonly operators?: CustomOperators | undefined;
  /** Who waits for the records: nothing is read for a client that has gone. */
  readonly client?: Client | undefined;
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
  return readRecords(draft, compiled, target) as Promise<T[]>;
}

/** Counts the records that match a plan, on all pages. */
export async function count(plan: ReadPlan, target: ReadTarget, options: ReadOptions = {}): Promise<number> {
  const draft = draftOf(plan, target, options);
  const compiled = compiledRead(draft);

  return lenderOf(draft, target)((run) => readTotal(run, compiled.total(draft), plan));
}

/** Reads a page and counts beside it, at the same time where the connection allows. */
export async function readPage<T extends ObjectLiteral = ObjectLiteral>(
  plan: ReadPlan,
  target: ReadTarget,
  options: ReadOptions = {},
): Promise<ReadPage<T>> {
  const draft = draftOf(plan, target, options);
  const compiled = compiledRead(draft);
  const read = (on: ReadTarget) => readRecords(draft, compiled, on) as Promise<T[]>;
  const count = (on: ReadTarget) => lenderOf(draft, on)((run) => readTotal(run, compiled.total(draft), plan));

  if (runsConcurrently(target, draft.dialect.sharedConnection)) {
    const [records, total] = await Promise.all([read(target), count(target)]);

    return { records, total };
  }

  return withRunner(
    target,
    async (runner) => ({ records: await read(runner), total: await count(runner) }),
    draft.client,
  );
}

/** What the statements of a plan are written with. */
export function draftOf(plan: ReadPlan, target: ReadTarget, { operators, client }: ReadOptions): Draft {
  const dataSource = dataSourceOf(target);
  // What a runner of the application sees (an open transaction, a setting of its session) is not for others, nor is theirs for it.
  const own = isRunner(target) && plan.cache ? { ...plan, cache: undefined } : plan;

  return {
    dataSource,
    dialect: dialectOf(dataSource),
    plan: own,
    operators,
    client: isRunner(target) ? undefined : client,
    weigh: () => undefined,
  };
}

/** Reads records; where listeners or subscribers want to see them, on a runner, which tells these. */
async function readRecords(draft: Draft, compiled: CompiledRead, target: ReadTarget): Promise<ObjectLiteral[]> {
  const { shape, related } = compiled;

  // What a write looks up for itself is no record that anyone has loaded.
  if (draft.plan.locked || !isObserved(draft.dataSource, shape, related)) {
    return lenderOf(draft, target)((run) => hydrated(draft, compiled, run));
  }

  return withRunner(
    target,
    async (runner) => {
      const records = await hydrated(draft, compiled, runForNames(runner, draft));

      await broadcastLoad(runner, shape, related, records);

      return records;
    },
    draft.client,
  );
}

async function hydrated(draft: Draft, { page, shape, related }: CompiledRead, run: RunRows): Promise<ObjectLiteral[]> {
  const { rows, form } = await run(page, { plan: draft.plan });
  const hydrate = hydratorOf(shape, draft.dataSource, form);
  const records = await mapInSlices(
    rows,
    (row) => ({ record: hydrate(row)!, row }),
    () => refuseGone(draft.client),
  );

  await readRelated(draft, run, related, records, form);

  return records.map(({ record }) => record);
}

/** Reads what hangs on some records, one relation after the other, and what hangs on that. */
async function readRelated(
  draft: Draft,
  run: RunRows,
  statements: readonly RelatedStatement[],
  records: readonly ReadRecord[],
  form: RowForm,
): Promise<void> {
  for (const statement of statements) {
    const { parents, keys } = findParents(statement, records, form);
    const found = await readRelatedRows(run, draft, statement, keys);
    const proceed = () => refuseGone(draft.client);
    const related = await attachRelated(statement, parents, found, draft.dataSource, proceed);

    await readRelated(draft, run, statement.related, related, found.form);
  }
}
