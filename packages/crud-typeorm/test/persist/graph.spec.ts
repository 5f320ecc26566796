/** Bodies with relations → the rows of every table they touch, on each database. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { DataSource, ObjectLiteral } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { Badge, Ledger, Note, Person, Seat, Skill, Task } from './entities.js';
import { connect, empty } from './statements.js';
import type { Statements } from '../support/statements.js';
import { refusal, requestOf } from '../support/requests.js';

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

  type Class = new () => ObjectLiteral;
  const serviceOf = (entity: Class) => new TypeOrmCrudService(source.getRepository(entity));
  const insert = (entity: Class, ...bulk: object[]): Promise<ObjectLiteral[]> =>
    serviceOf(entity).createMany(requestOf(), { bulk });
  const update = (entity: Class, id: number, body: object) =>
    serviceOf(entity).updateOne(requestOf({ path: { id } }), body);
  const person = (email: string, more: object = {}) => ({ email, teamId: 901, ...more });

  describe('insert', () => {
    test('a bigint key is a text', async () => {
      // SQLite counts none but its own integers.
      if (db.kind === 'sqlite') return;

      const ids = (await insert(Ledger, { kind: 'a' }, { kind: 'b' })).map(({ id }) => id as unknown);
      expect(ids).toEqual((await source.getRepository(Ledger).find({ order: { id: 'ASC' } })).map(({ id }) => id));
    });

    test('a child with an id cannot belong to a new record', async () => {
      await insert(Person, person('a@x', { tasks: [{ what: 'one' }] }));
      const [task] = await source.getRepository(Task).find();

      expect(await refusal(insert(Person, person('b@x', { tasks: [{ id: task!.id, what: 'stolen' }] })))).toMatchObject(
        { code: 'CRUD_INVALID_BODY', field: 'bulk.0.tasks.0' },
      );
      expect(await source.getRepository(Task).find()).toEqual([task]);
      expect(await source.getRepository(Person).count()).toBe(1);
    });
  });

  describe('update', () => {
    let id: number;

    beforeEach(async () => {
      const relations = {
        badge: { color: 'red' },
        skills: [{ label: 'sql' }, { label: 'css' }],
        tasks: [{ what: 'one' }],
      };
      const [stored] = await insert(Person, person('a@x', { ...relations, name: { first: 'A', last: 'B' } }));
      id = stored!['id'] as number;
    });

    const find = () =>
      source
        .getRepository(Person)
        .findOneOrFail({ where: { id }, relations: { badge: true, skills: true, tasks: true } });
    const labels = async () => (await find()).skills.map(({ label }) => label).sort();

    test('writes the columns sent alone, and the version', async () => {
      const [sql] = await statements.of(() => update(Person, id, { name: { first: 'C' }, settings: { a: { b: 1 } } }));

      expect(sql!.replace(/ RETURNING .*/, '')).toMatch(
        /^UPDATE .people. SET .settings. = \S+, .nameFirst. = \S+, (.version. = .version. \+ 1, .updatedAt. = [^=]+|.updatedAt. = [^=]+, .version. = .version. \+ 1) WHERE \(+[^ ]*.id. = \S+\)+ AND \(.*.settings.\W.* OR .*.nameFirst.\W.*\)$/,
      );
      const stored = await find();
      expect(stored).toMatchObject({ name: { first: 'C', last: 'B' }, settings: { a: { b: 1 } }, version: 2 });
      expect(stored.updatedAt.getTime()).toBeGreaterThanOrEqual(stored.createdAt.getTime());
    });

    test('a one-to-one record without an id is the linked one; another one is only linked', async () => {
      const { badge } = await find();
      await update(Person, id, { badge: { color: 'blue' } });
      expect((await find()).badge).toEqual({ ...badge, color: 'blue' });
      expect(await source.getRepository(Badge).count()).toBe(1);

      const [other] = await insert(Badge, { color: 'gold' });
      await update(Person, id, { badge: { id: other!['id'], color: 'stolen' } });
      expect((await find()).badge).toEqual({ id: other!['id'], color: 'gold' });
    });

    test('a many-to-many list replaces the links and only them, and changes what is linked already', async () => {
      const [sql] = await source.getRepository(Skill).findBy({ label: 'sql' });
      await update(Person, id, { skills: [{ id: sql!.id, label: 'SQL' }, { label: 'html' }] });
      expect(await labels()).toEqual(['SQL', 'html']);

      const [js] = await insert(Skill, { label: 'js' });
      await update(Person, id, { skills: [{ id: js!['id'], label: 'hacked' }] });
      expect(await labels()).toEqual(['js']);

      await update(Person, id, { skills: [] });
      expect(await labels()).toEqual([]);
      expect(await source.getRepository(Skill).count()).toBe(4);
    });

    test('children are inserted and updated, none is unlinked', async () => {
      const [one] = (await find()).tasks;
      await update(Person, id, { tasks: [{ what: 'two' }] });
      await update(Person, id, { tasks: [{ id: one!.id, what: 'ONE', personId: 5 }] });

      expect((await find()).tasks.map(({ what }) => what).sort()).toEqual(['ONE', 'two']);
    });

    test('listeners see the whole record, and what they change is written', async () => {
      const [note] = await insert(Note, { text: 'One', owner: 'me' });
      const changed = await update(Note, note!['id'] as number, { text: 'Two' });

      expect(Note.heard).toEqual(['insert One', 'update Two of me']);
      expect(changed).toMatchObject({ text: 'Two', slug: 'two', owner: 'me', version: 2 });
    });
  });

  test.each<[string, Class, object[], object]>([
    [
      'several unique columns',
      Seat,
      [
        { row: 1, number: 1, label: 'a' },
        { row: 1, number: 2, label: 'a' },
      ],
      { field: 'bulk.1.row', message: ['bulk.1.row already exists together with label'] },
    ],
    [
      'a key of several columns',
      Seat,
      [
        { row: 1, number: 1, label: 'a' },
        { row: 1, number: 1, label: 'b' },
      ],
      { field: 'bulk.1.row', message: ['bulk.1.row already exists together with number'] },
    ],
    [
      'a foreign key',
      Person,
      [person('a@x'), person('b@x', { teamId: 98 })],
      { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'bulk.1.teamId', message: ['bulk.1.teamId does not exist'] },
    ],
    [
      'a relation',
      Person,
      [person('a@x', { badge: { id: 99 } })],
      { code: 'CRUD_FOREIGN_KEY_VIOLATION', field: 'bulk.0.badge' },
    ],
    [
      'a check',
      Person,
      [person('a@x', { age: 200 })],
      { statusCode: 400, code: 'CRUD_CHECK_VIOLATION', field: 'bulk.0.age' },
    ],
    [
      'a nested record',
      Person,
      [person('a@x', { skills: [{ label: 'sql' }] }), person('b@x', { skills: [{ label: 'sql' }] })],
      { code: 'CRUD_UNIQUE_VIOLATION', field: 'bulk.1.skills.label' },
    ],
  ])('what the database refuses is named by its path: %s', async (_, entity, bulk, expected) => {
    expect(await refusal(insert(entity, ...bulk))).toMatchObject(expected);
  });
});
