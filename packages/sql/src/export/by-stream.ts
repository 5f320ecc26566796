import type { EventEmitter } from 'node:events';
import { addAbortSignal, type Readable } from 'node:stream';
import { NAMED_FORMAT, type Row } from '../database/rows.js';
import { publishedQuery } from '../connections/published-query.js';
import {
  bindStatement,
  compiledRead,
  makeDraft,
  makeResult,
  observed,
  runForNames,
  type Statement,
} from '../select/index.js';
import type { ExportedList } from './list.js';
import { PartSize } from './part-size.js';
import type { Connection } from '../database/database.js';

/** Reads a list, part by part. The connection is busy meanwhile, so the list must not have to-many relations. */
export async function readByStream(list: ExportedList, connection: Connection): Promise<void> {
  const { plan, options, take } = list;
  const draft = makeDraft(plan, connection, options);
  const compiled = compiledRead(draft);
  const run = runForNames(connection, draft);
  const size = new PartSize();

  const sendPart = async (rows: Row[]): Promise<void> => {
    const result = await makeResult(draft, compiled, run, { rows, format: NAMED_FORMAT });
    size.note(rows.length, await take(await observed(connection, compiled, result)));
  };

  await publishedQuery(compiled.page.sql, async () => {
    let count = 0;
    let rows: Row[] = [];
    for await (const row of await openStream(list, connection, compiled.page)) {
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
  connection: Connection,
  statement: Statement,
): Promise<Readable> {
  const client = (await connection.open()) as EventEmitter;
  const stream = await connection.stream(statement.sql, bindStatement(statement, { plan }));
  // The driver reports a lost connection only on the connection itself.
  const onLoss = (error: Error) => void stream.destroy(error);
  client.once('error', onLoss);
  stream.once('close', () => client.removeListener('error', onLoss));

  return addAbortSignal(signal, stream);
}
