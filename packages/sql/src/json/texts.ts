import { getOrInsert, mapInSlices, NeedsRecords } from '@nestwright/crud/adapter';
import type { ReadRows, ReadShape, RelatedList, RelatedRows } from '../hydrate/read-rows.js';
import type { RecordShape } from '../hydrate/record-shape.js';
import type { Row } from '../database/rows.js';
import { makeRecordPlan, reasonNow, type RecordPlan } from './record-plan.js';
import { getRecordWriter, type RecordWriter } from './writer.js';

/** How the records of a read and of its relations become text. */
export interface TextPlan {
  readonly plan: RecordPlan;
  readonly related: readonly TextPlan[];
  /** The plan and those of all relations. */
  readonly all: readonly RecordPlan[];
}

const known = new WeakMap<RecordShape, TextPlan | NeedsRecords>();

/** How a read becomes text right now, or why records are needed. */
export function getTextPlan(read: ReadShape): TextPlan | NeedsRecords {
  const plan = getCachedPlan(read);

  return plan instanceof NeedsRecords ? plan : (reasonNow(plan.all) ?? plan);
}

function getCachedPlan(read: ReadShape): TextPlan | NeedsRecords {
  return getOrInsert(known, read.shape, () => makePlans(read));
}

function makePlans(read: ReadShape): TextPlan | NeedsRecords {
  const plan = makeRecordPlan(read);
  if (plan instanceof NeedsRecords) return plan;

  const plansOfRelated: TextPlan[] = [];

  for (const statement of read.related) {
    const plans = getCachedPlan(statement);
    if (plans instanceof NeedsRecords) return plans;
    plansOfRelated.push(plans);
  }

  return { plan, related: plansOfRelated, all: [plan, ...plansOfRelated.flatMap(({ all }) => all)] };
}

/**
 * The texts of the records of a read. Each row is released when its text is made, so that a long list is not held in
 * memory twice.
 *
 * @param proceed See `mapInSlices`.
 */
export function printTexts(read: ReadRows, plan: TextPlan, proceed: () => void): string[] | Promise<string[]> {
  const write = compile(read, plan);
  const left = read.rows as (Row | undefined)[];

  return mapInSlices(
    read.rows,
    (row, index) => {
      left[index] = undefined;

      return write(row);
    },
    proceed,
  );
}

function compile(read: ReadRows, { plan, related }: TextPlan): (row: Row) => string {
  const write: RecordWriter = getRecordWriter(plan, read.format);
  const lists = printRelatedLists(read, related);

  return (row) => write(row, lists);
}

/** The related records of each row of a read, as text. */
export function printRelatedLists(read: ReadRows, related: readonly TextPlan[]): RelatedList<string>[] {
  return read.related.map((list, index) => makeRelatedText(list, compile(list, related[index]!)));
}

/** Several rows may have the same parent: a company with its projects, once per user. */
function makeRelatedText({ groups }: RelatedRows, write: (row: Row) => string): RelatedList<string> {
  const texts = new Map<string | undefined, string>();

  return (key) => {
    const group = groups.get(key);
    if (!group) return '[]';

    let text = texts.get(key);
    if (text === undefined) texts.set(key, (text = `[${group.map((row) => write(row)).join(',')}]`));

    return text;
  };
}
