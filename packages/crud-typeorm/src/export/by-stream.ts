import type { EventEmitter } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import type { QueryRunner } from 'typeorm';
import { NAMED_FORMAT, type Row } from '../rows/row-format.js';
import { bindStatement, compiledRead, draftOf, observed, resultOfRows, runForNames } from '../sql/index.js';
import type { ExportedList } from './list.js';
import { PartSize } from './part-size.js';

/** Seconds in a day: how long an export without a timeout waits for its reader. */
const MAX_WAIT = 86_400;

/** Reads a list, part by part. The connection is busy meanwhile, so the list must not have to-many relations. */
export async function readByStream(list: ExportedList, runner: QueryRunner): Promise<void> {
  const { plan, options, signal, take } = list;
  const draft = draftOf(plan, runner, options);
  const compiled = compiledRead(draft);
  const run = runForNames(runner, draft);
  const size = new PartSize();
  let parts = 0;

  const sendPart = async (rows: Row[]): Promise<void> => {
    const result = await resultOfRows(draft, compiled, run, { rows, format: NAMED_FORMAT });
    size.note(rows.length, await take(await observed(runner, compiled, result)));
    parts += 1;
  };

  await runner.query(`SET SESSION net_write_timeout = ${readerTimeoutOf(list)}`);
  const connection = (await runner.connect()) as EventEmitter;
  const stream = (await runner.stream(compiled.page.sql, bindStatement(compiled.page, { plan }))) as Readable;
  // The driver reports a lost connection only on the connection itself.
  const onLoss = (error: Error) => void stream.destroy(error);
  connection.once('error', onLoss);
  let rows: Row[] = [];
  for await (const row of addAbortSignal(signal, stream)) {
    rows.push(row as Row);
    if (rows.length < size.next) continue;
    await sendPart(rows);
    rows = [];
  }
  connection.removeListener('error', onLoss);
  if (rows.length > 0 || parts === 0) await sendPart(rows);
  await runner.query('SET SESSION net_write_timeout = DEFAULT');
}

/** How long the server waits for a slow reader, in seconds: as long as the export may take. */
function readerTimeoutOf({ request }: ExportedList): number {
  const timeout = request.options.query?.export?.timeout;

  return timeout ? Math.ceil(timeout / 1000) + 1 : MAX_WAIT;
}
