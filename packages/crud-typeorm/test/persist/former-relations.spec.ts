/** What subscribers of updates are told of the related record that a foreign key named before: in two columns without properties, and in a hidden one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  Column,
  DataSource,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  type UpdateEvent,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestAt } from './unchanged.entities.js';
import { connect } from '../support/resources.js';

@Entity('former_seats')
class Seat {
  @PrimaryColumn({ type: 'varchar', length: 10 }) row!: string;
  @PrimaryColumn({ type: 'int' }) place!: number;
}

@Entity('former_halls')
class Hall {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

@Entity('former_tickets')
class Ticket {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) holder!: string;
  @Column({ type: 'varchar', length: 20, default: 'n' }) note!: string;
  @ManyToOne(() => Seat)
  @JoinColumn([
    { name: 'seat_row', referencedColumnName: 'row' },
    { name: 'seat_place', referencedColumnName: 'place' },
  ])
  seat!: Relation<Seat> | null;
  @Column({ type: 'int', nullable: true }) hallId!: number | null;
  @ManyToOne(() => Hall) hall!: Relation<Hall> | null;
}

describeDatabases('the related record before an update', (db) => {
  let source: DataSource;
  const before: unknown[] = [];

  beforeAll(async () => {
    source = await connect(db, [Seat, Hall, Ticket]);
    await source.getRepository(Seat).insert([
      { row: 'A', place: 1 },
      { row: 'B', place: 2 },
    ]);
    await source.getRepository(Hall).insert([{ id: 1 }, { id: 2 }]);
    source.subscribers.push({
      beforeUpdate: ({ databaseEntity }: UpdateEvent<unknown>) => void before.push({ ...(databaseEntity as object) }),
    });
  });
  afterAll(() => source.destroy());

  test.each([{}, { exclude: ['note', 'hallId'] }])('has its whole key (%j)', async (query) => {
    const tickets = source.getRepository(Ticket);
    await tickets.clear();
    await tickets.insert({ id: 1, holder: 'Ann', seat: { row: 'A', place: 1 }, hallId: 1 });
    const body = { seat: { row: 'B', place: 2 }, hall: { id: 2 } };
    before.length = 0;
    await new TypeOrmCrudService(tickets).updateOne({ ...requestAt(1), options: { query } }, body);
    expect(before).toMatchObject([{ id: 1, holder: 'Ann', seat: { row: 'A', place: 1 }, hall: { id: 1 } }]);
    expect(await tickets.findOneOrFail({ where: { id: 1 }, relations: { seat: true } })).toMatchObject({
      seat: { row: 'B', place: 2 },
      hallId: 2,
    });
  });
});
