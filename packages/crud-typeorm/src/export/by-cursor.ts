import type { QueryRunner } from 'typeorm';
import { bindStatement, compiledRead, makeDraft, makeResult, observed, runOnConnection } from '../sql/index.js';
import type { ExportedList } from './list.js';
import { PartSize } from './part-size.js';

const CURSOR = 'nestwright_export';

/** Reads a list, part by part. The next part is on its way while the one before is written. */
export async function readByCursor(list: ExportedList, runner: QueryRunner): Promise<void> {
  const { plan, options, signal, take } = list;
  const draft = makeDraft(plan, runner, options);
  const compiled = compiledRead(draft);
  const run = await runOnConnection(runner, draft);
  const { page } = compiled;
  const size = new PartSize();
  const fetch = (count: number) => run({ sql: `FETCH ${count} FROM ${CURSOR}`, parameters: [] }, { plan });

  await runner.query(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${page.sql}`, bindStatement(page, { plan }));
  let requested = size.next;
  let next = fetch(requested);

  for (;;) {
    const found = await next;
    signal.throwIfAborted();
    const isLast = found.rows.length < requested;
    const length = found.rows.length;
    const rows = await observed(runner, compiled, await makeResult(draft, compiled, run, found));
    if (!isLast) {
      requested = size.next;
      next = fetch(requested);
      // Errors surface where the promise is awaited.
      next.catch(() => undefined);
    }
    size.note(length, await take(rows));
    if (isLast) return;
  }
}
