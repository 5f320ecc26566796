/** Bodies with a nested record whose primary key is the key of the record around it, from either side of the relation → answers and rows, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import request from 'supertest';
import {
  Column,
  type DataSource,
  Entity,
  JoinColumn,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

@Entity('owners')
class Owner {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @OneToOne(() => Passport, (passport) => passport.owner, { cascade: ['insert', 'update'] })
  passport!: Relation<Passport> | null;
  @OneToOne(() => Permit, (permit) => permit.owner, { cascade: ['insert', 'update'] })
  permit!: Relation<Permit> | null;
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

/** Inserted with its owner, never changed with it. */
@Entity('permits')
class Permit {
  @PrimaryColumn({ type: 'int' }) ownerId!: number;
  @Column({ type: 'varchar', length: 20 }) kind!: string;
  @OneToOne(() => Owner, (owner) => owner.permit) @JoinColumn({ name: 'ownerId' }) owner!: Relation<Owner>;
}

const RESOURCES = [
  resource(Owner, 'owners', { query: { join: { passport: { eager: true }, permit: {} } } }),
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
  let app: INestApplication;
  let url: string;
  let source: DataSource;

  beforeAll(async () => {
    const entities = [Owner, Passport, Permit, Ship, Flag];
    ({ app, url, source } = await serve(db, entities, RESOURCES));
  });
  afterAll(() => app?.close());
  beforeEach(async () => {
    for (const table of ['passports', 'permits', 'owners', 'flags', 'ships'])
      await source.query(`DELETE FROM ${table}`);
  });

  const send = async (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
    const { status, body: answer } = await request(url)[method](path).send(body);

    return { status, body: answer as { id: number; code: string; field?: string } };
  };
  const passports = () =>
    source.getRepository(Passport).find({ order: { ownerId: 'ASC' } }) as Promise<Partial<Passport>[]>;
  const make = async (name: string, more: object = {}) => {
    const { status, body } = await send('post', '/owners', { name, ...more });
    expect(status).toBe(201);

    return body.id;
  };

  describe('from the side without the foreign key', () => {
    test('the nested record is inserted under the key of the new one', async () => {
      const { status, body } = await send('post', '/owners', { name: 'a', passport: { number: 'one' } });

      expect([status, body]).toEqual([
        201,
        { id: body.id, name: 'a', passport: { ownerId: body.id, number: 'one', country: null } },
      ]);
      expect(await passports()).toEqual([{ ownerId: body.id, number: 'one', country: null }]);
    });

    test('in bulk each gets its own', async () => {
      const { status, body } = await send('post', '/owners/bulk', {
        bulk: [{ name: 'a', passport: { number: '1' } }, { name: 'b' }, { name: 'c', passport: { number: '3' } }],
      });
      const [a, , c] = (body as unknown as { id: number }[]).map(({ id }) => id);

      expect(status).toBe(201);
      expect(await passports()).toEqual([
        { ownerId: a, number: '1', country: null },
        { ownerId: c, number: '3', country: null },
      ]);
    });

    test('PATCH changes the linked record, with its key or without, and inserts one where there is none', async () => {
      const id = await make('a', { passport: { number: 'one', country: 'DE' } });
      const bare = await make('b');

      expect(await send('patch', `/owners/${id}`, { passport: { number: 'two' } })).toEqual({
        status: 200,
        body: { id, name: 'a', passport: { ownerId: id, number: 'two', country: 'DE' } },
      });
      expect((await send('patch', `/owners/${id}`, { passport: { ownerId: id, country: 'FR' } })).status).toBe(200);
      expect((await send('patch', `/owners/${bare}`, { passport: { number: 'new' } })).status).toBe(200);
      expect(await passports()).toEqual([
        { ownerId: id, number: 'two', country: 'FR' },
        { ownerId: bare, number: 'new', country: null },
      ]);
    });

    test('PUT does the same', async () => {
      const id = await make('a', { passport: { number: 'one', country: 'DE' } });

      expect((await send('put', `/owners/${id}`, { name: 'A', passport: { number: 'two' } })).status).toBe(200);
      expect(await passports()).toMatchObject([{ ownerId: id, number: 'two' }]);
      expect((await send('put', `/owners/${id}`, { name: 'A' })).status).toBe(200);
      expect(await passports()).toMatchObject([{ ownerId: id, number: 'two' }]);
    });

    test('the record of another owner is refused and stays', async () => {
      const id = await make('a', { passport: { number: 'one' } });
      const other = await make('b', { passport: { number: 'other' } });
      const bare = await make('c');

      for (const owner of [id, bare]) {
        expect(
          await send('patch', `/owners/${owner}`, { passport: { ownerId: other, number: 'stolen' } }),
        ).toMatchObject({ status: 400, body: { code: 'CRUD_INVALID_BODY', field: 'passport' } });
      }
      expect(await send('post', '/owners', { name: 'd', passport: { ownerId: other, number: 'x' } })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_INVALID_BODY', field: 'passport' },
      });
      expect(await passports()).toEqual([
        { ownerId: id, number: 'one', country: null },
        { ownerId: other, number: 'other', country: null },
      ]);
      expect(await source.getRepository(Owner).count()).toBe(3);
    });

    test('what is wrong with it is said under its path, and nothing is stored', async () => {
      expect(await send('post', '/owners', { name: 'a', passport: { country: 'DE' } })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_NOT_NULL_VIOLATION', field: 'passport.number' },
      });
      expect(await source.getRepository(Owner).count()).toBe(0);
    });

    test('keys of text, which the client makes', async () => {
      const made = { code: 's1', flag: { shipCode: 's1', color: 'red' } };

      expect(await send('post', '/ships', { code: 's1', flag: { color: 'red' } })).toEqual({ status: 201, body: made });
      expect(await send('put', '/ships/s2', { flag: { color: 'blue' } })).toEqual({
        status: 201,
        body: { code: 's2', flag: { shipCode: 's2', color: 'blue' } },
      });
      expect(await send('patch', '/ships/s1', { flag: { color: 'green' } })).toEqual({
        status: 200,
        body: { code: 's1', flag: { shipCode: 's1', color: 'green' } },
      });
      expect(await send('post', '/ships', { code: 's1', flag: { color: 'black' } })).toMatchObject({ status: 409 });
      expect((await send('delete', '/ships/s1')).status).toBe(200);
      expect(await source.getRepository(Flag).find()).toEqual([{ shipCode: 's2', color: 'blue' }]);
    });
  });

  describe('from the side with the foreign key', () => {
    test('the nested record is inserted first, and its key taken', async () => {
      const { status, body } = await send('post', '/passports', { number: 'one', owner: { name: 'a' } });
      const [owner] = await source.getRepository(Owner).find();

      expect(owner!.name).toBe('a');
      expect([status, body]).toEqual([201, { ownerId: owner!.id, number: 'one', country: null }]);
    });

    test('the path names the nested record too, which then takes no changes, as under any path value', async () => {
      const id = await make('a', { passport: { number: 'one' } });

      for (const owner of [{ name: 'b' }, { id, name: 'b' }]) {
        expect(await send('patch', `/passports/${id}?join=owner`, { number: 'two', owner })).toEqual({
          status: 200,
          body: { ownerId: id, number: 'two', country: null, owner: { id, name: 'a' } },
        });
      }
      expect(await source.getRepository(Owner).count()).toBe(1);
    });

    test('the key is given as itself or as the record that it names, once', async () => {
      const [one, two] = [await make('a'), await make('b')];

      expect(await send('post', '/passports', { ownerId: one, number: '1' })).toMatchObject({ status: 201 });
      expect(await send('post', '/passports', { owner: { id: two }, number: '2' })).toMatchObject({ status: 201 });
      expect(await send('post', '/passports', { owner: two, number: '3' })).toMatchObject({
        status: 409,
        body: { code: 'CRUD_UNIQUE_VIOLATION' },
      });
      expect(await send('post', '/passports', { ownerId: 2_000_000_000, number: '4' })).toMatchObject({
        status: 409,
        body: { code: 'CRUD_FOREIGN_KEY_VIOLATION' },
      });
      expect(await passports()).toMatchObject([{ number: '1' }, { number: '2' }]);
    });

    test('a key does not change: PATCH with another owner leaves the record where it is', async () => {
      const [one, two] = [await make('a', { passport: { number: '1' } }), await make('b')];
      const { status } = await send('patch', `/passports/${one}`, { owner: { id: two }, number: '9' });

      expect(status).toBe(200);
      expect(await passports()).toMatchObject([{ ownerId: one, number: '9' }]);
    });
  });
});
