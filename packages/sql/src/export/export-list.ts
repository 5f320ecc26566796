/** Lists that are sent while they are read: in one snapshot, or in parts by key on a shared connection. */
import type { CrudRequest } from '@nestwright/crud';
import { type Catalog, type ExportPart, ListExport, makeReadOptions, NeedsRecords } from '@nestwright/crud/adapter';
import type { Dialect } from '../database/dialect.js';
import { toCrudError } from '../errors/to-crud-error.js';
import { compiledRead, makeDraft, readRows, type RowsResult } from '../select/index.js';
import { readByCursor } from './by-cursor.js';
import { readByKey } from './by-key.js';
import { readByStream } from './by-stream.js';
import { type ExportedList, planExport, refuseLongList } from './list.js';
import { inSnapshot } from './snapshot.js';
import { type Connection, type Entity, type Executor, getDatabase, isConnection } from '../database/database.js';
import { getTable } from '../database/links.js';

/** A whole list, read in one snapshot and in parts, while it is sent. */
export function exportList(catalog: Catalog, executor: Executor, request: CrudRequest): ListExport {
  const table = getTable(catalog);

  return new ListExport(async ({ signal, timeout, take }) => {
    const database = getDatabase(executor);
    const list: ExportedList = {
      request,
      catalog,
      database,
      plan: planExport(request, catalog),
      options: makeReadOptions(request),
      signal,
      timeout,
      take: (rows) => take(makePart(rows, table.target)),
    };

    try {
      if (isConnection(executor)) await readAtOnce(list, executor);
      else await READERS[database.dialect.name](list);
    } catch (error) {
      throw toCrudError(error, table, 'read');
    }
  });
}

/** An application's transaction may end before the first byte is sent, so the whole list is read at once. */
async function readAtOnce(list: ExportedList, connection: Connection): Promise<void> {
  await refuseLongList(list, connection);
  await list.take(await readRows(list.plan, connection, list.options));
}

const READERS: Readonly<Record<Dialect['name'], (list: ExportedList) => Promise<void>>> = {
  postgres: (list) => inSnapshot(list, (connection) => readByCursor(list, connection)),
  mysql: (list) =>
    inSnapshot(list, async (connection) => {
      const { related } = compiledRead(makeDraft(list.plan, connection, list.options));
      await (related.length > 0 ? readByKey(list, connection) : readByStream(list, connection));
    }),
  sqlite: async (list) => {
    await refuseLongList(list, list.database);
    await readByKey(list, list.database);
  },
};

function makePart(rows: RowsResult<Entity>, target: unknown): ExportPart {
  const forModel = <R>(model: unknown, make: () => R): R | NeedsRecords =>
    model === target ? make() : new NeedsRecords('a response class that is not the entity');

  return {
    records: () => rows.records(),
    texts: (model) => forModel(model, () => rows.texts()),
    cells: (model) => forModel(model, () => rows.cells()),
  };
}
