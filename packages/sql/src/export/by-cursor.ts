import { bindStatement, compiledRead, makeDraft, makeResult, observed, runOnConnection } from '../select/index.js';
import type { ExportedList } from './list.js';
import { PartSize } from './part-size.js';
import type { Connection } from '../database/database.js';

const CURSOR = 'nestwright_export';

/** Reads a list, part by part. The next part is on its way while the one before is written. */
export async function readByCursor(list: ExportedList, connection: Connection): Promise<void> {
  const { plan, options, signal, take } = list;
  const draft = makeDraft(plan, connection, options);
  const compiled = compiledRead(draft);
  const run = await runOnConnection(connection, draft);
  const { page } = compiled;
  const size = new PartSize();
  const fetch = (count: number) => run({ sql: `FETCH ${count} FROM ${CURSOR}`, parameters: [] }, { plan });

  await connection.select(`DECLARE ${CURSOR} NO SCROLL CURSOR FOR ${page.sql}`, bindStatement(page, { plan }));
  let requested = size.next;
  let next = fetch(requested);

  for (;;) {
    const found = await next;
    signal.throwIfAborted();
    const isLast = found.rows.length < requested;
    const length = found.rows.length;
    const rows = await observed(connection, compiled, await makeResult(draft, compiled, run, found));
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
