/** Requests of the write routes → answers, SQL and rows, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequest, CrudRequestOptions } from '@nestwright/crud';
import { outcomeOf } from '@nestwright/crud/adapter';
import type { SCondition } from '@nestwright/crud-request';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Gadget, Note, Person, Seat, Skill, Team } from './entities.js';
import { connect, empty, type Statements, withoutKeysAsked } from './statements.js';
import { toDatabase } from '../../src/typeorm/database.js';

/** What an interceptor would make of a request. */
interface Sent {
  readonly path?: Record<string, unknown>;
  readonly auth?: SCondition;
  readonly persist?: Record<string, unknown>;
  readonly options?: CrudRequestOptions;
  readonly join?: string[];
}

function requestOf({ path = {}, auth, persist, options = {}, join = [] }: Sent = {}): CrudRequest {
  const paramsFilter = Object.entries(path).map(([field, value]) => ({ field, operator: '$eq', value }));
  const conditions = [
    ...(auth ? [auth] : []),
    ...paramsFilter.map(({ field, value }) => ({ [field]: { $eq: value } })),
  ];
  const scope = { $and: conditions } as SCondition;
  const parsed = {
    fields: [],
    paramsFilter,
    authPersist: persist,
    classTransformOptions: undefined,
    search: scope,
    filter: [],
    or: [],
    join: join.map((field) => ({ field })),
    sort: [],
    extra: {},
  };

  return { parsed, options, scope } as unknown as CrudRequest;
}

