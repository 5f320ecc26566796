/** What `@BeforeUpdate()` sees of hidden columns: as with `save` of a record that was found, nothing that the body does not carry. A listener that hashes a password would hash the hash. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { AfterLoad, BeforeUpdate, Column, DataSource, Entity, PrimaryColumn, type Repository } from 'typeorm';
import type { CrudRequest, QueryOptions } from '@nestwright/crud';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestAt } from './unchanged.entities.js';
import { connect } from '../support/resources.js';

const hashed = (text: string) => `hash of ${text}`;

@Entity('hidden_members')
class Member {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 80 }) name!: string;
  @Column({ type: 'varchar', length: 80, select: false }) password!: string;
  @Column({ type: 'varchar', length: 80 }) pin!: string;

  @BeforeUpdate() hash(): void {
    if (this.password) this.password = hashed(this.password);
    if (this.pin) this.pin = hashed(this.pin);
  }
}

/** Hashes where the value is not the one that was loaded. */
@Entity('hidden_guests')
class Guest {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 80 }) name!: string;
  @Column({ type: 'varchar', length: 80, select: false }) password!: string;
  private loaded?: string;

  @AfterLoad() remember(): void {
    this.loaded = this.password;
  }

  @BeforeUpdate() hash(): void {
    if (this.password !== this.loaded) this.password = hashed(this.password);
  }
}

function requestWith(query: QueryOptions): CrudRequest {
  const request = requestAt(1);

  return { ...request, options: { ...request.options, query } };
}

describeDatabases('listeners of updates', (db) => {
  let source: DataSource;
  let members: Repository<Member>;
  let guests: Repository<Guest>;

  beforeAll(async () => {
    source = await connect(db, [Member, Guest]);
    members = source.getRepository(Member);
    guests = source.getRepository(Guest);
  });
  beforeEach(async () => {
    await members.insert({ id: 1, name: 'Ann', password: 'p', pin: '1' });
    await guests.insert({ id: 1, name: 'Ann', password: 'p' });
  });
  afterEach(async () => {
    await members.clear();
    await guests.clear();
  });
  afterAll(() => source.destroy());

  const storedMember = () =>
    members.findOneOrFail({ where: { id: 1 }, select: { name: true, password: true, pin: true } });
  const storedGuest = () => guests.findOneOrFail({ where: { id: 1 }, select: { name: true, password: true } });

  test.each<[string, QueryOptions]>([
    ['exclude', { exclude: ['pin'] }],
    ['allow', { allow: ['name'] }],
  ])('hidden columns stay as they are, by select: false and by query.%s', async (_, query) => {
    await new TypeOrmCrudService(members).updateOne(requestWith(query), { name: 'Bob' });
    expect(await storedMember()).toMatchObject({ name: 'Bob', password: 'p', pin: '1' });
  });

  test('what is sent reaches the listener, hidden or not', async () => {
    const body = { password: 'new', pin: '2' };
    await new TypeOrmCrudService(members).updateOne(requestWith({ exclude: ['pin'] }), body);
    expect(await storedMember()).toMatchObject({ name: 'Ann', password: hashed('new'), pin: hashed('2') });
  });

  test('what the options let be read is on the record', async () => {
    await new TypeOrmCrudService(members).updateOne(requestWith({ exclude: ['pin'], persist: ['name'] }), { pin: '2' });
    expect(await storedMember()).toMatchObject({ name: 'Ann', password: 'p', pin: hashed('2') });
    await new TypeOrmCrudService(members).updateOne(requestWith({ allow: ['name'], persist: ['pin'] }), { name: 'B' });
    expect(await storedMember()).toMatchObject({ name: 'B', password: 'p', pin: hashed(hashed('2')) });
  });

  test('a value that was remembered when the record was loaded is the one compared', async () => {
    const service = new TypeOrmCrudService(guests);
    await service.updateOne(requestWith({}), { name: 'Bob' });
    expect(await storedGuest()).toMatchObject({ name: 'Bob', password: 'p' });
    await service.updateOne(requestWith({}), { password: 'new' });
    expect(await storedGuest()).toMatchObject({ name: 'Bob', password: hashed('new') });
  });
});
