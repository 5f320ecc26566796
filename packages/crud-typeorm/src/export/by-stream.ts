import type { EventEmitter } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import type { QueryRunner } from 'typeorm';
import { NAMED_FORMAT, type Row } from '../rows/row-format.js';
import { publishedQuery } from '../query-messages.js';
import {
  bindStatement,
  compiledRead,
  makeDraft,
  makeResult,
  observed,
  runForNames,
  type Statement,
} from '../sql/index.js';
import type { ExportedList } from './list.js';
import { PartSize } from './part-size.js';

/** Reads a list, part by part. The connection is busy meanwhile, so the list must not have to-many relations. */
export async function readByStream(list: ExportedList, runner: QueryRunner): Promise<void> {
  const { plan, options, take } = list;
  const draft = makeDraft(plan, runner, options);
  const compiled = compiledRead(draft);
  const run = runForNames(runner, draft);
  const size = new PartSize();

  const sendPart = async (rows: Row[]): Promise<void> => {
    const result = await makeResult(draft, compiled, run, { rows, format: NAMED_FORMAT });
    size.note(rows.length, await take(await observed(runner, compiled, result)));
  };

  await publishedQuery(compiled.page.sql, async () => {
    let count = 0;
    let rows: Row[] = [];
    for await (const row of await openStream(list, runner, compiled.page)) {
      count += 1;
      rows.push(row as Row);
      if (rows.length < size.next) continue;
      await sendPart(rows);
      rows = [];
    }
    if (rows.length > 0 || count === 0) await sendPart(rows);

    return count;
  });
}

/** The rows of a statement. */
async function openStream(
  { plan, signal }: ExportedList,
  runner: QueryRunner,
  statement: Statement,
): Promise<Readable> {
  const connection = (await runner.connect()) as EventEmitter;
  const stream = (await runner.stream(statement.sql, bindStatement(statement, { plan }))) as Readable;
  // The driver reports a lost connection only on the connection itself.
  const onLoss = (error: Error) => void stream.destroy(error);
  connection.once('error', onLoss);
  stream.once('close', () => connection.removeListener('error', onLoss));

  return addAbortSignal(signal, stream);
}
