/** A condition and what becomes of the records that it matches → exactly those are written, as one by one, or none at all, on each database. */
import { beforeEach, expect, test } from '@jest/globals';
import { IsIn, IsOptional } from 'class-validator';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@orm.Entity('matched_projects')
class Project {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'int' }) tenant!: number;
}

@orm.Entity('matched_tasks')
class Task {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
  @IsOptional() @IsIn(['open', 'taken', 'done']) @orm.Column({ type: 'varchar', length: 20 }) state!: string;
  @orm.Column({ type: 'int', nullable: true }) points!: number | null;
  @orm.Column({ type: 'varchar', length: 20, unique: true }) code!: string;
  @orm.Column({ type: 'varchar', length: 20, default: 'hush', select: false }) secret!: string;
  @orm.Column({ type: 'int', default: 1 }) tenant!: number;
  @orm.Column({ type: 'int', default: 0 }) heard!: number;
  @orm.Column({ type: 'int', nullable: true }) projectId!: number | null;
  @orm.ManyToOne(() => Project, { nullable: true, cascade: ['update'] }) project!: orm.Relation<Project> | null;
  @orm.ManyToMany(() => Project) @orm.JoinTable() watchers!: orm.Relation<Project>[];
  @orm.VersionColumn() version!: number;
  @orm.DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  /** The keys of records that listeners were called for, in this order. */
  static updated: number[] = [];
  @orm.BeforeUpdate() hear(): void {
    this.heard += 1;
    Task.updated.push(this.id);
  }
}

class SmallTasks extends TypeOrmCrudService<Task> {
  override async createBuilder(...parameters: Parameters<TypeOrmCrudService<Task>['createBuilder']>) {
    return (await super.createBuilder(...parameters)).andWhere('Task.points < 5');
  }
}

const byCondition = { updateManyBase: { byCondition: true }, deleteManyBase: { byCondition: true } };
const tasks = resource(Task, 'tasks', {
  query: { softDelete: true, join: { project: {} } },
  routes: {
    updateManyBase: { byCondition: true, maxAffected: 5 },
    deleteManyBase: { byCondition: true, returnDeleted: true },
  },
  auth: { filter: () => ({ tenant: 1 }), relations: { project: () => ({ tenant: 1 }) } },
});

const query = { filter: () => ({ state: 'open' }) };
const rewritten = resource(Task, 'rewritten', { routes: byCondition, query, auth: { or: () => ({ points: 2 }) } });
const small = resource(Task, 'small', { routes: byCondition, service: SmallTasks });
const match = { requireMatch: true };
const strict = resource(Task, 'strict', {
  query: { etag: true, softDelete: true },
  routes: { ...byCondition, recoverManyBase: match, updateOneBase: match, deleteOneBase: match },
});