describeDatabases('the write verbs', (db) => {
  let source: DataSource;
  let statements: Statements;
  let people: TypeOrmCrudService<Person>;
  let teams: TypeOrmCrudService<Team>;
  let gadgets: TypeOrmCrudService<Gadget>;
  let seats: TypeOrmCrudService<Seat>;
  let notes: TypeOrmCrudService<Note>;

  beforeAll(async () => {
    ({ source, statements } = await connect(db, { poolSize: 20 }));
    const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
      new TypeOrmCrudService<T>(source.getRepository(entity));
    people = serviceOf(Person);
    teams = serviceOf(Team);
    gadgets = serviceOf(Gadget);
    seats = serviceOf(Seat);
    notes = serviceOf(Note);
  });

  afterAll(() => source.destroy());

  beforeEach(async () => {
    Note.heard = [];
    await empty(source);
  });

  const body = (email: string, more: object = {}) => ({ email, teamId: 901, ...more }) as Partial<Person>;

  async function refusal(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => 'accepted',
      (error: { getResponse?: () => unknown }) => error.getResponse?.() ?? error,
    );
  }

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

    test('excluded columns never leave, joins come along, a shallow answer leaves them out', async () => {
      const query = { exclude: ['age', 'id'], join: { team: { eager: true }, badge: {} } };
      const made = await people.createOne(
        requestOf({ options: { query }, join: ['badge'] }),
        body('a@x', { age: 3, badge: { color: 'red' } }),
      );
      const shallow = await people.createOne(
        requestOf({ options: { query, routes: { createOneBase: { returnShallow: true } } }, join: ['badge'] }),
        body('b@x', { age: 3 }),
      );

      expect(made).toMatchObject({ team: { title: 'red' }, badge: { color: 'red' } });
      expect([made!.age, made!.id]).toEqual([undefined, undefined]);
      expect(shallow!.team).toBeUndefined();
      expect(shallow).toMatchObject({ email: 'b@x', state: 'new' });
      expect([shallow!.age, shallow!.id]).toEqual([undefined, undefined]);
    });

    test('an existing counted key is a 409, a new one a 400, unless it is allowed', async () => {
      expect(await refusal(teams.createOne(requestOf(), { id: 901, title: 'x' }))).toMatchObject({
        statusCode: 409,
        code: 'CRUD_UNIQUE_VIOLATION',
        field: 'id',
      });
      expect(await refusal(teams.createOne(requestOf(), { id: 77, title: 'x' }))).toMatchObject({
        statusCode: 400,
        code: 'CRUD_INVALID_BODY',
        field: 'id',
      });
      const allowed = requestOf({ options: { routes: { createOneBase: { allowGeneratedKey: true } } } });
      expect(await teams.createOne(allowed, { id: 777, title: 'y' })).toMatchObject({ id: 777, title: 'y' });
      expect(await refusal(teams.createOne(allowed, { id: 777, title: 'z' }))).toMatchObject({
        statusCode: 409,
        field: 'id',
        message: ['id already exists'],
      });
      expect(await source.getRepository(Team).findOneBy({ id: 901 })).toMatchObject({ title: 'red' });
    });

    test('never updates, also when two race', async () => {
      const results = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          refusal(seats.createOne(requestOf(), { row: 1, number: 1, label: `l${index}` })),
        ),
      );

      expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
      expect(results.filter((result) => result !== 'accepted')).toEqual(
        Array(9).fill(expect.objectContaining({ statusCode: 409, code: 'CRUD_UNIQUE_VIOLATION' })),
      );
    });

    test('200 at once all succeed', async () => {
      await Promise.all(Array.from({ length: 200 }, (_, index) => people.createOne(requestOf(), body(`p${index}@x`))));

      expect(await source.getRepository(Person).count()).toBe(200);
    });

    test('path and persist win over the body and nested relations', async () => {
      const request = requestOf({ path: { teamId: 901 }, persist: { state: 'kept' } });
      const made = await people.createOne(request, {
        email: 'a@x',
        teamId: 902,
        team: { id: 902 },
        state: 'mine',
      } as unknown as Person);

      expect(made).toMatchObject({ teamId: 901, state: 'kept' });
    });

    test('a record out of scope is not stored', async () => {
      const request = requestOf({ auth: { teamId: { $eq: 902 } } });

      expect(await refusal(people.createOne(request, body('a@x')))).toMatchObject({
        statusCode: 400,
        code: 'CRUD_OUT_OF_SCOPE',
      });
      expect(await source.getRepository(Person).count()).toBe(0);
    });

    test('an empty body is refused', async () => {
      expect(await refusal(people.createOne(requestOf(), {}))).toMatchObject({
        statusCode: 400,
        code: 'CRUD_EMPTY_BODY',
        message: 'Empty data. Nothing to save.',
      });
      expect(await refusal(people.createMany(requestOf(), { bulk: [] }))).toMatchObject({ code: 'CRUD_EMPTY_BODY' });
      expect(await refusal(people.createMany(requestOf(), undefined as never))).toMatchObject({
        code: 'CRUD_EMPTY_BODY',
      });
    });

    test('a service in a transaction takes part in it', async () => {
      await source
        .transaction(async (manager) => {
          const inside = new TypeOrmCrudService(manager.getRepository(Person));
          await inside.createOne(requestOf(), body('a@x'));
          expect(await refusal(inside.createOne(requestOf(), body('a@x')))).toMatchObject({
            code: 'CRUD_UNIQUE_VIOLATION',
          });
          await inside.createOne(requestOf(), body('b@x'));
          throw new Error('back');
        })
        .catch(() => undefined);

      expect(await source.getRepository(Person).count()).toBe(0);
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

    test('stores all or none, and names the item', async () => {
      const error = await refusal(people.createMany(requestOf(), { bulk: [body('a@x'), body('b@x'), body('a@x')] }));

      expect(error).toMatchObject({ statusCode: 409, field: 'bulk.2.email' });
      expect(
        await refusal(people.createMany(requestOf(), { bulk: [body('a@x'), { teamId: 901, email: {} }] as never })),
      ).toMatchObject({ statusCode: 400, field: 'bulk.1.email' });
      expect(
        await refusal(
          people.createMany(requestOf({ auth: { email: { $ne: 'b@x' } } }), { bulk: [body('a@x'), body('b@x')] }),
        ),
      ).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      expect(await source.getRepository(Person).count()).toBe(0);
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

    test('the same value is not "not found"', async () => {
      await people.updateOne(requestOf({ path: { id } }), { age: 5 });
      expect(await people.updateOne(requestOf({ path: { id } }), { age: 5 })).toMatchObject({ age: 5 });
      expect(
        await gadgets.updateOne(
          requestOf({ path: { id: (await gadgets.createOne(requestOf(), { serial: 's' })).id } }),
          { serial: 's' },
        ),
      ).toMatchObject({ serial: 's' });
    });

    test('must not leave the scope', async () => {
      expect(
        await refusal(people.updateOne(requestOf({ path: { id }, auth: { teamId: 901 } }), { teamId: 902 })),
      ).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
      expect(await stored(id)).toMatchObject({ teamId: 901, version: 1 });
    });

    test('path values may be overridden where that is allowed, the key never', async () => {
      const options = { routes: { updateOneBase: { allowParamsOverride: true } } };
      const request = requestOf({ path: { id, teamId: 901 }, options });
      (request as { scope: SCondition }).scope = { id };
      await people.updateOne(request, { teamId: 902, id: 4 });

      expect(await stored(id)).toMatchObject({ teamId: 902 });
    });

    test('a version that is not the stored one is a 409', async () => {
      expect(await people.updateOne(requestOf({ path: { id } }), { age: 1, version: 1 })).toMatchObject({ version: 2 });
      for (const more of [{ age: 2 }, {}, { skills: [] }]) {
        expect(
          await refusal(people.updateOne(requestOf({ path: { id } }), { version: 1, ...more } as Partial<Person>)),
        ).toMatchObject({ statusCode: 409, code: 'CRUD_STALE_VERSION', field: 'version' });
      }
      expect(await people.updateOne(requestOf({ path: { id } }), { version: 2 })).toMatchObject({ age: 1, version: 2 });
    });

    test('200 at once of different columns lose nothing', async () => {
      const bodies = Array.from({ length: 200 }, (_, index) =>
        index % 2 ? { settings: { index } } : { name: { first: `C${index}` } },
      );
      await Promise.all(bodies.map((sent) => people.updateOne(requestOf({ path: { id } }), sent as Partial<Person>)));
      const record = (await stored(id))!;

      expect(record).toMatchObject({ name: { last: 'B' }, version: 201 });
      expect(bodies).toContainEqual({ settings: record.settings });
      expect(bodies).toContainEqual({ name: { first: record.name.first } });
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

    test('listeners never meet a record out of scope', async () => {
      const note = await notes.createOne(requestOf(), { text: 'One', owner: 'me' });
      Note.heard = [];

      expect(
        await refusal(notes.updateOne(requestOf({ path: { id: note.id }, auth: { owner: 'you' } }), { text: 'Two' })),
      ).toMatchObject({ statusCode: 404 });
      expect(Note.heard).toEqual([]);
      expect(
        await notes.updateOne(requestOf({ path: { id: note.id }, auth: { owner: 'me' } }), { text: 'Two' }),
      ).toMatchObject({ text: 'Two', slug: 'two', version: 2 });
    });

    test('persist is written, also on an empty body', async () => {
      expect(await people.updateOne(requestOf({ path: { id }, persist: { state: 'seen' } }), {})).toMatchObject({
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

    test('20 at once create one record', async () => {
      const key = { row: 7, number: 7 };
      const requests = Array.from({ length: 20 }, () => requestOf({ path: key }));
      const results = await Promise.all(
        requests.map((request, index) => refusal(seats.replaceOne(request, { label: `l${index}` }))),
      );

      expect(new Set(results)).toEqual(new Set(['accepted']));
      expect(requests.filter((request) => outcomeOf(request).created)).toHaveLength(1);
      expect(await source.getRepository(Seat).countBy(key)).toBe(1);
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

    test('merges where that is wanted', async () => {
      const made = await people.createOne(requestOf(), body('a@x', { age: 5 }));
      const request = requestOf({ path: { id: made.id }, options: { routes: { replaceOneBase: { merge: true } } } });

      expect(await people.replaceOne(request, { state: 'merged' })).toMatchObject({
        email: 'a@x',
        age: 5,
        state: 'merged',
      });
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

    test('a soft-deleted record is gone for every verb but recover', async () => {
      const options = { query: { softDelete: true } };
      const at = (path: object = { id: 901 }, auth?: SCondition) =>
        requestOf({ path: path as Record<string, unknown>, options, ...(auth && { auth }) });

      await teams.deleteOne(at());
      expect(await source.getRepository(Team).findOne({ where: { id: 901 }, withDeleted: true })).toMatchObject({
        deletedAt: expect.any(Date),
      });
      for (const work of [
        teams.deleteOne(at()),
        teams.updateOne(at(), { title: 'x' }),
        teams.updateOne(at(), {}),
        teams.replaceOne(at(), { title: 'x' }),
      ])
        expect(await refusal(work)).toMatchObject({ statusCode: 404 });

      expect(await refusal(teams.recoverOne(at({ id: 901 }, { title: 'blue' })))).toMatchObject({ statusCode: 404 });
      expect(await teams.recoverOne(at())).toMatchObject({ id: 901, title: 'red', deletedAt: null });
      expect(await teams.recoverOne(at())).toMatchObject({ id: 901 });
      expect(await refusal(teams.recoverOne(at({ id: 5 })))).toMatchObject({ statusCode: 404 });
      expect(
        await teams.recoverOne(
          requestOf({
            path: { id: 902 },
            options: { ...options, routes: { recoverOneBase: { returnRecovered: false } } },
          }),
        ),
      ).toBeUndefined();
    });

    test('several without a key are a 409, and none is deleted', async () => {
      expect(await refusal(teams.deleteOne(requestOf()))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
      expect(await refusal(teams.recoverOne(requestOf()))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
      await teams.deleteOne(requestOf({ auth: { title: 'blue' } }));
      expect(await source.getRepository(Team).find()).toMatchObject([{ title: 'red' }]);
    });
  });

  describe('hooks of the application', () => {
    class Seen extends TypeOrmCrudService<Person> {
      override async createBuilder(...args: Parameters<TypeOrmCrudService<Person>['createBuilder']>) {
        return (await super.createBuilder(...args)).andWhere('Person.state <> :hidden', { hidden: 'hidden' });
      }
    }

    class Named extends TypeOrmCrudService<Person> {
      protected override async getOneOrFail(
        request: CrudRequest,
        shallow?: boolean,
        withDeleted?: boolean,
      ): Promise<Person> {
        return Object.assign(await super.getOneOrFail(request, shallow, withDeleted), { label: 'mine' });
      }

      protected override prepareEntityBeforeSave(
        dto: Partial<Person>,
        parsed: CrudRequest['parsed'],
      ): Person | undefined {
        const entity = super.prepareEntityBeforeSave(dto, parsed);

        return entity && Object.assign(entity, { email: `${entity.email}!`, teamId: 902 });
      }
    }

    test('a builder that hides records hides them from writes', async () => {
      const seen = new Seen(source.getRepository(Person));
      const { id } = await people.createOne(requestOf(), body('a@x', { state: 'hidden' }));
      const at = () => requestOf({ path: { id } });

      for (const work of [
        () => seen.updateOne(at(), { age: 1 }),
        () => seen.replaceOne(at(), body('b@x')),
        () => seen.deleteOne(at()),
      ])
        expect(await refusal(work())).toMatchObject({ statusCode: 404, message: 'Person not found' });

      expect(await stored(id)).toMatchObject({ email: 'a@x', age: null, version: 1 });
      await people.updateOne(at(), { state: 'shown' });
      expect(await seen.updateOne(at(), { age: 1 })).toMatchObject({ age: 1 });
      expect(await seen.createOne(requestOf(), body('c@x'))).toMatchObject({ email: 'c@x', version: 1 });
    });

    test('a way of reading a record answers writes, a change before saving is stored, the path wins', async () => {
      const named = new Named(source.getRepository(Person));
      const made = await named.createOne(requestOf({ path: { teamId: 901 } }), { email: 'a@x' });

      expect(made).toMatchObject({ email: 'a@x!', teamId: 901, label: 'mine' });
      expect(await named.updateOne(requestOf({ path: { id: made.id } }), { age: 2 })).toMatchObject({
        age: 2,
        label: 'mine',
      });
      expect(await named.createMany(requestOf(), { bulk: [{ email: 'b@x' }] })).toMatchObject([
        { email: 'b@x!', teamId: 902 },
      ]);
    });

    test('a 404 of the application is the one given', async () => {
      class Shy extends TypeOrmCrudService<Person> {
        override throwNotFoundException(name: string): never {
          throw Object.assign(new Error(`no ${name}`), { shy: true });
        }
      }

      await expect(new Shy(source.getRepository(Person)).deleteOne(requestOf({ path: { id: 1 } }))).rejects.toThrow(
        'no Person',
      );
    });
  });
});
