/** Bodies with a nested record whose primary key is the key of the record around it, from either side of the relation → answers and rows, on each database. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, PrimaryGeneratedColumn, type Relation } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('owners')
class Owner {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @OneToOne(() => Passport, (passport) => passport.owner, { cascade: ['insert', 'update'] })
  passport!: Relation<Passport> | null;
}

/** Its key is a property and a foreign key. */
@Entity('passports')
class Passport {
  @PrimaryColumn({ type: 'int' }) ownerId!: number;
  @Column({ type: 'varchar', length: 20 }) number!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) country!: string | null;
  @OneToOne(() => Owner, (owner) => owner.passport, { cascade: ['insert', 'update'] })
  @JoinColumn({ name: 'ownerId' })
  owner!: Relation<Owner>;
}

/** The same with a key of text, made by the client. */
@Entity('ships')
class Ship {
  @PrimaryColumn({ type: 'varchar', length: 20 }) code!: string;
  @OneToOne(() => Flag, (flag) => flag.ship, { cascade: ['insert', 'update'] }) flag!: Relation<Flag> | null;
}

@Entity('flags')
class Flag {
  @PrimaryColumn({ type: 'varchar', length: 20, name: 'ship_code' }) shipCode!: string;
  @Column({ type: 'varchar', length: 20 }) color!: string;
  @OneToOne(() => Ship, (ship) => ship.flag, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'ship_code' })
  ship!: Relation<Ship>;
}

const RESOURCES = [
  resource(Owner, 'owners', { query: { join: { passport: { eager: true } } } }),
  resource(Passport, 'passports', {
    params: { ownerId: { field: 'ownerId', type: 'number', primary: true } },
    query: { join: { owner: {} } },
  }),
  resource(Ship, 'ships', {
    params: { code: { field: 'code', type: 'string', primary: true } },
    query: { join: { flag: { eager: true } } },
  }),
];

