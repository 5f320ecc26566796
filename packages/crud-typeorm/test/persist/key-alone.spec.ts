/** A record of which nothing is stored but a key that the database makes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, FAST_PATHS } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { requestOf } from '../support/requests.js';
import { connect } from '../support/resources.js';

@Entity('key_alone_tickets')
class Ticket {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', insert: false, nullable: true }) note?: string;
}

describeDatabases('records of a key alone', (db) => {
  describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
    let source: DataSource;

    beforeAll(async () => {
      source = await connect(db, [Ticket], { dropSchema: true });
      configureCrudDatabase(source, { fastPaths });
    });
    afterAll(() => source.destroy());

    test('are created one by one and in bulk, each with a key of its own', async () => {
      const tickets = new TypeOrmCrudService(source.getRepository(Ticket));
      const one = await tickets.createOne(requestOf(), { note: 'not inserted' });
      const many = await tickets.createMany(requestOf(), { bulk: [{ note: 'a' }, { note: 'b' }] });
      const ids = [one, ...many].map(({ id }) => Number(id));

      expect(new Set(ids).size).toBe(3);
      expect((await source.getRepository(Ticket).find({ order: { id: 'ASC' } })).map(({ id }) => id)).toEqual(
        ids.toSorted((a, b) => a - b),
      );
    });
  });
});
