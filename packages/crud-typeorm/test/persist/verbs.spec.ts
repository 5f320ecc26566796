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
  let skills: TypeOrmCrudService<Skill>;

  beforeAll(async () => {
    ({ source, statements } = await connect(db, { poolSize: 20 }));
    const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
      new TypeOrmCrudService<T>(source.getRepository(entity));
    people = serviceOf(Person);
    teams = serviceOf(Team);
    gadgets = serviceOf(Gadget);
    seats = serviceOf(Seat);
    skills = serviceOf(Skill);
  });

  afterAll(() => source.destroy());

  beforeEach(() => empty(source));

  const body = (email: string, more: object = {}) => ({ email, teamId: 901, ...more }) as Partial<Person>;

  const stored = (id: number) => source.getRepository(Person).findOneBy({ id });
  const returns = (statement: 'insert' | 'update') =>
    toDatabase(source).options.fastPaths && toDatabase(source).returns[statement];

  const at = (id: number, more: object = {}) => requestOf({ path: { id }, ...more });
  const NOT_FOUND = { statusCode: 404, error: 'Not Found', code: 'CRUD_NOT_FOUND', message: 'Person not found' };

  test('POST stores a record, and reads it again where the database does not return it', async () => {
    let made: Person | undefined;
    const sent = body('a@x', { name: { first: 'A' }, password: 'secret' });
    const sql = await statements.of(async () => (made = await people.createOne(requestOf(), sent)));

    expect(made).toBeInstanceOf(Person);
    const defaults = { name: { first: 'A', last: null }, state: 'new', version: 1, age: null };
    expect(made).toMatchObject({ email: 'a@x', teamId: 901, ...defaults, createdAt: expect.any(Date) });
    expect(made!.password).toBeUndefined();
    expect(withoutKeysAsked(sql).map((one) => one.split(' ')[0])).toEqual(
      returns('insert') ? ['INSERT'] : ['INSERT', 'SELECT'],
    );
  });

  describe('bulk POST', () => {
    test('takes one INSERT for a thousand records, and answers in the order sent', async () => {
      const labels = Array.from({ length: 2500 }, (_, index) => `${(index * 7919) % 2500}`);
      let made: Skill[] = [];
      const sql = await statements.of(
        async () => (made = await skills.createMany(requestOf(), { bulk: labels.map((label) => ({ label })) })),
      );

      expect(made.map(({ label }) => label)).toEqual(labels);
      expect(sql.filter((one) => one.startsWith('INSERT'))).toHaveLength(3);
      expect(withoutKeysAsked(sql).length).toBeLessThanOrEqual(returns('insert') ? 3 : 6);
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

    test('many at once get their own keys, in their own order', async () => {
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, bulk) =>
          people.createMany(requestOf(), { bulk: Array.from({ length: 20 }, (_, item) => body(`${bulk}-${item}@x`)) }),
        ),
      );
      const all = new Map((await source.getRepository(Person).find()).map(({ id, email }) => [id, email]));

      expect(all.size).toBe(800);
      answers.forEach((answer, bulk) =>
        expect(answer.map(({ id, email }) => [email, all.get(id)])).toEqual(
          answer.map((_, item) => [`${bulk}-${item}@x`, `${bulk}-${item}@x`]),
        ),
      );
    });
  });

  describe('PATCH', () => {
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
        for (const change of [{ age: 5 }, {}, { skills: [{ label: 'x' }] } as never])
          expect(await refusal(people.updateOne(requestOf(sent), change))).toEqual(NOT_FOUND);
      }

      expect(await stored(id)).toMatchObject({ age: null, version: 1 });
      expect(await source.getRepository(Skill).count()).toBe(0);
      expect(await people.updateOne(at(id, { auth: { 'team.title': 'red' } }), { age: 5 })).toMatchObject({ age: 5 });
    });

    test('path values may be overridden where that is allowed, the key never', async () => {
      const options = { routes: { updateOneBase: { allowParamsOverride: true } } };
      const request = requestOf({ path: { id, teamId: 901 }, options });
      (request as { scope: SCondition }).scope = { id };
      await people.updateOne(request, { teamId: 902, id: 4 });

      expect(await stored(id)).toMatchObject({ teamId: 902 });
    });

    test('without a key it acts on exactly one record', async () => {
      const change = (auth: object, age: number) => people.updateOne(requestOf({ auth }), { age });
      expect(await change({ email: 'a@x' }, 5)).toMatchObject({ id, age: 5 });
      expect(await refusal(change({ email: 'b@x' }, 6))).toEqual(NOT_FOUND);
      await people.createOne(requestOf(), body('b@x'));
      expect(await refusal(change({ teamId: 901 }, 6))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
      const all = await source.getRepository(Person).find({ order: { id: 'ASC' } });
      expect(all.map(({ age }) => age)).toEqual([5, null]);
    });

    test('persist is written, also on an empty body', async () => {
      const request = at(id, { parsed: { authPersist: { state: 'seen' } } });
      expect(await people.updateOne(request, {})).toMatchObject({ state: 'seen' });
    });
  });

  describe('PUT', () => {
    test('resets what is omitted, keeps the creation date and links', async () => {
      const sent = { age: 5, state: 'old', name: { first: 'A' }, skills: [{ label: 'sql' }], badge: { color: 'red' } };
      const { id, createdAt, updatedAt } = await people.createOne(requestOf(), body('a@x', sent));
      const replaced = await people.replaceOne(at(id), body('b@x'));
      const [after] = await source.getRepository(Person).find({ relations: { skills: true, badge: true } });

      const defaults = { age: null, state: 'new', name: { first: null, last: null } };
      expect(replaced).toMatchObject({ id, email: 'b@x', ...defaults, version: 2, createdAt });
      expect(replaced.updatedAt.getTime()).toBeGreaterThanOrEqual(updatedAt.getTime());
      expect(after).toMatchObject({ skills: [{ label: 'sql' }], badge: null });
    });

    test('creates where the client owns the key, which the path says, and tells so', async () => {
      const id = '5a7b1c9e-9f4e-4b51-8c8e-0a0b0c0d0e0f';
      const [created, replaced] = [requestOf({ path: { id } }), requestOf({ path: { id } })];

      expect(await gadgets.replaceOne(created, { serial: 's', place: 'here' })).toMatchObject({ note: 'none' });
      expect(await gadgets.replaceOne(replaced, { serial: 't', note: 'x' })).toEqual(
        Object.assign(new Gadget(), { id, serial: 't', note: 'x', place: null }),
      );
      expect([outcomeOf(created), outcomeOf(replaced)]).toEqual([{ created: true }, {}]);
      expect(await seats.replaceOne(requestOf({ path: { row: 3, number: 4 } }), { label: 'x', row: 9 })).toEqual(
        Object.assign(new Seat(), { row: 3, number: 4, label: 'x' }),
      );
    });

    test('neither replaces nor creates out of scope', async () => {
      const mine = (number: number, label: string) =>
        refusal(seats.replaceOne(requestOf({ path: { row: 1, number }, auth: { label: 'mine' } }), { label }));
      await seats.createOne(requestOf(), { row: 1, number: 1, label: 'theirs' });

      expect(await mine(1, 'mine')).toMatchObject({ statusCode: 404 });
      expect(await mine(2, 'other')).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      expect(await source.getRepository(Seat).find()).toMatchObject([{ row: 1, number: 1, label: 'theirs' }]);
    });
  });

  describe('DELETE and recovery', () => {
    test('removes one record in scope, by one statement', async () => {
      const { id } = await people.createOne(requestOf(), body('a@x'));
      const remove = (teamId: number) => people.deleteOne(requestOf({ path: { id, teamId } }));

      expect(await refusal(remove(902))).toEqual(NOT_FOUND);
      const sql = await statements.of(async () => expect(await remove(901)).toBeUndefined());
      expect(sql).toEqual([expect.stringMatching(/^DELETE FROM .people. WHERE /)]);
      expect(await refusal(remove(901))).toEqual(NOT_FOUND);
    });

    test('returns the record as it was, with its joins', async () => {
      const { id } = await people.createOne(requestOf(), body('a@x', { skills: [{ label: 'sql' }], password: 'p' }));
      const options = {
        routes: { deleteOneBase: { returnDeleted: true } },
        query: { join: { skills: { eager: true } } },
      };
      const deleted = await people.deleteOne(at(id, { options }));

      expect(deleted).toMatchObject({ id, email: 'a@x', skills: [{ label: 'sql' }] });
      expect((deleted as Person).password).toBeUndefined();
      expect(await source.getRepository(Person).count()).toBe(0);
    });

    test('a record that others refer to stays: 409, which names the relation that clients may see', async () => {
      await people.createOne(requestOf(), body('a@x'));
      const refused = { statusCode: 409, error: 'Conflict', code: 'CRUD_FOREIGN_KEY_VIOLATION' };
      const still = 'still refer to this one: delete or change them first';

      expect(await refusal(teams.deleteOne(at(901)))).toEqual({ ...refused, message: `Other records ${still}` });
      expect(await refusal(teams.deleteOne(at(901, { options: { query: { join: { people: {} } } } })))).toEqual({
        ...refused,
        message: `Records in people ${still}`,
        field: 'people',
      });
    });

    test('several without a key are a 409, and none is deleted', async () => {
      for (const verb of ['deleteOne', 'recoverOne'] as const)
        expect(await refusal(teams[verb](requestOf()))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
      await teams.deleteOne(requestOf({ auth: { title: 'blue' } }));
      expect(await source.getRepository(Team).find()).toMatchObject([{ title: 'red' }]);
    });

    test.each([{ teamId: 901 }, { 'team.title': 'red' }])(
      'a record that leaves the scope %j while a DELETE waits for it stays',
      async (auth) => {
        if (db.kind === 'sqlite') return;

        const { id } = await people.createOne(requestOf(), body('a@x'));
        const other = source.createQueryRunner();
        await other.startTransaction();
        await other.manager.update(Person, { id }, { teamId: 902 });
        const deleting = refusal(people.deleteOne(at(id, { auth })));
        await new Promise((resolve) => setTimeout(resolve, 100));
        await other.commitTransaction();
        await other.release();

        expect(await deleting).toEqual(NOT_FOUND);
        expect(await source.getRepository(Person).existsBy({ id })).toBe(true);
      },
    );
  });

  test('reads take a statement, one more for each to-many join and for the total; writes take two at most', async () => {
    const query = { join: { team: {}, badge: {}, skills: {}, tasks: {} } };
    const asked = (join: string[], parsed = {}, path = {}) => requestOf({ path, join, parsed, options: { query } });
    const count = async (work: () => Promise<unknown>) => withoutKeysAsked(await statements.of(work)).length;
    const nested = { tasks: [{ what: 'x' }, { what: 'y' }], skills: [{ label: 'a' }, { label: 'b' }] };
    await people.createMany(requestOf(), { bulk: [body('a', nested), body('b')] });
    let id = 0;

    expect(await count(async () => ({ id } = await people.createOne(requestOf(), body('c'))))).toBeLessThanOrEqual(2);
    for (const [join, parsed, expected] of [
      [['team', 'badge'], {}, 1],
      [['team', 'skills', 'tasks'], {}, 3],
      [[], { page: 1, limit: 2 }, 2],
      [['team', 'skills', 'tasks'], { page: 1, limit: 2 }, 4],
    ] as const)
      expect(await count(() => people.getMany(asked([...join], parsed)))).toBe(expected);
    expect(await count(() => people.getOne(asked(['team', 'badge'], {}, { id })))).toBe(1);
    expect(await count(() => people.updateOne(at(id), { age: 5 }))).toBeLessThanOrEqual(2);
    expect(await count(() => people.deleteOne(at(id)))).toBe(1);
  });

  test('a hundred inserts, bulks and updates at once all succeed', async () => {
    const { id } = await people.createOne(requestOf(), body('first'));
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        Promise.all([
          people.createOne(requestOf(), body(`one-${index}`)),
          people.createMany(requestOf(), { bulk: [body(`bulk-${index}-a`), body(`bulk-${index}-b`)] }),
          people.updateOne(at(id), { name: { first: `${index}`, last: null } }),
        ]),
      ),
    );

    expect(await source.getRepository(Person).count()).toBe(301);
    expect(await stored(id)).toMatchObject({ version: 101 });
  });
});