describeDatabases('a primary key that two records share', (db) => {
  const served = serving(db, [Owner, Passport, Ship, Flag], RESOURCES);
  beforeEach(async () => {
    for (const table of ['passports', 'owners', 'flags', 'ships']) await served.source.query(`DELETE FROM ${table}`);
  });

  const { send } = served;
  const passports = async () =>
    (await served.source.getRepository(Passport).find({ order: { ownerId: 'ASC' } })).map((row) => ({ ...row }));
  const owners = () => served.source.getRepository(Owner).count();
  const make = async (name: string, number?: string) =>
    (await send('post', '/owners', { name, ...(number && { passport: { number, country: 'DE' } }) })).body.id as number;
  const refused = (status: number, code: string, field?: string) => ({
    status,
    body: { code, ...(field && { field }) },
  });

  describe('from the side without the foreign key', () => {
    test('the nested record is inserted under the key of the new one, in bulk each under its own', async () => {
      const { body } = await send('post', '/owners', { name: 'a', passport: { number: '1' } });
      const many = await send('post', '/owners/bulk', {
        bulk: [{ name: 'b' }, { name: 'c', passport: { number: '3' } }],
      });
      const passport = (ownerId: number, number: string) => ({ ownerId, number, country: null });

      expect(body).toEqual({ id: body.id, name: 'a', passport: passport(body.id, '1') });
      expect(await passports()).toEqual([passport(body.id, '1'), passport(many.body[1].id, '3')]);
    });

    test('PATCH and PUT change the linked record, with its key or without, and insert one where there is none', async () => {
      const [id, bare] = [await make('a', 'one'), await make('b')];

      expect(await send('patch', `/owners/${id}`, { passport: { number: 'two' } })).toEqual({
        status: 200,
        body: { id, name: 'a', passport: { ownerId: id, number: 'two', country: 'DE' } },
      });
      await send('patch', `/owners/${id}`, { passport: { ownerId: id, country: 'FR' } });
      await send('patch', `/owners/${bare}`, { passport: { number: 'new' } });
      const inserted = { ownerId: bare, number: 'new', country: null };
      expect(await passports()).toEqual([{ ownerId: id, number: 'two', country: 'FR' }, inserted]);

      await send('put', `/owners/${id}`, { name: 'A', passport: { number: 'three' } });
      expect((await send('put', `/owners/${id}`, { name: 'A' })).status).toBe(200);
      expect(await passports()).toMatchObject([{ ownerId: id, number: 'three' }, inserted]);
    });

    test('the record of another owner is refused and stays', async () => {
      const [id, other, bare] = [await make('a', 'one'), await make('b', 'other'), await make('c')];
      const before = await passports();
      const stolen = { ownerId: other, number: 'stolen' };

      for (const answer of [
        await send('patch', `/owners/${id}`, { passport: stolen }),
        await send('patch', `/owners/${bare}`, { passport: stolen }),
        await send('post', '/owners', { name: 'd', passport: stolen }),
      ])
        expect(answer).toMatchObject(refused(400, 'CRUD_INVALID_BODY', 'passport'));
      const nameless = await send('post', '/owners', { name: 'a', passport: { country: 'DE' } });
      expect(nameless).toMatchObject(refused(400, 'CRUD_NOT_NULL_VIOLATION', 'passport.number'));
      expect([await passports(), await owners()]).toEqual([before, 3]);
    });

    test.each([
      ['post', '/ships', { code: 's2', flag: { color: 'blue' } }, 's2', 201],
      ['put', '/ships/s2', { flag: { color: 'blue' } }, 's2', 201],
      ['patch', '/ships/s1', { flag: { color: 'blue' } }, 's1', 200],
    ] as const)('keys of text, which the client makes: %s %s', async (method, path, body, code, status) => {
      await send('post', '/ships', { code: 's1', flag: { color: 'red' } });

      expect(await send(method, path, body)).toEqual({
        status,
        body: { code, flag: { shipCode: code, color: 'blue' } },
      });
    });
  });

  describe('from the side with the foreign key', () => {
    test('the nested record is inserted first, and its key taken', async () => {
      const { status, body } = await send('post', '/passports', { number: 'one', owner: { name: 'a' } });
      const [owner] = await served.source.getRepository(Owner).find();

      expect(owner!.name).toBe('a');
      expect([status, body]).toEqual([201, { ownerId: owner!.id, number: 'one', country: null }]);
    });

    test('the path names the nested record too, which then takes no changes, as under any path value', async () => {
      const id = await make('a', 'one');

      for (const owner of [{ name: 'b' }, { id, name: 'b' }]) {
        const { body } = await send('patch', `/passports/${id}?join=owner`, { number: 'two', owner });
        expect(body).toEqual({ ownerId: id, number: 'two', country: 'DE', owner: { id, name: 'a' } });
      }
      expect(await owners()).toBe(1);
    });

    test('the key is given as itself or as the record that it names, once, and does not change', async () => {
      const [one, two] = [await make('a'), await make('b')];
      const post = (body: object) => send('post', '/passports', body);

      expect(await post({ ownerId: one, number: '1' })).toMatchObject({ status: 201 });
      expect((await send('patch', `/passports/${one}`, { owner: { id: two }, number: '9' })).status).toBe(200);
      expect(await post({ owner: { id: two }, number: '2' })).toMatchObject({ status: 201 });
      expect(await post({ owner: two, number: '3' })).toMatchObject(refused(409, 'CRUD_UNIQUE_VIOLATION'));
      expect(await post({ ownerId: 2_000_000_000, number: '4' })).toMatchObject(
        refused(409, 'CRUD_FOREIGN_KEY_VIOLATION'),
      );
      expect(await passports()).toMatchObject([
        { ownerId: one, number: '9' },
        { ownerId: two, number: '2' },
      ]);
    });
  });
});
