/** Bodies for entities with unusual columns and relations → their rows, and the events that listeners and subscribers got, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  AfterInsert,
  BeforeRemove,
  Column,
  CreateDateColumn,
  type DataSource,
  DeleteDateColumn,
  Entity,
  EventSubscriber,
  type EntitySubscriberInterface,
  type InsertEvent,
  JoinColumn,
  type ObjectLiteral,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type RecoverEvent,
  type Relation,
  type RemoveEvent,
  type SoftRemoveEvent,
  type UpdateEvent,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf } from '../support/requests.js';
import { connect } from '../support/resources.js';

const cents = {
  to: (value: unknown) => (typeof value === 'number' ? Math.round(value * 100) : value),
  from: (value: unknown) => (typeof value === 'number' ? value / 100 : value),
};

/** Every kind of value, under a naming that is not the properties'. */
@Entity('samples')
class Sample {
  @PrimaryColumn({ type: 'varchar', length: 20, name: 'sample_key' }) key!: string;
  @Column({ type: 'int', nullable: true, transformer: cents, name: 'price_cents' }) price!: number | null;
  @Column({ type: Date, nullable: true, name: 'seen_at' }) seenAt!: Date | null;
  @Column({ type: 'date', nullable: true }) day!: string | null;
  @Column({ type: 'decimal', precision: 12, scale: 2, nullable: true }) amount!: string | null;
  @Column({ type: Boolean, default: true, name: 'is_on' }) on!: boolean;
  @Column({ type: 'simple-json', nullable: true, name: 'some_json' }) json!: unknown;
  @Column({ type: 'bigint', nullable: true }) big!: string | null;
}

/** The side of a one-to-one relation that holds no key. */
@Entity('houses')
class House {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @OneToOne(() => Deed, (deed) => deed.house, { cascade: true }) deed!: Relation<Deed> | null;
}

@Entity('deeds')
class Deed {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) number!: string;
  @OneToOne(() => House, (house) => house.deed, { nullable: true }) @JoinColumn() house!: Relation<House> | null;
}

@Entity('tickets')
class Ticket {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', insert: false, nullable: true }) note?: string;
}

/** Watched by a subscriber and by itself. */
@Entity('watched')
class Watched {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'varchar', length: 20, default: 'plain' }) state!: string;
  @CreateDateColumn() createdAt!: Date;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;

  @AfterInsert() afterInsert(): void {
    events.push(`listener: inserted ${this.name} ${this.state} ${typeof this.id} ${this.createdAt instanceof Date}`);
  }

  @BeforeRemove() beforeRemove(): void {
    events.push(`listener: removing ${this.name}`);
  }
}

/** What was heard of {@link Watched}. */
const events: string[] = [];

@EventSubscriber()
class Watcher implements EntitySubscriberInterface<Watched> {
  listenTo() {
    return Watched;
  }
  afterInsert({ entity }: InsertEvent<Watched>): void {
    events.push(`inserted ${entity.name}`);
  }
  beforeUpdate({ entity, databaseEntity }: UpdateEvent<Watched>): void {
    events.push(`updating ${databaseEntity.name} to ${entity?.['name']}`);
    if (entity) entity['state'] = 'touched';
  }
  afterUpdate({ entity }: UpdateEvent<Watched>): void {
    events.push(`updated ${entity?.['name']} ${entity?.['state']}`);
  }
  afterRemove({ entity }: RemoveEvent<Watched>): void {
    events.push(`removed ${entity?.name}`);
  }
  afterSoftRemove({ entity }: SoftRemoveEvent<Watched>): void {
    events.push(`hidden ${entity?.name}`);
  }
  afterRecover({ entity }: RecoverEvent<Watched>): void {
    events.push(`back ${entity?.name}`);
  }
}

const requestAt = (path: Record<string, unknown>, query: object = {}) => requestOf({ path, options: { query } });

