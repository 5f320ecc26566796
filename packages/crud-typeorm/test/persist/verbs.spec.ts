/** Requests of the write routes → answers, SQL and rows, on each database. */
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connecting, empty } from '../support/connecting.js';
import { Badge, PEOPLE, Person, Seat, Skill, Team } from './entities.js';
import { Statements } from '../support/statements.js';
import { toDatabase } from '../../src/typeorm/database.js';
import { refusal, requestOf } from '../support/requests.js';

/** Statements without those by which drivers and TypeORM find out which keys the database has counted. */
const withoutKeysAsked = (statements: readonly string[]) =>
  statements.filter((sql) => !/last_insert_rowid|auto_increment_increment/.test(sql));

describeDatabases('the write verbs', (db) => {
  const statements = new Statements();
  const source = connecting(db, PEOPLE, { logger: statements, logging: true, poolSize: 20 });
  const serviceOf = <T extends ObjectLiteral>(entity: new () => T) =>
    new TypeOrmCrudService<T>(source.getRepository(entity));
  const [people, teams] = [serviceOf(Person), serviceOf(Team)];
  const [seats, skills] = [serviceOf(Seat), serviceOf(Skill)];
  const CHECK = 'ALTER TABLE people ADD CONSTRAINT CHK_age CHECK (age >= 0 AND age <= 150)';
  // TypeORM makes no checks on MySQL and MariaDB.
  beforeAll(async () => void (db.kind === 'mysql' && (await source.query(CHECK))));
  beforeEach(async () => {
    await empty(source);
    await source.query(`INSERT INTO teams (id, title, version) VALUES (901, 'red', 1), (902, 'blue', 1)`);
  });

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
    const kinds = withoutKeysAsked(sql).map((one) => one.split(' ')[0]);
    expect(kinds.join()).toBe(returns('insert') ? 'INSERT' : 'INSERT,SELECT');
  });

  test('bulk POST takes one INSERT for a thousand records, and answers in the order sent', async () => {
    const labels = Array.from({ length: 2500 }, (_, index) => `${(index * 7919) % 2500}`);
    const bulk = labels.map((label) => ({ label }));
    let made: Skill[] = [];
    const sql = await statements.of(async () => (made = await skills.createMany(requestOf(), { bulk })));
    expect(made.map(({ label }) => label)).toEqual(labels);
    expect(sql.filter((one) => one.startsWith('INSERT'))).toHaveLength(3);
    expect(withoutKeysAsked(sql).length).toBeLessThanOrEqual(returns('insert') ? 3 : 6);
  });

  describe('PATCH', () => {
    let id: number;

    beforeEach(async () => {
      ({ id } = await people.createOne(requestOf(), body('a@x', { name: { first: 'A', last: 'B' } })));
    });

    test('is one statement over key, path and auth', async () => {
      const request = requestOf({ path: { teamId: 901, id }, auth: { state: 'new' } });
      const sent = { age: 5, id: 99, createdAt: new Date(0), name: { last: 'C' } } as Partial<Person>;
      const sql = await statements.of(() => people.updateOne(request, sent));
      expect(sql).toHaveLength(returns('update') ? 1 : 2);
      expect(sql[0]).toMatch(/^UPDATE .people. SET .age. = [^ ,]+, .nameLast. = [^ ,]+, [^W]*version[^W]* WHERE /);
      expect(sql[0]!.split(' RETURNING ')[0]).not.toMatch(/SELECT|email|createdAt|teamId. = [^ ]+,/);
      expect(sql[0]).toMatch(/WHERE .*state.*teamId.*id/);
      expect(await stored(id)).toMatchObject({ age: 5, version: 2, email: 'a@x', name: { first: 'A', last: 'C' } });
    });

    test('nothing in scope is a 404, and nothing is written', async () => {
      const filtered = [{ state: 'old' }, { 'team.title': 'blue' }].map((auth) => ({ path: { id }, auth }));
      for (const sent of [{ path: { id: 12345 } }, { path: { id, teamId: 902 } }, ...filtered]) {
        for (const change of [{ age: 5 }, {}, { skills: [{ label: 'x' }] } as never])
          expect(await refusal(people.updateOne(requestOf(sent), change))).toEqual(NOT_FOUND);
      }
      expect(await stored(id)).toMatchObject({ age: null, version: 1 });
      expect(await source.getRepository(Skill).count()).toBe(0);
      expect(await people.updateOne(at(id, { auth: { 'team.title': 'red' } }), { age: 5 })).toMatchObject({ age: 5 });
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

  test('PUT resets what is omitted, keeps the creation date and links', async () => {
    const sent = { age: 5, state: 'old', name: { first: 'A' }, skills: [{ label: 'sql' }], badge: { color: 'red' } };
    const { id, createdAt, updatedAt } = await people.createOne(requestOf(), body('a@x', sent));
    const replaced = await people.replaceOne(at(id), body('b@x'));
    const [after] = await source.getRepository(Person).find({ relations: { skills: true, badge: true } });
    const defaults = { age: null, state: 'new', name: { first: null, last: null } };
    expect(replaced).toMatchObject({ id, email: 'b@x', ...defaults, version: 2, createdAt });
    expect(replaced.updatedAt.getTime()).toBeGreaterThanOrEqual(updatedAt.getTime());
    expect(after).toMatchObject({ skills: [{ label: 'sql' }], badge: null });
    expect(await people.replaceOne(at(id), body('b@x'))).toMatchObject({ version: 3 });
  });

  test('PUT neither replaces nor creates out of scope', async () => {
    const mine = (number: number, label: string) =>
      refusal(seats.replaceOne(requestOf({ path: { row: 1, number }, auth: { label: 'mine' } }), { label }));
    await seats.createOne(requestOf(), { row: 1, number: 1, label: 'theirs' });
    expect(await mine(1, 'mine')).toMatchObject({ statusCode: 404 });
    expect(await mine(2, 'other')).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
    expect(await source.getRepository(Seat).find()).toMatchObject([{ row: 1, number: 1, label: 'theirs' }]);
  });

  test('a bulk below a path that names the key names the item that is refused', async () => {
    const [path, label] = [{ row: 1, number: 1 }, 'taken'];
    await seats.createMany(requestOf(), { bulk: [path, { row: 1, number: 2, label }] });
    const refused = await refusal(seats.updateMany(requestOf({ path }), { bulk: [{ ...path, label }] }));
    expect(refused).toMatchObject({ statusCode: 409, code: 'CRUD_UNIQUE_VIOLATION', field: 'bulk.0.label' });
  });

  test('DELETE removes one record in scope, by one statement', async () => {
    const { id } = await people.createOne(requestOf(), body('a@x'));
    const remove = (teamId: number) => people.deleteOne(requestOf({ path: { id, teamId } }));
    expect(await refusal(remove(902))).toEqual(NOT_FOUND);
    const sql = await statements.of(async () => expect(await remove(901)).toBeUndefined());
    expect(sql).toEqual([expect.stringMatching(/^DELETE FROM .people. WHERE /)]);
    expect(await refusal(remove(901))).toEqual(NOT_FOUND);
  });

  test('a soft DELETE and its recovery set dates as precise as their columns', async () => {
    const soft = at(902, { options: { query: { softDelete: true } } });
    const team = () => source.getRepository(Team).findOneOrFail({ where: { id: 902 }, withDeleted: true });
    const ofOthers = db.kind === 'mysql' ? 'CURRENT_TIMESTAMP(6)' : 'CURRENT_TIMESTAMP';
    const now = db.kind === 'sqlite' ? `strftime('%Y-%m-%d %H:%M:%f', 'now')` : ofOthers;
    const set = (column: string) => `${source.driver.escape(column)} = ${now}`;
    const [removal] = await statements.of(() => teams.deleteOne(soft));
    for (const column of ['deletedAt', 'updatedAt']) expect(removal).toContain(set(column));
    const gone = await team();
    expect(gone).toMatchObject({ version: 2, deletedAt: expect.any(Date), updatedAt: gone.deletedAt });
    const recovery = await statements.of(() => teams.recoverOne(soft));
    expect(recovery).toEqual([expect.stringContaining(set('updatedAt')), expect.stringMatching(/^SELECT/)]);
    const back = await team();
    expect(back).toMatchObject({ deletedAt: null, version: 3 });
    await teams.recoverOne(soft);
    expect(await team()).toEqual(back);
  });

  test('without a key one record is deleted, and comes back; several are a 409', async () => {
    for (const verb of ['deleteOne', 'recoverOne'] as const)
      expect(await refusal(teams[verb](requestOf()))).toMatchObject({ statusCode: 409, code: 'CRUD_CONFLICT' });
    const titles = async () =>
      (await source.getRepository(Team).find({ order: { id: 'ASC' } })).map(({ title }) => title);
    const blue = requestOf({ auth: { title: 'blue' }, options: { query: { softDelete: true } } });
    await teams.deleteOne(blue);
    expect(await titles()).toEqual(['red']);
    await teams.recoverOne(blue);
    expect(await titles()).toEqual(['red', 'blue']);
  });

  const leaving = 'a record that leaves the scope %j while a DELETE waits for it stays';
  if (db.kind !== 'sqlite') {
    test.each([{ teamId: 901 }, { 'team.title': 'red' }])(leaving, async (auth) => {
      const { id } = await people.createOne(requestOf(), body('a@x'));
      const deleting = await source.transaction(async (manager) => {
        await manager.update(Person, { id }, { teamId: 902 });
        const answer = refusal(people.deleteOne(at(id, { auth })));
        await new Promise((resolve) => setTimeout(resolve, 100));
        return { answer };
      });
      expect(await deleting.answer).toEqual(NOT_FOUND);
      expect(await source.getRepository(Person).existsBy({ id })).toBe(true);
    });
  }

  describe('bodies with relations', () => {
    let id: number;

    beforeEach(async () => {
      const relations = { badge: { color: 'red' }, skills: [{ label: 'sql' }], tasks: [{ what: 'one' }] };
      ({ id } = await people.createOne(requestOf(), body('a@x', { ...relations, name: { first: 'A', last: 'B' } })));
    });

    const relations = { badge: true, skills: true, tasks: true };
    const find = () => source.getRepository(Person).findOneOrFail({ where: { id }, relations });
    const change = (sent: object) => people.updateOne(at(id), sent);

    test('change what is linked already, and link another record as it is', async () => {
      const was = await find();
      const gold = await source.getRepository(Badge).save({ color: 'gold' });
      const js = await source.getRepository(Skill).save({ label: 'js' });
      const [skill, task] = [was.skills[0]!.id, was.tasks[0]!.id];
      await change({ badge: { color: 'blue' }, skills: [{ id: skill, label: 'SQL' }], tasks: [{ what: 'two' }] });
      await change({ tasks: [{ id: task, what: 'ONE', personId: 5 }] });
      const is = await find();
      expect(is).toMatchObject({ badge: { ...was.badge, color: 'blue' }, skills: [{ id: skill, label: 'SQL' }] });
      expect(is.tasks.map(({ what }) => what).sort()).toEqual(['ONE', 'two']);
      await change({ badge: { id: gold.id, color: 'stolen' }, skills: [{ id: js.id, label: 'stolen' }] });
      expect(await find()).toMatchObject({ badge: { color: 'gold' }, skills: [{ label: 'js' }] });
      await change({ skills: [] });
      expect((await find()).skills).toEqual([]);
      expect(await source.getRepository(Skill).count()).toBe(2);
    });

    test.each<[string, new () => ObjectLiteral, object[], code: string, field: string, message?: string]>([
      ['several unique columns', Seat, [{}, { number: 2 }], 'UNIQUE', '1.row', 'already exists together with label'],
      ['a composite key', Seat, [{}, { label: 'b' }], 'UNIQUE', '1.row', 'already exists together with number'],
      ['a foreign key', Person, [{}, { teamId: 98 }], 'FOREIGN_KEY', '1.teamId', 'does not exist'],
      ['a relation', Person, [{ badge: { id: 99 } }], 'FOREIGN_KEY', '0.badge'],
      ['a link', Person, [{}, { skills: [99] }], 'FOREIGN_KEY', '1.skills', 'does not exist'],
      ['a check', Person, [{ age: 200 }], 'CHECK', '0.age'],
      ['a nested record', Person, [{}, { skills: [{ label: 'sql' }] }], 'UNIQUE', '1.skills.label'],
    ])('what the database refuses is named by its path: %s', async (_, entity, parts, code, ...[path, message]) => {
      const service = new TypeOrmCrudService(source.getRepository(entity));
      const seat = { row: 1, number: 1, label: 'a' };
      const bulk = parts.map((part, at) => (entity === Seat ? { ...seat, ...part } : body(`${at}@x`, part)));
      const field = `bulk.${path}`;
      expect(await refusal(service.createMany(requestOf(), { bulk }))).toMatchObject({
        statusCode: code === 'CHECK' ? 400 : 409,
        code: `CRUD_${code}_VIOLATION`,
        field,
        ...(message && { message: [`${field} ${message}`] }),
      });
      expect(await source.getRepository(Person).count()).toBe(1);
    });
  });
});
