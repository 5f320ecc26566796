/** A record of which nothing is stored but a key that the database makes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { Column, DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, FAST_PATHS } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { connect } from '../support/resources.js';

@Entity('key_alone_tickets')
class Ticket {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', insert: false, nullable: true }) note?: string;
}

class Tickets extends TypeOrmCrudService<Ticket> {}

const request = {
  parsed: { fields: [], paramsFilter: [], search: {}, filter: [], or: [], join: [], sort: [], extra: {} },
  options: { query: {}, routes: {}, params: {}, operators: {} },
} as unknown as CrudRequest;

describeDatabases('records of a key alone', (db) => {
  describe.each(FAST_PATHS)('with fast paths: %s', (fastPaths) => {
    let source: DataSource;
    let tickets: Tickets;

    beforeAll(async () => {
      source = await connect(db, [Ticket], { dropSchema: true });
      configureCrudDatabase(source, { fastPaths });
      tickets = new Tickets(source.getRepository(Ticket));
    });
    afterAll(() => source.destroy());

    test('are created one by one and in bulk, each with a key of its own', async () => {
      const one = await tickets.createOne(request, { note: 'not inserted' });
      const many = await tickets.createMany(request, { bulk: [{ note: 'a' }, { note: 'b' }] });
      const ids = [one, ...many].map(({ id }) => Number(id));

      expect(new Set(ids).size).toBe(3);
      expect((await source.getRepository(Ticket).find({ order: { id: 'ASC' } })).map(({ id }) => id)).toEqual(
        ids.toSorted((a, b) => a - b),
      );
    });
  });
});
