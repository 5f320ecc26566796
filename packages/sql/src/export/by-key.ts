import { planFrom, type ReadPlan } from '@nestwright/crud/adapter';
import { readRows } from '../select/index.js';
import type { ExportedList } from './list.js';
import { PartSize } from './part-size.js';
import type { Connection, Database } from '../database/database.js';

/**
 * Reads a list, part by part.
 *
 * @param executor A transaction's connection; a shared connection serves other work between two parts.
 */
export async function readByKey(list: ExportedList, target: Connection | Database): Promise<void> {
  const { plan, options, signal, take } = list;
  const size = new PartSize();
  let left = plan.limit ?? Infinity;
  let part: ReadPlan = { ...plan, slice: {} };

  for (;;) {
    signal.throwIfAborted();
    const limit = Math.min(size.next, left);
    const rows = await readRows({ ...part, limit }, target, options);
    const { length, edges } = rows;
    left -= length;
    size.note(length, await take(rows));
    if (length < limit || left === 0 || !edges) return;

    part = planFrom(plan, { direction: 'next', including: false, values: edges.last });
  }
}
