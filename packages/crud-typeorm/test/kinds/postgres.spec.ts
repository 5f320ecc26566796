/** PostgreSQL's arrays and documents, in a schema of their own → the records that conditions on them find, and what bodies store. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Column, DataSource, type DataSourceOptions, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf as requestBy } from '../support/requests.js';

@Entity({ name: 'natives', schema: 'elsewhere' })
class Native {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text', array: true, nullable: true }) words!: string[] | null;
  @Column({ type: 'int', array: true, nullable: true }) numbers!: number[] | null;
  @Column({ type: 'jsonb', nullable: true }) facts!: unknown;
}

const requestOf = (condition?: object, id?: number) =>
  requestBy({ path: id === undefined ? {} : { id }, auth: condition });

describeDatabases(
  'kinds of PostgreSQL',
  (db) => {
    let source: DataSource;
    let natives: TypeOrmCrudService<Native>;

    beforeAll(async () => {
      source = await new DataSource({ ...db.connection, entities: [Native] } as DataSourceOptions).initialize();
      await source.query('CREATE SCHEMA elsewhere');
      await source.synchronize();
      natives = new TypeOrmCrudService(source.getRepository(Native));
    });

    afterAll(() => source.destroy());

    test('arrays and documents are stored, found and changed', async () => {
      const odd = ['a,b', '"c"', '{d}', 'NULL', ''];
      await natives.createOne(requestOf(), { words: odd, numbers: [1, 2], facts: { a: { b: 5 }, list: [1] } });
      await natives.createMany(requestOf(), { bulk: [{ words: ['x'], numbers: [], facts: [1] }, { words: null }] });
      const ids = async (condition: object) =>
        ((await natives.getMany(requestOf(condition))) as Native[]).map(({ id }) => id);

      expect(await natives.getOne(requestOf(undefined, 1))).toEqual({
        id: 1,
        words: odd,
        numbers: [1, 2],
        facts: { a: { b: 5 }, list: [1] },
      });
      expect(await ids({ words: { $contArr: ['a,b', '{d}'] } })).toEqual([1]);
      expect(await ids({ words: { $intersectsArr: ['x', 'NULL'] } })).toEqual([1, 2]);
      expect(await ids({ numbers: { $contArr: [2] } })).toEqual([1]);
      expect(await ids({ numbers: { $notnull: true } })).toEqual([1, 2]);
      expect(await ids({ words: { $isnull: true } })).toEqual([3]);
      expect(await ids({ 'facts.a.b': { $gt: 4 } })).toEqual([1]);
      expect(await natives.updateOne(requestOf(undefined, 1), { numbers: [], facts: ['y'] })).toMatchObject({
        numbers: [],
        facts: ['y'],
        words: odd,
      });
      await natives.deleteOne(requestOf(undefined, 3));
      expect(await source.query('SELECT count(*)::int AS rows FROM elsewhere.natives')).toEqual([{ rows: 2 }]);
    });
  },
  ['postgres'],
);
