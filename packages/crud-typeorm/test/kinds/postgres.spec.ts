/** PostgreSQL's arrays and documents, in a schema of their own → the records that conditions on them find, and what bodies store. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf as requestBy } from '../support/requests.js';
import { connect } from '../support/resources.js';

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
      source = await connect(db, [Native], { synchronize: false });
      await source.query('CREATE SCHEMA elsewhere');
      await source.synchronize();
      natives = new TypeOrmCrudService(source.getRepository(Native));
    });
    afterAll(() => source.destroy());

    test('arrays and documents are stored, found and changed', async () => {
      const odd = ['a,b', '"c"', '{d}', 'NULL', ''];
      const first = { words: odd, numbers: [1, 2], facts: { a: { b: 5 }, list: [1] } };
      await natives.createOne(requestOf(), { ...first });
      await natives.createMany(requestOf(), { bulk: [{ words: ['x'], numbers: [], facts: [1] }, { words: null }] });
      const ids = async (condition: object) =>
        ((await natives.getMany(requestOf(condition))) as Native[]).map(({ id }) => id);
      expect(await natives.getOne(requestOf(undefined, 1))).toEqual({ id: 1, ...first });
      for (const [condition, found] of [
        [{ words: { $contArr: ['a,b', '{d}'] } }, [1]],
        [{ words: { $intersectsArr: ['x', 'NULL'] } }, [1, 2]],
        [{ numbers: { $contArr: [2] } }, [1]],
        [{ numbers: { $notnull: true } }, [1, 2]],
        [{ 'facts.a.b': { $gt: 4 } }, [1]],
      ] as const)
        expect([condition, await ids(condition)]).toEqual([condition, found]);
      const change = { numbers: [], facts: ['y'] };
      expect(await natives.updateOne(requestOf(undefined, 1), { ...change })).toEqual({ id: 1, words: odd, ...change });
      await natives.deleteOne(requestOf(undefined, 3));
      expect(await source.query('SELECT count(*)::int AS rows FROM elsewhere.natives')).toEqual([{ rows: 2 }]);
    });
  },
  ['postgres'],
);
