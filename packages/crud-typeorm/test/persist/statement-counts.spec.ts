/** The verbs, one at a time and two hundred at once → how many statements each takes, and that all succeed, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Person, Skill } from './entities.js';
import { connect, empty, withoutKeysAsked } from './statements.js';
import type { Statements } from '../support/statements.js';
import { requestOf as requestBy } from '../support/requests.js';

const requestOf = ({ id, join = [], page }: { id?: number; join?: string[]; page?: number } = {}) =>
  requestBy({
    path: id === undefined ? {} : { id },
    join,
    parsed: page === undefined ? {} : { page, limit: 2 },
    options: { query: { join: { team: {}, badge: {}, skills: {}, tasks: {} } } },
  });

describeDatabases('statements of the verbs', (db) => {
  let source: DataSource;
  let statements: Statements;
  let people: TypeOrmCrudService<Person>;
  let skills: TypeOrmCrudService<Skill>;

  beforeAll(async () => {
    ({ source, statements } = await connect(db, { poolSize: 20 }));
    people = new TypeOrmCrudService(source.getRepository(Person));
    skills = new TypeOrmCrudService(source.getRepository(Skill));
  });

  afterAll(() => source.destroy());
  beforeEach(() => empty(source));

  const body = (email: string) => ({ email, teamId: 901 }) as Partial<Person>;
  const count = async (work: () => Promise<unknown>) => withoutKeysAsked(await statements.of(work)).length;

  test('a list takes one, one more for each to-many join, and one for its total', async () => {
    for (const email of ['a', 'b', 'c']) {
      const { id } = await people.createOne(requestOf(), {
        ...body(email),
        tasks: [{ what: 'x' }, { what: 'y' }],
        skills: [{ label: `${email}1` }, { label: `${email}2` }],
      } as unknown as Person);
      expect(id).toBeGreaterThan(0);
    }

    expect(await count(() => people.getMany(requestOf()))).toBe(1);
    expect(await count(() => people.getMany(requestOf({ join: ['team', 'badge'] })))).toBe(1);
    expect(await count(() => people.getMany(requestOf({ join: ['team', 'skills', 'tasks'] })))).toBe(3);
    expect(await count(() => people.getMany(requestOf({ page: 1 })))).toBe(2);
    expect(await count(() => people.getMany(requestOf({ page: 1, join: ['team', 'skills', 'tasks'] })))).toBe(4);
  });

  test('one record takes one, a write at most two', async () => {
    let id = 0;
    const made = await count(async () => ({ id } = await people.createOne(requestOf(), body('a'))));

    expect(made).toBeLessThanOrEqual(2);
    expect(await count(() => people.getOne(requestOf({ id })))).toBe(1);
    expect(await count(() => people.getOne(requestOf({ id, join: ['team', 'badge'] })))).toBe(1);
    expect(await count(() => people.updateOne(requestOf({ id }), { age: 5 }))).toBeLessThanOrEqual(2);
    expect(await count(() => people.deleteOne(requestOf({ id })))).toBe(1);
  });

  test('a bulk takes one insert for a thousand rows', async () => {
    const bulk = Array.from({ length: 2500 }, (_, index) => ({ label: `skill ${index}` }));
    const all = await statements.of(() => skills.createMany(requestOf(), { bulk }));

    expect(all.filter((sql) => sql.startsWith('INSERT'))).toHaveLength(3);
    expect(withoutKeysAsked(all).length).toBeLessThanOrEqual(6);
    expect(await source.getRepository(Skill).count()).toBe(2500);
  });

  test('two hundred inserts, bulks and updates at once all succeed', async () => {
    const { id } = await people.createOne(requestOf(), body('first'));
    await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        Promise.all([
          people.createOne(requestOf(), body(`one-${index}`)),
          people.createMany(requestOf(), { bulk: [body(`bulk-${index}-a`), body(`bulk-${index}-b`)] }),
          people.updateOne(requestOf({ id }), { name: { first: `${index}`, last: null } }),
        ]),
      ),
    );

    expect(await source.getRepository(Person).count()).toBe(601);
    expect(await source.getRepository(Person).findOneByOrFail({ id })).toMatchObject({ version: 201 });
  });
});
