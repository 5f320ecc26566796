/** Planned bodies with relations → the rows of every table they touch, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { CrudRequest } from '@nestwright/crud';
import { planWrite } from '@nestwright/crud/adapter';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { toCatalog, toTable } from '../../src/typeorm/entity-tables.js';
import { toCrudError } from '../../../sql/src/errors/to-crud-error.js';
import { locate } from '../../../sql/src/statements/locate.js';
import { withRecordStore } from '../../../sql/src/persist/relations.js';
import { inTransaction } from '../../../sql/src/statements/transaction.js';
import type { WriteContext } from '../../../sql/src/statements/write-context.js';
import { getStore } from '../../src/typeorm-store.js';
import { Badge, Ledger, Note, Person, Seat, Skill, Task, Team } from './entities.js';
import { connect, empty } from './statements.js';
import type { Statements } from '../support/statements.js';
import { toExecutor } from '../../src/typeorm/database.js';

describeDatabases('writes of records with their relations', (db) => {
  let source: DataSource;
  let statements: Statements;

  beforeAll(async () => {
    ({ source, statements } = await connect(db));
  });

  afterAll(() => source.destroy());

  beforeEach(async () => {
    await empty(source);
    Note.heard = [];
  });

  const contextOf = (entity: new () => object): WriteContext => ({
    store: getStore(source.getRepository(entity)),
    catalog: toCatalog(source.getMetadata(entity)),
    request: { parsed: {}, options: {} } as CrudRequest,
    notFound: () => {
      throw new Error('no such record');
    },
  });

  async function insert(entity: new () => object, bodies: object[]): Promise<ObjectLiteral[]> {
    const catalog = toCatalog(source.getMetadata(entity));

    try {
      return await inTransaction(toExecutor(source.manager), (runner) =>
        withRecordStore(contextOf(entity), runner, (store) =>
          store.insert(
            bodies.map((body, index) => ({
              plan: planWrite(catalog, body, 'insert'),
              path: bodies.length === 1 ? '' : `bulk.${index}`,
            })),
          ),
        ),
      );
    } catch (error) {
      throw toCrudError(await locate(toExecutor(source.manager), error), toTable(source.getMetadata(entity)));
    }
  }

  async function update(entity: new () => object, key: Record<string, unknown>, body: object): Promise<number> {
    const metadata = source.getMetadata(entity);

    try {
      return await inTransaction(toExecutor(source.manager), (runner) =>
        withRecordStore(contextOf(entity), runner, (store) =>
          store.update({ table: toTable(metadata), key, path: '' }, planWrite(toCatalog(metadata), body, 'update')),
        ),
      );
    } catch (error) {
      throw toCrudError(await locate(toExecutor(source.manager), error), toTable(metadata));
    }
  }

  async function refusal(work: Promise<unknown>): Promise<unknown> {
    return work.then(
      () => 'accepted',
      (error: { getResponse?: () => unknown }) => error.getResponse?.() ?? error,
    );
  }

  const person = (email: string, more: object = {}) => ({ email, teamId: 901, ...more });

  describe('insert', () => {
    test('a bigint key is a text', async () => {
      // SQLite counts none but its own integers.
      if (db.kind === 'sqlite') return;

      const [one, two] = await insert(Ledger, [{ kind: 'a' }, { kind: 'b' }]);
      const stored = await source.getRepository(Ledger).find({ order: { id: 'ASC' } });

      expect([one!['id'], two!['id']]).toEqual(stored.map(({ id }) => id));
    });

    test('keys that are given stay, between others that are counted', async () => {
      const inserted = await insert(Team, [{ title: 'a' }, { id: 1000, title: 'b' }, { title: 'c' }, { title: 'd' }]);
      const stored = new Map((await source.getRepository(Team).find()).map(({ id, title }) => [title, id]));

      expect(inserted.map(({ id, title }) => [title, id])).toEqual(
        ['a', 'b', 'c', 'd'].map((title) => [title, stored.get(title)]),
      );
      expect(stored.get('b')).toBe(1000);
    });

    test('a child with an id cannot belong to a new record', async () => {
      await insert(Person, [person('a@x', { tasks: [{ what: 'one' }] })]);
      const [task] = await source.getRepository(Task).find();

      expect(
        await refusal(insert(Person, [person('b@x', { tasks: [{ id: task!.id, what: 'stolen' }] })])),
      ).toMatchObject({ code: 'CRUD_INVALID_BODY', field: 'tasks.0' });
      expect(await source.getRepository(Task).find()).toEqual([task]);
      expect(await source.getRepository(Person).count()).toBe(1);
    });
  });

  describe('update', () => {
    let id: number;

    beforeEach(async () => {
      const [stored] = await insert(Person, [
        person('a@x', {
          badge: { color: 'red' },
          skills: [{ label: 'sql' }, { label: 'css' }],
          tasks: [{ what: 'one' }],
          name: { first: 'A', last: 'B' },
        }),
      ]);
      id = stored!['id'] as number;
    });

    const find = () =>
      source
        .getRepository(Person)
        .findOneOrFail({ where: { id }, relations: { badge: true, skills: true, tasks: true } });

    test('writes the columns sent alone, and the version', async () => {
      const sql = await statements.of(() =>
        update(Person, { id }, { name: { first: 'C' }, settings: { a: { b: 1 } } }),
      );
      const stored = await find();

      expect(sql).toHaveLength(1);
      expect(sql[0]).toMatch(
        /^UPDATE .people. SET .settings. = \S+, .nameFirst. = \S+, (.version. = .version. \+ 1, .updatedAt. = [^=]+|.updatedAt. = [^=]+, .version. = .version. \+ 1) WHERE \(.id. = \S+\) AND \(.*.settings.\W.* OR .*.nameFirst.\W.*\)$/,
      );
      expect(stored).toMatchObject({
        name: { first: 'C', last: 'B' },
        settings: { a: { b: 1 } },
        version: 2,
        email: 'a@x',
      });
      expect(stored.updatedAt.getTime()).toBeGreaterThanOrEqual(stored.createdAt.getTime());
    });

    test('a cascaded one-to-one without an id updates the linked record', async () => {
      const { badge } = await find();
      await update(Person, { id }, { badge: { color: 'blue' } });

      expect((await find()).badge).toEqual({ ...badge, color: 'blue' });
      expect(await source.getRepository(Badge).count()).toBe(1);
    });

    test("another's is only linked, its properties ignored", async () => {
      const [other] = await insert(Badge, [{ color: 'gold' }]);
      await update(Person, { id }, { badge: { id: other!['id'], color: 'stolen' } });

      expect((await find()).badge).toEqual({ id: other!['id'], color: 'gold' });
    });

    test('a many-to-many list replaces the links and only them', async () => {
      const [sql] = await source.getRepository(Skill).findBy({ label: 'sql' });
      await update(Person, { id }, { skills: [{ id: sql!.id, label: 'SQL' }, { label: 'html' }] });

      expect((await find()).skills.map(({ label }) => label).sort()).toEqual(['SQL', 'html']);
      expect(await source.getRepository(Skill).count()).toBe(3);
      await update(Person, { id }, { skills: [] });
      expect((await find()).skills).toEqual([]);
      expect(await source.getRepository(Skill).count()).toBe(3);
    });

    test('a many-to-many record that is not linked yet is only linked', async () => {
      const [css] = await insert(Skill, [{ label: 'js' }]);
      await update(Person, { id }, { skills: [{ id: css!['id'], label: 'hacked' }] });

      expect((await find()).skills.map(({ label }) => label)).toEqual(['js']);
    });

    test('children are inserted and updated, none is unlinked', async () => {
      const [one] = (await find()).tasks;
      await update(Person, { id }, { tasks: [{ what: 'two' }] });
      await update(Person, { id }, { tasks: [{ id: one!.id, what: 'ONE', personId: 5 }] });

      expect((await find()).tasks.map(({ what }) => what).sort()).toEqual(['ONE', 'two']);
    });

    test('listeners see the whole record, and what they change is written', async () => {
      const [note] = await insert(Note, [{ text: 'One', owner: 'me' }]);
      await update(Note, { id: note!['id'] }, { text: 'Two' });

      expect(Note.heard).toEqual(['insert One', 'update Two of me']);
      expect(await source.getRepository(Note).findOneBy({ id: note!['id'] as number })).toMatchObject({
        text: 'Two',
        slug: 'two',
        owner: 'me',
        version: 2,
      });
    });
  });

  describe('errors', () => {
    test('unique over several columns', async () => {
      await insert(Seat, [{ row: 1, number: 1, label: 'a' }]);

      expect(await refusal(insert(Seat, [{ row: 1, number: 2, label: 'a' }]))).toMatchObject({
        field: 'row',
        message: ['row already exists together with label'],
      });
      expect(await refusal(insert(Seat, [{ row: 1, number: 1, label: 'b' }]))).toMatchObject({
        field: 'row',
        message: ['row already exists together with number'],
      });
    });

    test('a foreign key without its record', async () => {
      expect(await refusal(insert(Person, [person('a@x', { teamId: 99 })]))).toEqual({
        statusCode: 409,
        error: 'Conflict',
        code: 'CRUD_FOREIGN_KEY_VIOLATION',
        field: 'teamId',
        message: ['teamId does not exist'],
      });
      expect(await refusal(insert(Person, [person('a@x'), person('b@x', { teamId: 98 })]))).toMatchObject({
        field: 'bulk.1.teamId',
      });
      expect(await refusal(insert(Person, [person('a@x', { badge: { id: 99 } })]))).toMatchObject({
        code: 'CRUD_FOREIGN_KEY_VIOLATION',
        field: 'badge',
      });
    });

    test('a check', async () => {
      expect(await refusal(insert(Person, [person('a@x', { age: 200 })]))).toMatchObject({
        statusCode: 400,
        code: 'CRUD_CHECK_VIOLATION',
        field: 'age',
      });
    });

    test('a nested record is named by its path', async () => {
      await insert(Skill, [{ label: 'sql' }]);

      expect(await refusal(insert(Person, [person('a@x', { skills: [{ label: 'sql' }] })]))).toMatchObject({
        code: 'CRUD_UNIQUE_VIOLATION',
        field: 'skills.label',
      });
    });

    test('not null', async () => {
      expect(
        await refusal(
          inTransaction(toExecutor(source.manager), (runner) =>
            withRecordStore(contextOf(Team), runner, (store) =>
              store.insert([{ plan: planWrite(toCatalog(source.getMetadata(Team)), {}, 'insert'), path: '' }]),
            ),
          ).catch(async (error: unknown) => {
            throw toCrudError(await locate(toExecutor(source.manager), error));
          }),
        ),
      ).toMatchObject({ statusCode: 400, code: 'CRUD_NOT_NULL_VIOLATION', field: 'title' });
    });
  });
});