describeDatabases('writes of unusual entities', (db) => {
  let source: DataSource;
  const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
    new TypeOrmCrudService<T>(source.getRepository(entity));

  beforeAll(async () => {
    source = await connect(db, [Sample, House, Deed, Ticket, Watched], { subscribers: [Watcher], poolSize: 20 });
  });
  afterAll(() => source.destroy());
  beforeEach(async () => {
    for (const table of ['samples', 'deeds', 'houses', 'watched']) await source.query(`DELETE FROM ${table}`);
    events.length = 0;
  });

  test('every kind of value is stored as TypeORM would', async () => {
    const samples = serviceOf(Sample);
    const values = {
      price: 12.34,
      seenAt: new Date('2024-02-29T12:34:56.789Z'),
      day: '2024-02-29',
      amount: '1234567890.12',
      on: false,
      json: { a: [1, { b: null }], date: '2024-01-01' },
      big: '9007199254740993',
    };
    await samples.createOne(requestOf(), { key: 'a', ...values });
    await source.getRepository(Sample).save(Object.assign(new Sample(), { key: 'b', ...values }));
    await samples.createOne(requestOf(), { key: 'c' });
    await samples.updateOne(requestAt({ key: 'c' }), values as Partial<Sample>);
    const rows = await source.query('SELECT * FROM samples ORDER BY sample_key');

    expect(rows.map((row: ObjectLiteral) => ({ ...row, sample_key: '' }))).toEqual(
      Array(3).fill({ ...rows[1], sample_key: '' }),
    );
    expect(
      await samples.updateOne(requestAt({ key: 'a' }), { json: ['x'], price: null, seenAt: null } as Partial<Sample>),
    ).toMatchObject({ json: ['x'], price: null, seenAt: null, on: false });
    expect(await samples.updateOne(requestAt({ key: 'a' }), { json: null })).toMatchObject({ json: null });
    expect(await samples.replaceOne(requestAt({ key: 'a' }), { price: 1 })).toMatchObject({
      key: 'a',
      price: 1,
      on: true,
      day: null,
      json: null,
    });
  });

  test('the side of a one-to-one relation without the key', async () => {
    const houses = serviceOf(House);
    const deeds = () => source.getRepository(Deed).find({ relations: { house: true }, order: { id: 'ASC' } });
    const change = (id: number, deed: object) => houses.updateOne(requestAt({ id }), { deed } as never);
    const { id } = await houses.createOne(requestOf(), { name: 'h', deed: { number: 'one' } } as never);
    const other = await houses.createOne(requestOf(), { name: 'o' });

    await change(id, { number: 'two' });
    await expect(change(other.id, { id: (await deeds())[0]!.id, number: 'stolen' })).rejects.toMatchObject({
      status: 400,
    });
    await change(other.id, { number: 'three' });
    expect(await deeds()).toMatchObject([
      { number: 'two', house: { id } },
      { number: 'three', house: { id: other.id } },
    ]);
  });

  test('records of a key alone are created one by one and in bulk, each with a key of its own', async () => {
    const tickets = serviceOf(Ticket);
    const one = await tickets.createOne(requestOf(), { note: 'not inserted' });
    const many = await tickets.createMany(requestOf(), { bulk: [{ note: 'a' }, { note: 'b' }] });
    const ids = [one, ...many].map(({ id }) => Number(id)).sort((a, b) => a - b);

    expect(new Set(ids).size).toBe(3);
    expect((await source.getRepository(Ticket).find({ order: { id: 'ASC' } })).map(({ id }) => id)).toEqual(ids);
  });

  test('keys that differ in case are different keys', async () => {
    // MySQL's and MariaDB's default collation takes them for the same.
    if (db.kind === 'mysql') return;

    const bulk = ['A', 'a'].map((key, price) => ({ key, price }));
    expect(await serviceOf(Sample).createMany(requestOf(), { bulk })).toMatchObject(bulk);
  });

  describe('onlookers', () => {
    test('hear of every write, with the entity', async () => {
      const watched = serviceOf(Watched);
      const soft = { softDelete: true };
      const { id } = await watched.createOne(requestOf(), { name: 'a' });
      await watched.updateOne(requestAt({ id }), { name: 'b' });
      await watched.updateOne(requestAt({ id }), {});
      await watched.deleteOne(requestAt({ id }, soft));
      await watched.recoverOne(requestAt({ id }, soft));
      await watched.recoverOne(requestAt({ id }, soft));
      expect(await source.getRepository(Watched).findOneBy({ id })).toMatchObject({ name: 'b', state: 'touched' });
      await watched.deleteOne(requestAt({ id }));

      expect(events).toEqual([
        'listener: inserted a plain number true',
        'inserted a',
        'updating a to b',
        'updated b touched',
        'hidden b',
        'back b',
        'listener: removing b',
        'removed b',
      ]);
    });

    test('hear of every record of a bulk, in order', async () => {
      await serviceOf(Watched).createMany(requestOf(), { bulk: [{ name: 'x' }, { name: 'y' }] });

      expect(events.filter((event) => event.startsWith('inserted'))).toEqual(['inserted x', 'inserted y']);
    });

    test('may write SQL', async () => {
      const toSql = ({ entity }: { entity?: ObjectLiteral }) => {
        entity!['name'] = () => "UPPER('sql')";
      };
      const writer = { listenTo: () => Watched, beforeInsert: toSql, beforeUpdate: toSql };
      source.subscribers.push(writer);
      const { id } = await serviceOf(Watched).createOne(requestOf(), { name: 'x' });
      expect(await source.getRepository(Watched).find()).toMatchObject([{ id, name: 'SQL' }]);
      await source.getRepository(Watched).query(`UPDATE watched SET name = 'old'`);
      await serviceOf(Watched).updateOne(requestAt({ id }), { name: 'y' });
      source.subscribers.splice(source.subscribers.indexOf(writer), 1);

      expect(await source.getRepository(Watched).find()).toMatchObject([{ id, name: 'SQL' }]);
    });

    test('that fail undo the write', async () => {
      const watcher = { listenTo: () => Watched, afterInsert: () => Promise.reject(new Error('no')) };
      source.subscribers.push(watcher);
      await expect(serviceOf(Watched).createOne(requestOf(), { name: 'x' })).rejects.toThrow('no');
      source.subscribers.splice(source.subscribers.indexOf(watcher), 1);

      expect(await source.getRepository(Watched).count()).toBe(0);
    });
  });
});