describeDatabases('writes of all records that a condition matches', (db) => {
  const app = serving(db, [Task, Project], [tasks, rewritten, small, strict]);

  // 1…8 are of tenant 1 (8 deleted), 9 of tenant 2; odd ones are open; projects 1 and 2 are of tenants 1 and 2.
  beforeEach(async () => {
    await empty(app.source);
    const projects = ['ours', 'theirs'].map((name, index) => ({ id: index + 1, name, tenant: index + 1 }));
    await app.source.getRepository(Project).insert(projects);
    for (const id of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const links = { tenant: id === 9 ? 2 : 1, projectId: id > 4 ? 2 : 1, deletedAt: id === 8 ? new Date() : null };
      const task = { id, code: `c${id}`, state: id % 2 ? 'open' : 'done', points: id, ...links };
      await app.source.getRepository(Task).insert(task);
    }
  });

  const rows = async () =>
    (await app.source.getRepository(Task).find({ withDeleted: true, order: { id: 'ASC' } })).map(
      ({ deletedAt, ...row }) => ({ ...row, deleted: deletedAt !== null }),
    );
  const written = async (fields: (row: Awaited<ReturnType<typeof rows>>[number]) => unknown) =>
    (await rows()).map(fields);

  test('PATCH changes what matches and nothing else: scope, deletion, versions and listeners as for one', async () => {
    const before = await rows();
    const { body } = await app.api.patch('/tasks/bulk?filter=points||gte||5', { set: { state: 'open' } }).expect(200);
    expect(body).toEqual({ affected: 3 });
    const changed = { state: 'open', heard: 1, version: 2 };
    expect(await rows()).toEqual(before.map((row) => ({ ...row, ...(row.id === 6 && changed) })));
  });

  test('records are written in the order of their keys, in whatever order the database finds them', async () => {
    // PostgreSQL puts a changed row behind the others.
    for (const id of [5, 2, 1]) await app.source.getRepository(Task).update(id, { points: 0 });
    Task.updated = [];
    await app.api.patch('/tasks/bulk?filter=points||lt||5', { set: { state: 'taken' } }).expect(200, { affected: 5 });
    expect(Task.updated).toEqual([1, 2, 3, 4, 5]);
  });

  test('a condition may be of any form, and reach relations as far as the client sees them', async () => {
    for (const [query, expected] of [
      [`s=${encodeURIComponent('{"$or":[{"code":"c1"},{"points":{"$in":[2,9]}}]}')}`, 2],
      ['filter=project.name||eq||ours', 4],
      ['filter=project.name||eq||theirs', 0],
      ['filter=points||eq||8&includeDeleted=1', 0],
    ] as const)
      await app.api.patch(`/tasks/bulk?${query}`, { set: {} }).expect(200, { affected: expected });
  });

  test('what is set may be null and a link in reach, beside whose key nothing is written', async () => {
    const set = { points: null, project: { id: 1, name: 'renamed' } };
    await app.api.patch('/tasks/bulk?filter=points||in||5,6', { set }).expect(200, { affected: 2 });
    const values = await written(({ id, points, projectId }) => [id, points, projectId].join());
    expect(values).toEqual(['1,1,1', '2,2,1', '3,3,1', '4,4,1', '5,,1', '6,,1', '7,7,2', '8,8,2', '9,9,2']);
    expect(await app.source.getRepository(Project).findOneBy({ id: 1 })).toMatchObject({ name: 'ours' });
  });

  test.each(['', 'filter=', 'filter=id||notnull', `s=${encodeURIComponent('{"$or":[{"points":1},{}]}')}`])(
    'a condition that leaves every record counts as none: "%s"',
    async (query) => {
      const before = await rows();
      const refused = [await app.send('post', `/tasks/bulk/delete?${query}`, {})];
      for (const path of ['tasks', 'rewritten']) {
        refused.push(await app.send('patch', `/${path}/bulk?${query}`, { set: { state: 'done' } }));
        refused.push(await app.send('delete', `/${path}/bulk?${query}`));
      }
      for (const { status, body } of refused) expect([status, body.code]).toEqual([400, 'CRUD_CONDITION_REQUIRED']);
      expect(await rows()).toEqual(before);
    },
  );

  test.each([
    ['a list of links', 'filter=id||eq||1', { set: { watchers: [1] } }, 'CRUD_INVALID_BODY', 'set.watchers'],
    ['a record', 'filter=id||eq||1', { set: { project: { name: 'x' } } }, 'CRUD_INVALID_BODY', 'set.project'],
    ['a value of another type', 'filter=id||eq||1', { set: { points: 'x' } }, 'CRUD_INVALID_VALUE', 'set.points'],
    ['one value for several', 'filter=id||lt||3', { set: { code: 'x' } }, 'CRUD_UNIQUE_VIOLATION', 'set.code'],
    ['a way out of scope', 'filter=id||eq||1', { set: { tenant: 2 } }, 'CRUD_OUT_OF_SCOPE', undefined],
    ['a link out of reach', 'filter=id||eq||1', { set: { project: 2 } }, 'CRUD_OUT_OF_SCOPE', 'set.projectId'],
    ['a hidden field', 'filter=secret||eq||hush', { set: {} }, 'CRUD_UNKNOWN_FIELD', 'secret'],
    ['more than maxAffected', 'filter=points||lte||6', { set: { points: 9 } }, 'CRUD_LIMIT_EXCEEDED', 'filter'],
  ] as const)('%s is refused, and nothing is changed', async (_, query, body, code, field) => {
    const before = await rows();
    const refused = await app.send('patch', `/tasks/bulk?${query}`, body);
    const status = code === 'CRUD_UNIQUE_VIOLATION' ? 409 : 400;
    expect([refused.status, refused.body.code, refused.body.field]).toEqual([status, code, field]);
    expect(await rows()).toEqual(before);
  });

  test('neither a filter function nor @CrudAuth.or widens what the client stated', async () => {
    await app.api.patch('/rewritten/bulk?filter=points||lte||3', { set: { points: 0 } }).expect(200, { affected: 3 });
    expect(await written(({ points }) => points)).toEqual([0, 0, 0, 4, 5, 6, 7, 8, 9]);
    await app.api.delete('/rewritten/bulk?filter=points||gte||6').expect(200, { affected: 2 });
    expect(await written(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 8]);
  });

  test("a service's own way of reading hides records from conditions, too", async () => {
    await app.api.patch('/small/bulk?filter=id||gte||3', { set: { state: 'taken' } }).expect(200, { affected: 2 });
    expect((await rows()).flatMap(({ id, state }) => (state === 'taken' ? [id] : []))).toEqual([3, 4]);
  });

  test('requireMatch asks for the version of each record, which a condition cannot say, also to recover it', async () => {
    const before = await rows();
    const two = (version: number) => ({ bulk: [1, 2].map((id) => ({ id, version })) });
    for (const [method, path, body, status] of [
      ['patch', '?filter=id||eq||1', { set: { points: 0 } }, 428],
      ['patch', '', { bulk: [{ id: 1 }] }, 428],
      ['delete', '', two(7), 409],
      ['patch', '/recover', { bulk: [{ id: 8, version: 7 }] }, 409],
    ] as const)
      expect(await app.send(method, `/strict/bulk${path}`, body)).toMatchObject({ status });
    expect(await rows()).toEqual(before);
    await app.api.delete('/strict/bulk').send(two(1)).expect(200);
    expect((await rows()).flatMap(({ id, deleted }) => (deleted ? [id] : []))).toEqual([1, 2, 8]);
  });

  test('of racing requests each record is taken by one', async () => {
    const take = () => app.send('patch', '/tasks/bulk?filter=state||eq||open', { set: { state: 'taken' } });
    const taken = await Promise.all(Array.from({ length: 6 }, take));
    expect(taken.reduce((sum, { body }) => sum + body.affected, 0)).toBe(4);
    const heard = [1, 0, 1, 0, 1, 0, 1, 0, 0];
    expect(await written((row) => [row.heard, row.version])).toEqual(heard.map((times) => [times, times + 1]));
  });
});
