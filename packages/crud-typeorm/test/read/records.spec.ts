/** Records of every column type go in; what the service reads, with fast paths on and off, is what TypeORM itself reads, and as plain objects what class-transformer makes of that. */
import 'reflect-metadata';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { instanceToPlain } from 'class-transformer';
import fc from 'fast-check';
import { DataSource, type DataSourceOptions, type Repository } from 'typeorm';
import { serialize } from '../../../crud/src/serialization/serialize.js';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { everyType } from './every-type.js';
import { requestOf } from './library.js';

describeDatabases('records', (db) => {
  const { target: Every, values, inner } = everyType(db.kind);
  const rows = fc.array(
    fc.tuple(values, inner).map(([own, embedded]) => ({ ...own, inner: embedded })),
    { minLength: 1, maxLength: 5 },
  );
  let source: DataSource;
  // The entity is made for the database at run time, so that its columns have no types.
  let repo: Repository<any>;
  // The same.
  let service: TypeOrmCrudService<any>;

  beforeAll(async () => {
    source = new DataSource({ ...db.connection, entities: [Every], synchronize: true } as DataSourceOptions);
    repo = (await source.initialize()).getRepository(Every as never);
    service = new TypeOrmCrudService(repo);
  });
  afterAll(() => source.destroy());

  /** SQLite's driver gives bigints as numbers, which this library never does. */
  const withTexts = (record: Record<string, unknown> | null) => {
    if (record && typeof record['aBigint'] === 'number') record['aBigint'] = String(record['aBigint']);
  };

  test('are those that TypeORM reads', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (records) => {
        await repo.createQueryBuilder().update().set({ parent: null }).execute();
        await repo.createQueryBuilder().delete().execute();
        await repo.insert(records.map((record, index) => ({ ...record, id: index + 1 })));
        // The last has no parent.
        for (let id = 1; id < records.length; id += 1) await repo.update({ id }, { parent: { id: id + 1 } });

        const found = await repo.find({ order: { id: 'ASC' }, relations: { parent: true } });
        for (const record of found) [record, record.parent].forEach(withTexts);
        const read = await service.getMany(
          requestOf({ join: [{ field: 'parent' }], sort: [{ field: 'id', order: 'ASC' }] }, {
            query: { join: { parent: {} } },
          } as never),
        );

        expect(read).toStrictEqual(found);
        expect(JSON.stringify(serialize(read, Every as never))).toBe(JSON.stringify(instanceToPlain(found)));
      }),
      // Shrinking would take minutes on a database.
      { numRuns: 10, endOnFailure: true },
    );
  });
});
