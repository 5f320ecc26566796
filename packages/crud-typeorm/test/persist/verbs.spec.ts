/** Requests of the write routes → answers, SQL and rows, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { outcomeOf } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Gadget, Person, Seat, Skill, Team } from './entities.js';
import { connect, empty, withoutKeysAsked } from './statements.js';
import type { Statements } from '../support/statements.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { refusal, requestOf } from '../support/requests.js';

describeDatabases('the write verbs', (db) => {
  let source: DataSource;
  let statements: Statements;
  let people: TypeOrmCrudService<Person>;
  let teams: TypeOrmCrudService<Team>;
  let gadgets: TypeOrmCrudService<Gadget>;
  let seats: TypeOrmCrudService<Seat>;

  beforeAll(async () => {
    ({ source, statements } = await connect(db, { poolSize: 20 }));
    const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
      new TypeOrmCrudService<T>(source.getRepository(entity));
    people = serviceOf(Person);
    teams = serviceOf(Team);
    gadgets = serviceOf(Gadget);
    seats = serviceOf(Seat);
  });

  afterAll(() => source.destroy());

  beforeEach(async () => {
    await empty(source);
  });

  const body = (email: string, more: object = {}) => ({ email, teamId: 901, ...more }) as Partial<Person>;

  const stored = (id: number) => source.getRepository(Person).findOneBy({ id });
  const returns = (statement: 'insert' | 'update') =>
    toDatabase(source).options.fastPaths && toDatabase(source).returns[statement];

  describe('createOne', () => {
    test('stores a record and reads it again', async () => {
      let made: Person | undefined;
      const sql = await statements.of(
        async () =>
          (made = await people.createOne(requestOf(), body('a@x', { name: { first: 'A' }, password: 'secret' }))),
      );

      expect(made).toBeInstanceOf(Person);
      expect(made).toMatchObject({
        email: 'a@x',
        name: { first: 'A', last: null },
        state: 'new',
        version: 1,
        teamId: 901,
        age: null,
      });
      expect(made!.createdAt).toBeInstanceOf(Date);
      expect(made!.password).toBeUndefined();
      expect(withoutKeysAsked(sql).map((one) => one.split(' ')[0])).toEqual(
        returns('insert') ? ['INSERT'] : ['INSERT', 'SELECT'],
      );
    });
  });

  describe('createMany', () => {
    test('stores all in one statement and answers in the order sent', async () => {
      const emails = Array.from({ length: 300 }, (_, index) => `${(index * 7919) % 300}@x`);
      let made: Person[] = [];
      const sql = await statements.of(
        async () => (made = await people.createMany(requestOf(), { bulk: emails.map((email) => body(email)) })),
      );

      expect(made.map(({ email }) => email)).toEqual(emails);
      expect(made[0]).toMatchObject({ state: 'new', version: 1 });
      expect(sql.filter((one) => one.startsWith('INSERT'))).toHaveLength(1);
      // SQLite tells the last key in a statement of its own.
      expect(sql.length).toBeLessThanOrEqual(returns('insert') ? 1 : 3);
    });

    test('keys of several columns, and one that must not leave', async () => {
      const bulk = [
        { row: 2, number: 1 },
        { row: 1, number: 9, label: 'x' },
        { row: 1, number: 2 },
      ];

      expect(await seats.createMany(requestOf(), { bulk })).toEqual(
        bulk.map((seat) => Object.assign(new Seat(), { label: null }, seat)),
      );
      const hidden = await gadgets.createMany(requestOf({ options: { query: { exclude: ['id'] } } }), {
        bulk: [{ serial: 'b' }, { serial: 'a' }],
      });
      expect(hidden).toEqual(
        ['b', 'a'].map((serial) => Object.assign(new Gadget(), { serial, note: 'none', place: null })),
      );
    });
  });

  describe('updateOne', () => {
    let id: number;

    beforeEach(async () => {
      ({ id } = await people.createOne(requestOf(), body('a@x', { name: { first: 'A', last: 'B' } })));
    });

    test('is one statement over key, path and auth', async () => {
      const request = requestOf({ path: { teamId: 901, id }, auth: { state: 'new' } });
      const sql = await statements.of(() =>
        people.updateOne(request, { age: 5, id: 99, createdAt: new Date(0) } as Partial<Person>),
      );

      expect(sql).toHaveLength(returns('update') ? 1 : 2);
      expect(sql[0]).toMatch(/^UPDATE .people. SET .age. = [^ ,]+, [^W]*version[^W]* WHERE /);
      expect(sql[0]!.split(' RETURNING ')[0]).not.toMatch(/SELECT|email|createdAt|teamId. = [^ ]+,/);
      expect(sql[0]).toMatch(/WHERE .*state.*teamId.*id/);
      expect(await stored(id)).toMatchObject({ age: 5, version: 2, email: 'a@x', name: { first: 'A', last: 'B' } });
    });

    test('nothing in scope is a 404, and nothing is written', async () => {
      for (const sent of [
        { path: { id: 12345 } },
        { path: { id, teamId: 902 } },
        { path: { id }, auth: { state: 'old' } },
        { path: { id }, auth: { 'team.title': 'blue' } },
      ]) {
        expect(await refusal(people.updateOne(requestOf(sent), { age: 5 }))).toEqual({
          statusCode: 404,
          error: 'Not Found',
          code: 'CRUD_NOT_FOUND',
          message: 'Person not found',
        });
        expect(await refusal(people.updateOne(requestOf(sent), {}))).toMatchObject({ statusCode: 404 });
        expect(await refusal(people.updateOne(requestOf(sent), { skills: [{ label: 'x' }] } as never))).toMatchObject({
          statusCode: 404,
        });
      }

      expect(await stored(id)).toMatchObject({ age: null, version: 1 });
      expect(await source.getRepository(Skill).count()).toBe(0);
    });

    test('a condition over a relation finds its record', async () => {
      expect(
        await people.updateOne(requestOf({ path: { id }, auth: { 'team.title': 'red' } }), { age: 5 }),
      ).toMatchObject({ age: 5 });
    });

    test('{} changes nothing', async () => {
      expect(await people.updateOne(requestOf({ path: { id } }), {})).toMatchObject({ email: 'a@x', version: 1 });
    });

    test('path values may be overridden where that is allowed, the key never', async () => {
      const options = { routes: { updateOneBase: { allowParamsOverride: true } } };
      const request = requestOf({ path: { id, teamId: 901 }, options });
      (request as { scope: SCondition }).scope = { id };
      await people.updateOne(request, { teamId: 902, id: 4 });

      expect(await stored(id)).toMatchObject({ teamId: 902 });
    });

    test('without a key it acts on exactly one record', async () => {
      expect(await people.updateOne(requestOf({ auth: { email: 'a@x' } }), { age: 5 })).toMatchObject({ id, age: 5 });
      expect(await refusal(people.updateOne(requestOf({ auth: { email: 'b@x' } }), { age: 6 }))).toMatchObject({
        statusCode: 404,
      });
      await people.createOne(requestOf(), body('b@x'));
      expect(await refusal(people.updateOne(requestOf({ auth: { teamId: 901 } }), { age: 6 }))).toMatchObject({
        statusCode: 409,
        code: 'CRUD_CONFLICT',
      });
      expect((await source.getRepository(Person).find({ order: { id: 'ASC' } })).map(({ age }) => age)).toEqual([
        5,
        null,
      ]);
    });

    test('persist is written, also on an empty body', async () => {
      expect(
        await people.updateOne(requestOf({ path: { id }, parsed: { authPersist: { state: 'seen' } } }), {}),
      ).toMatchObject({
        state: 'seen',
      });
    });
  });

  describe('replaceOne', () => {
    test('resets what is omitted, keeps the creation date and links', async () => {
      const made = await people.createOne(
        requestOf(),
        body('a@x', {
          age: 5,
          state: 'old',
          name: { first: 'A' },
          skills: [{ label: 'sql' }],
          badge: { color: 'red' },
          password: 'p',
        }),
      );
      const replaced = await people.replaceOne(requestOf({ path: { id: made.id } }), body('b@x'));
      const [after] = await source.getRepository(Person).find({ relations: { skills: true, badge: true } });

      expect(replaced).toMatchObject({
        id: made.id,
        email: 'b@x',
        age: null,
        state: 'new',
        name: { first: null, last: null },
        version: 2,
        createdAt: made.createdAt,
      });
      expect(replaced.updatedAt.getTime()).toBeGreaterThanOrEqual(made.updatedAt.getTime());
      expect(after).toMatchObject({ skills: [{ label: 'sql' }], badge: null });
    });

    test('creates where the client owns the key, and says so', async () => {
      const id = '5a7b1c9e-9f4e-4b51-8c8e-0a0b0c0d0e0f';
      const request = requestOf({ path: { id } });

      expect(await gadgets.replaceOne(request, { serial: 's', place: 'here' })).toEqual(
        Object.assign(new Gadget(), { id, serial: 's', note: 'none', place: 'here' }),
      );
      expect(outcomeOf(request)).toEqual({ created: true });
      const again = requestOf({ path: { id } });
      expect(await gadgets.replaceOne(again, { serial: 't', note: 'x' })).toEqual(
        Object.assign(new Gadget(), { id, serial: 't', note: 'x', place: null }),
      );
      expect(outcomeOf(again)).toEqual({});
      expect(await seats.replaceOne(requestOf({ path: { row: 3, number: 4 } }), { label: 'x', row: 9 })).toMatchObject({
        row: 3,
        number: 4,
        label: 'x',
      });
    });

    test('out of scope, or absent with a counted key: 404', async () => {
      await seats.createOne(requestOf(), { row: 1, number: 1, label: 'theirs' });

      expect(
        await refusal(
          seats.replaceOne(requestOf({ path: { row: 1, number: 1 }, auth: { label: 'mine' } }), { label: 'mine' }),
        ),
      ).toMatchObject({ statusCode: 404 });
      expect(
        await refusal(
          seats.replaceOne(requestOf({ path: { row: 1, number: 2 }, auth: { label: 'mine' } }), { label: 'other' }),
        ),
      ).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      expect(await refusal(teams.replaceOne(requestOf({ path: { id: 5555 } }), { title: 'x' }))).toMatchObject({
        statusCode: 404,
      });
      expect(await source.getRepository(Seat).find()).toEqual([
        Object.assign(new Seat(), { row: 1, number: 1, label: 'theirs' }),
      ]);
    });
  });

  describe('deleteOne and recoverOne', () => {
    test('removes one record in scope, by one statement', async () => {
      const { id } = await people.createOne(requestOf(), body('a@x'));

      expect(await refusal(people.deleteOne(requestOf({ path: { id, teamId: 902 } })))).toMatchObject({
        statusCode: 404,
      });
      const sql = await statements.of(async () =>
        expect(await people.deleteOne(requestOf({ path: { id, teamId: 901 } }))).toBeUndefined(),
      );
      expect(sql).toHaveLength(1);
      expect(sql[0]).toMatch(/^DELETE FROM .people. WHERE /);
      expect(await refusal(people.deleteOne(requestOf({ path: { id } })))).toMatchObject({
        statusCode: 404,
        message: 'Person not found',
      });
    });

    test('returns the record as it was, with its joins', async () => {
      const { id } = await people.createOne(requestOf(), body('a@x', { skills: [{ label: 'sql' }], password: 'p' }));
      const options = {
        routes: { deleteOneBase: { returnDeleted: true } },
        query: { join: { skills: { eager: true } } },
      };
      const deleted = await people.deleteOne(requestOf({ path: { id }, options }));

      expect(deleted).toMatchObject({ id, email: 'a@x', skills: [{ label: 'sql' }] });
      expect((deleted as Person).password).toBeUndefined();
      expect(await source.getRepository(Person).count()).toBe(0);
    });

    test('a record that others refer to stays: 409', async () => {
      await people.createOne(requestOf(), body('a@x'));

      expect(await refusal(teams.deleteOne(requestOf({ path: { id: 901 } })))).toEqual({
        statusCode: 409,
        error: 'Conflict',
        code: 'CRUD_FOREIGN_KEY_VIOLATION',
        message: 'Other records still refer to this one: delete or change them first',
      });

      const options = { query: { join: { people: {} } } };
      expect(await refusal(teams.deleteOne(requestOf({ path: { id: 901 }, options })))).toEqual({
        statusCode: 409,
        error: 'Conflict',
        code: 'CRUD_FOREIGN_KEY_VIOLATION',
        message: 'Records in people still refer to this one: delete or change them first',
        field: 'people',
      });
    });

    test('several without a key are a 409, and none is deleted', async () => {
      expect(await refusal(teams.deleteOne(requestOf()))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
      expect(await refusal(teams.recoverOne(requestOf()))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
      await teams.deleteOne(requestOf({ auth: { title: 'blue' } }));
      expect(await source.getRepository(Team).find()).toMatchObject([{ title: 'red' }]);
    });
  });
});
