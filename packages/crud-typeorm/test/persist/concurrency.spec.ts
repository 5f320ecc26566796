/** Many writes of the same records at once → all succeed, and what is stored is what one of them meant, on each database. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SCondition } from '@nestwright/crud-request';
import type { DataSource } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Person, Team } from './entities.js';
import { connect, empty } from './statements.js';
import { requestOf } from '../support/requests.js';

const requestAt = (path: Record<string, unknown> = {}, auth?: object) => requestOf({ path, auth });

describeDatabases('writes at the same time', (db) => {
  let source: DataSource;
  let people: TypeOrmCrudService<Person>;

  beforeAll(async () => {
    ({ source } = await connect(db, { poolSize: 20 }));
    people = new TypeOrmCrudService(source.getRepository(Person));
  });

  afterAll(() => source.destroy());
  beforeEach(() => empty(source));

  const body = (email: string, more: object = {}) => ({ email, teamId: 901, ...more }) as Partial<Person>;

  test('bulks get their own keys, in their own order', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, bulk) =>
        people.createMany(requestAt(), { bulk: Array.from({ length: 20 }, (_, item) => body(`${bulk}-${item}@x`)) }),
      ),
    );
    const stored = new Map((await source.getRepository(Person).find()).map(({ id, email }) => [id, email]));

    expect(stored.size).toBe(800);
    answers.forEach((answer, bulk) =>
      answer.forEach(({ id, email }, item) => {
        expect(email).toBe(`${bulk}-${item}@x`);
        expect(stored.get(id)).toBe(email);
      }),
    );
  });

  test('a record that leaves the scope while a delete waits for it stays', async () => {
    if (db.kind === 'sqlite') return;

    for (const auth of [{ teamId: 901 }, { 'team.title': 'red' }] as SCondition[]) {
      const { id } = await people.createOne(requestAt(), body(`${JSON.stringify(auth)}@x`));
      const other = source.createQueryRunner();
      await other.startTransaction();
      await other.manager.update(Person, { id }, { teamId: 902 });
      const deleting = people.deleteOne(requestAt({ id }, auth)).then(
        () => 'deleted',
        (error: { status?: number }) => error.status,
      );
      await new Promise((resolve) => setTimeout(resolve, 100));
      await other.commitTransaction();
      await other.release();

      expect(await deleting).toBe(404);
      expect(await source.getRepository(Person).existsBy({ id })).toBe(true);
    }
  });

  test('the count of records stays right while all verbs run', async () => {
    const teams = new TypeOrmCrudService(source.getRepository(Team));
    const made = await Promise.all(
      Array.from({ length: 30 }, (_, index) => people.createOne(requestAt(), body(`${index}@x`))),
    );
    await Promise.all(
      made.flatMap(({ id }, index) => [
        index % 3 === 0 ? people.deleteOne(requestAt({ id })) : people.updateOne(requestAt({ id }), { age: index }),
        teams.updateOne(requestAt({ id: 902 }), { title: `t${index}` }),
        people.createMany(requestAt(), { bulk: [body(`${index}-a@x`), body(`${index}-b@x`)] }),
      ]),
    );

    expect(await source.getRepository(Person).count()).toBe(80);
  });
});
