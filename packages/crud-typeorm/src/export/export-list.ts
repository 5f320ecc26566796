/** Lists that are sent while they are read: in one snapshot, or in parts by key on a shared connection. */
import type { CrudRequest } from '@nestwright/crud';
import { type Catalog, type ExportPart, ListExport, makeReadOptions, NeedsRecords } from '@nestwright/crud/adapter';
import type { ObjectLiteral, QueryRunner, Repository } from 'typeorm';
import type { Dialect } from '../dialect/dialect.js';
import { getDialect } from '../dialect/dialect-of.js';
import { toCrudError } from '../errors/to-crud-error.js';
import { compiledRead, makeDraft, readRows, type RowsResult } from '../sql/index.js';
import { readByCursor } from './by-cursor.js';
import { readByKey } from './by-key.js';
import { readByStream } from './by-stream.js';
import { type ExportedList, planExport, refuseLongList } from './list.js';
import { inSnapshot } from './snapshot.js';

export function exportList<T extends ObjectLiteral>(
  catalog: Catalog,
  repo: Repository<T>,
  request: CrudRequest,
): ListExport {
  const { manager, metadata } = repo;

  return new ListExport(async ({ signal, timeout, take }) => {
    const dataSource = manager.connection;
    const list: ExportedList = {
      request,
      catalog,
      dataSource,
      plan: planExport(request, catalog),
      options: makeReadOptions(request),
      signal,
      timeout,
      take: (rows) => take(makePart(rows, metadata.target)),
    };

    try {
      if (manager.queryRunner) await readAtOnce(list, manager.queryRunner);
      else await READERS[getDialect(dataSource).name](list);
    } catch (error) {
      throw toCrudError(error, metadata, 'read');
    }
  });
}

/** An application's transaction may end before the first byte is sent, so the whole list is read at once. */
async function readAtOnce(list: ExportedList, runner: QueryRunner): Promise<void> {
  await refuseLongList(list, runner);
  await list.take(await readRows(list.plan, runner, list.options));
}

const READERS: Readonly<Record<Dialect['name'], (list: ExportedList) => Promise<void>>> = {
  postgres: (list) => inSnapshot(list, (runner) => readByCursor(list, runner)),
  mysql: (list) =>
    inSnapshot(list, async (runner) => {
      const { related } = compiledRead(makeDraft(list.plan, runner, list.options));
      await (related.length > 0 ? readByKey(list, runner) : readByStream(list, runner));
    }),
  sqlite: async (list) => {
    await refuseLongList(list, list.dataSource);
    await readByKey(list, list.dataSource);
  },
};

function makePart(rows: RowsResult<ObjectLiteral>, target: unknown): ExportPart {
  const forModel = <R>(model: unknown, make: () => R): R | NeedsRecords =>
    model === target ? make() : new NeedsRecords('a response class that is not the entity');

  return {
    records: () => rows.records(),
    texts: (model) => forModel(model, () => rows.texts()),
    cells: (model) => forModel(model, () => rows.cells()),
  };
}
