/** A plan in, the JSON text of its records out, written straight from the rows; answers why where records must be made, before anything is read. */
import { type Client, mapInSlices, type ReadPlan, refuseGone } from '@nestwright/crud';
import { databaseOptionsOf } from '../database-options.js';
import { isObserved } from '../hydrate/load-events.js';
import { keyText } from '../hydrate/related.js';
import type { RecordShape } from '../hydrate/record-shape.js';
import { NeedsRecords, reasonNow, type RecordPlan, recordPlanOf } from '../json/record-plan.js';
import type { Row, RowForm } from '../rows/row-form.js';
import { presenceOf, type RelatedText, writerOf } from '../json/writer.js';
import type { Draft, RelatedStatement } from './compile-record.js';
import { lenderOf, readRelatedRows, readTotal, type RunRows } from './form-rows.js';
import { draftOf, type ReadOptions } from './read.js';
import { type ReadTarget, runsConcurrently } from './run.js';
import { compiledRead } from './statement-cache.js';

/** Records as JSON text, one by one. */
export interface TextRecords {
  /** A list of all, or of the first so many. */
  readonly texts: readonly string[];
  /** Whether there were more rows than asked for. */
  readonly cut: boolean;
}

/** Reads that a plan allows. */
export interface TextReader {
  /** @param most Rows beyond it are dropped. */
  records(most?: number): Promise<TextRecords>;
  /** The records, and beside them the number of all that match. */
  page(): Promise<{ readonly records: TextRecords; readonly total: number }>;
}

/**
 * What reads a plan as text, or why its records must be made: listeners, rules that only a record knows.
 *
 * @example
 * const reader = textReader(plan, dataSource);
 * if (!(reader instanceof NeedsRecords)) `[${(await reader.records()).texts.join()}]`;
 */
export function textReader(plan: ReadPlan, target: ReadTarget, options: ReadOptions = {}): TextReader | NeedsRecords {
  const draft = draftOf(plan, target, options);
  const { dataSource, dialect } = draft;
  if (!databaseOptionsOf(dataSource).fastPaths) return new NeedsRecords('the option fastPaths: false');

  const compiled = compiledRead(draft);
  const top = plansOf(compiled);

  if (top instanceof NeedsRecords) return top;
  if (isObserved(dataSource, compiled.shape, compiled.related)) return new NeedsRecords('@AfterLoad() or a subscriber');

  const reason = reasonNow(top.all);
  if (reason) return reason;

  const lend = lenderOf(draft, target);

  const records = (most?: number) =>
    lend(async (run) => {
      const { rows, form } = await run(compiled.page, { plan });
      const kept = most === undefined || rows.length <= most ? rows : rows.slice(0, most);
      const lists = await readLists({ draft, run }, compiled.related, top.related, kept, form);
      const write = writerOf(top.plan, form, dataSource);

      return { texts: await written(kept, (row) => write(row, lists), draft.client), cut: kept !== rows };
    });
  const total = () => lend((run) => readTotal(run, compiled.total(draft), plan));

  return {
    records,
    page: async () => {
      if (runsConcurrently(target, dialect.sharedConnection)) {
        const [read, all] = await Promise.all([records(), total()]);

        return { records: read, total: all };
      }

      return { records: await records(), total: await total() };
    },
  };
}

/** The texts of rows. A long list must not be held twice, so each row is let go when its text is there. */
function written(
  rows: readonly Row[],
  write: (row: Row) => string,
  client: Client | undefined,
): string[] | Promise<string[]> {
  const left: (Row | undefined)[] = rows as Row[];

  return mapInSlices(
    rows,
    (row, index) => {
      left[index] = undefined;

      return write(row);
    },
    () => refuseGone(client),
  );
}

/** The plans of a statement's records and of those that hang on them. */
interface Plans {
  readonly plan: RecordPlan;
  readonly related: readonly Plans[];
  /** The plan and all below. */
  readonly all: readonly RecordPlan[];
}

interface Shaped {
  readonly shape: RecordShape;
  readonly related: readonly RelatedStatement[];
}

const known = new WeakMap<RecordShape, Plans | NeedsRecords>();

function plansOf({ shape, related }: Shaped): Plans | NeedsRecords {
  let plans = known.get(shape);
  if (!plans) known.set(shape, (plans = makePlans(shape, related)));

  return plans;
}

function makePlans(shape: RecordShape, related: readonly RelatedStatement[]): Plans | NeedsRecords {
  const plan = recordPlanOf(shape, related);
  if (plan instanceof NeedsRecords) return plan;

  const below: Plans[] = [];

  for (const statement of related) {
    const plans = plansOf(statement);
    if (plans instanceof NeedsRecords) return plans;
    below.push(plans);
  }

  return { plan, related: below, all: [plan, ...below.flatMap(({ all }) => all)] };
}

interface Reading {
  readonly draft: Draft;
  readonly run: RunRows;
}

/** Reads what hangs on some rows, one relation after the other, and what hangs on that. */
async function readLists(
  reading: Reading,
  statements: readonly RelatedStatement[],
  plans: readonly Plans[],
  rows: readonly Row[],
  form: RowForm,
): Promise<RelatedText[]> {
  const lists: RelatedText[] = [];

  for (const [index, statement] of statements.entries()) {
    lists.push(await readList(reading, statement, plans[index]!, rows, form));
  }

  return lists;
}

async function readList(
  reading: Reading,
  statement: RelatedStatement,
  plans: Plans,
  parents: readonly Row[],
  parentForm: RowForm,
): Promise<RelatedText> {
  const { draft, run } = reading;
  const { rows, form } = await readRelatedRows(run, draft, statement, askedKeys(statement, parents, parentForm));
  const lists = await readLists(reading, statement.related, plans.related, rows, form);
  const write = writerOf(plans.plan, form, draft.dataSource);
  const names = statement.childNames.map((name) => form.key(name));
  const groups = new Map<string, Row[]>();
  const texts = new Map<string, string>();

  const group = (row: Row): void => {
    const key = keyText(row, names);
    const known = key === undefined ? undefined : groups.get(key);

    if (known) known.push(row);
    else if (key !== undefined) groups.set(key, [row]);
  };

  await mapInSlices(rows, group, () => refuseGone(draft.client));

  return {
    listOf: (key) => {
      const group = key === undefined ? undefined : groups.get(key);
      if (!group) return '[]';

      // Several rows may have the same parent: a company with its projects, once per user.
      let text = texts.get(key!);
      if (text === undefined) texts.set(key!, (text = `[${group.map((row) => write(row, lists)).join(',')}]`));

      return text;
    },
  };
}

/** The distinct keys of the parents in some rows, a list per column. */
function askedKeys(statement: RelatedStatement, rows: readonly Row[], form: RowForm): unknown[][] {
  const names = statement.parentNames.slice(0, statement.asked).map((name) => form.key(name));
  const isPresent = statement.presence.map((presence) => presenceOf(presence, form));
  const keys: unknown[][] = names.map(() => []);
  const seen = new Set<string>();

  for (const row of rows) {
    const key = isPresent.every((present) => present(row)) ? keyText(row, names) : undefined;

    if (key !== undefined && !seen.has(key)) {
      seen.add(key);
      names.forEach((name, index) => keys[index]!.push(row[name as string]));
    }
  }

  return keys;
}
