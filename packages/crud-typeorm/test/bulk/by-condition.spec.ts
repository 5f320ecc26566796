/** A condition and what becomes of the records that it matches → exactly those are written, as one by one, or none at all, on each database. */
import { beforeEach, expect, test } from '@jest/globals';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { CrudRequestOptions } from '@nestwright/crud';
import type { ParsedRequestParams } from '@nestwright/crud-request';
import { IsIn, IsOptional } from 'class-validator';
import {
  BeforeUpdate,
  Column,
  DeleteDateColumn,
  Entity,
  ManyToMany,
  JoinTable,
  ManyToOne,
  PrimaryColumn,
  type Relation,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('matched_projects')
class Project {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'int' }) tenant!: number;
}

@Entity('matched_tasks')
class Task {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @IsOptional() @IsIn(['open', 'taken', 'done']) @Column({ type: 'varchar', length: 20 }) state!: string;
  @Column({ type: 'int', nullable: true }) points!: number | null;
  @Column({ type: 'varchar', length: 20, unique: true }) code!: string;
  @Column({ type: 'varchar', length: 20, default: 'hush', select: false }) secret!: string;
  @Column({ type: 'int', default: 1 }) tenant!: number;
  @Column({ type: 'int', default: 0 }) heard!: number;
  @Column({ type: 'int', nullable: true }) projectId!: number | null;
  @ManyToOne(() => Project, { nullable: true, cascade: ['update'] }) project!: Relation<Project> | null;
  @ManyToMany(() => Project) @JoinTable() watchers!: Relation<Project>[];
  @VersionColumn() version!: number;
  @DeleteDateColumn({ nullable: true }) deletedAt!: Date | null;
  /** The keys of records that listeners were called for, in this order. */
  static updated: number[] = [];
  @BeforeUpdate() hear(): void {
    this.heard += 1;
    Task.updated.push(this.id);
  }
}

/** Shows no tasks of five points or more. */
class SmallTasks extends TypeOrmCrudService<Task> {
  override async createBuilder(
    parsed: ParsedRequestParams,
    options: CrudRequestOptions,
    many?: boolean,
    deleted?: boolean,
  ) {
    const builder = await super.createBuilder(parsed, options, many, deleted);

    return builder.andWhere('Task.points < 5');
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

const rewritten = resource(Task, 'rewritten', {
  routes: byCondition,
  query: { filter: () => ({ state: 'open' }) },
  auth: { or: () => ({ points: 2 }) },
});

const small = resource(Task, 'small', { routes: byCondition, service: SmallTasks });

const match = { requireMatch: true };
const strict = resource(Task, 'strict', {
  query: { etag: true },
  routes: { ...byCondition, updateOneBase: match, deleteOneBase: match },
});
const versioned = resource(Task, 'versioned', {
  query: { etag: true, softDelete: true },
  routes: { updateManyBase: match, replaceManyBase: match, deleteManyBase: match, recoverManyBase: match },
});

interface Schema {
  readonly $ref: string;
  readonly required?: readonly string[];
  readonly properties: { readonly bulk: { readonly items: Schema } };
}

interface Refusal {
  readonly code: string;
  readonly field?: string;
  readonly message: unknown;
}

describeDatabases('writes of all records that a condition matches', (db) => {
  const app = serving(db, [Task, Project], [tasks, rewritten, small, strict, versioned]);

  // 1…8 are of tenant 1 (8 deleted), 9 of tenant 2; odd ones are open; projects 1 and 2 are of tenants 1 and 2.
  beforeEach(async () => {
    await app.source.getRepository(Task).createQueryBuilder().delete().execute();
    await app.source.getRepository(Project).createQueryBuilder().delete().execute();
    await app.source.getRepository(Project).insert([
      { id: 1, name: 'ours', tenant: 1 },
      { id: 2, name: 'theirs', tenant: 2 },
    ]);
    await app.source.getRepository(Task).insert(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => ({
        id,
        code: `c${id}`,
        state: id % 2 ? 'open' : 'done',
        points: id,
        tenant: id === 9 ? 2 : 1,
        projectId: id > 4 ? 2 : 1,
        ...(id === 8 && { deletedAt: new Date() }),
      })),
    );
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
    expect(await rows()).toEqual(
      before.map((row) => (row.id === 6 ? { ...row, state: 'open', heard: 1, version: 2 } : row)),
    );
  });

  test('records are written in the order of their keys, in whatever order the database finds them', async () => {
    // PostgreSQL puts a changed row behind the others.
    for (const id of [5, 2, 1]) await app.source.getRepository(Task).update(id, { points: 0 });
    Task.updated = [];
    await app.api.patch('/tasks/bulk?filter=points||lt||5', { set: { state: 'taken' } }).expect(200, { affected: 5 });

    expect(Task.updated).toEqual([1, 2, 3, 4, 5]);
  });

  test('a condition may be of any form, and reach relations as far as the client sees them', async () => {
    const affected = async (query: string) =>
      ((await app.api.patch(`/tasks/bulk?${query}`, { set: {} }).expect(200)).body as { affected: number }).affected;

    expect(await affected('filter=points||lt||3&or=code||eq||c5')).toBe(3);
    expect(await affected(`s=${encodeURIComponent('{"$or":[{"code":"c1"},{"points":{"$in":[2,9]}}]}')}`)).toBe(2);
    expect(await affected('filter=project.name||eq||ours')).toBe(4);
    expect(await affected('filter=project.name||eq||theirs')).toBe(0);
    expect(await affected('filter=points||in||1,2&includeDeleted=1')).toBe(2);
    expect(await affected('filter=points||eq||8&includeDeleted=1')).toBe(0);
  });

  test('what is set may be null and a link in reach, beside whose key nothing is written', async () => {
    await app.api
      .patch('/tasks/bulk?filter=points||in||5,6', { set: { points: null, project: { id: 1, name: 'renamed' } } })
      .expect(200, { affected: 2 });
    const values = await written(({ id, points, projectId }) => [id, points, projectId].join());
    expect(values).toEqual(['1,1,1', '2,2,1', '3,3,1', '4,4,1', '5,,1', '6,,1', '7,7,2', '8,8,2', '9,9,2']);
    expect(await app.source.getRepository(Project).findOneBy({ id: 1 })).toMatchObject({ name: 'ours' });
  });

  test('a link that the client cannot see stays through null, in bulk and by condition', async () => {
    await app.api.patch('/tasks/bulk', { bulk: [7, 1].map((id) => ({ id, project: null })) }).expect(200);
    await app.api.patch('/tasks/bulk?filter=points||in||2,6', { set: { project: null } }).expect(200, { affected: 2 });

    expect(await written(({ projectId }) => projectId)).toEqual([null, null, 1, 1, 2, 2, 2, 2, 2]);
  });

  test.each([
    ['DELETE', (path: string) => app.api.delete(path)],
    ['POST', (path: string) => app.api.post(path.replace('/bulk', '/bulk/delete'), {})],
  ])('%s deletes what matches, softly where single records are', async (_, send) => {
    await send('/tasks/bulk?filter=points||lte||3').expect(200, { affected: 3 });
    expect((await rows()).flatMap(({ id, deleted }) => (deleted ? [id] : []))).toEqual([1, 2, 3, 8]);
    await send('/rewritten/bulk?filter=points||eq||5').expect(200);
    expect(await written(({ id }) => id)).toEqual([1, 2, 3, 4, 6, 7, 8, 9]);
  });

  const everything = [
    '',
    'filter=',
    'filter=id||notnull',
    `s=${encodeURIComponent('{"id":{"$notin":[]}}')}`,
    `s=${encodeURIComponent('{"$or":[{"points":1},{}]}')}`,
    `s=${encodeURIComponent('{"code":{"$cont":""}}')}`,
  ];

  test.each(everything)('a condition that leaves every record counts as none: "%s"', async (query) => {
    const before = await rows();
    const refused = [
      await app.api.patch(`/tasks/bulk?${query}`, { set: { state: 'done' } }),
      await app.api.delete(`/tasks/bulk?${query}`),
      await app.api.post(`/tasks/bulk/delete?${query}`, {}),
      await app.api.patch(`/rewritten/bulk?${query}`, { set: { state: 'done' } }),
      await app.api.delete(`/rewritten/bulk?${query}`),
    ];

    for (const { status, body } of refused)
      expect([status, (body as Refusal).code]).toEqual([400, 'CRUD_CONDITION_REQUIRED']);
    expect(await rows()).toEqual(before);
  });

  test.each([
    ['bulk beside a condition', 'filter=id||eq||1', { bulk: [{ id: 1 }] }, 'CRUD_INVALID_BODY', 'bulk'],
    ['bulk beside set', '', { bulk: [{ id: 1 }], set: { points: 1 } }, 'CRUD_INVALID_BODY', 'set'],
    ['nothing to set', 'filter=id||eq||1', {}, 'CRUD_EMPTY_BODY', 'set'],
    ['a list to set', 'filter=id||eq||1', { set: [] }, 'CRUD_INVALID_BODY', 'set'],
    ['a key', 'filter=id||eq||1', { set: { id: 7 } }, 'CRUD_INVALID_BODY', 'set.id'],
    ['a version', 'filter=id||eq||1', { set: { version: 1 } }, 'CRUD_INVALID_BODY', 'set.version'],
    ['a list of links', 'filter=id||eq||1', { set: { watchers: [1] } }, 'CRUD_INVALID_BODY', 'set.watchers'],
    ['a record', 'filter=id||eq||1', { set: { project: { name: 'x' } } }, 'CRUD_INVALID_BODY', 'set.project'],
    ['a value that breaks a rule', 'filter=id||eq||1', { set: { state: 'x' } }, 'CRUD_INVALID_BODY', 'set.state'],
    ['a value of another type', 'filter=id||eq||1', { set: { points: 'x' } }, 'CRUD_INVALID_VALUE', 'set.points'],
    ['one value for several', 'filter=id||lt||3', { set: { code: 'x' } }, 'CRUD_UNIQUE_VIOLATION', 'set.code'],
    ['a way out of scope', 'filter=id||eq||1', { set: { tenant: 2 } }, 'CRUD_OUT_OF_SCOPE', undefined],
    ['a link out of reach', 'filter=id||eq||1', { set: { project: 2 } }, 'CRUD_OUT_OF_SCOPE', 'set.projectId'],
    ['a hidden field', 'filter=secret||eq||hush', { set: {} }, 'CRUD_UNKNOWN_FIELD', 'secret'],
    ['more than maxAffected', 'filter=points||lte||6', { set: { points: 9 } }, 'CRUD_LIMIT_EXCEEDED', 'filter'],
    ['an order', 'filter=id||lt||3&sort=id,ASC', { set: { points: 9 } }, 'CRUD_INVALID_PAGINATION', 'sort'],
    ['a limit', 'filter=id||lt||3&limit=1', { set: { points: 9 } }, 'CRUD_INVALID_PAGINATION', 'limit'],
  ] as const)('%s is refused, and nothing is changed', async (_, query, body, code, field) => {
    const before = await rows();
    const response = await app.api.patch(`/tasks/bulk?${query}`, body);
    const refusal = response.body as Refusal;

    const status = code === 'CRUD_UNIQUE_VIOLATION' ? 409 : 400;
    expect([response.status, refusal.code, refusal.field]).toEqual([status, code, field]);
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

  test('requireMatch asks for the version of each record, which a condition cannot say', async () => {
    const before = await rows();
    const refused = [
      await app.api.patch('/strict/bulk?filter=id||eq||1', { set: { points: 0 } }),
      await app.api.delete('/strict/bulk?filter=id||eq||1'),
      await app.api.patch('/strict/bulk', { bulk: [{ id: 1, version: 1 }, { id: 2 }] }),
      await app.api.delete('/strict/bulk').send({ bulk: [{ id: 1 }] }),
    ];

    for (const { status, body } of refused)
      expect([status, (body as Refusal).code]).toEqual([428, 'CRUD_PRECONDITION_REQUIRED']);
    expect((refused[2]!.body as Refusal).field).toBe('bulk.1.version');

    const two = (version: number) => ({ bulk: [1, 2].map((id) => ({ id, version })) });
    const stale = await app.api.delete('/strict/bulk').send(two(7));
    expect([stale.status, (stale.body as Refusal).code]).toEqual([409, 'CRUD_STALE_VERSION']);
    expect(await rows()).toEqual(before);

    await app.api.patch('/strict/bulk', two(1)).expect(200);
    await app.api.delete('/strict/bulk').send(two(1)).expect(200);
    expect(await written(({ id }) => id)).toEqual([3, 4, 5, 6, 7, 8, 9]);
  });

  test.each([
    ['patch', '/versioned/bulk'],
    ['put', '/versioned/bulk'],
    ['delete', '/versioned/bulk'],
    ['patch', '/versioned/bulk/recover'],
  ] as const)('OpenAPI says that %s %s requires keys and versions', (method, path) => {
    const { paths, components } = SwaggerModule.createDocument(app.app, new DocumentBuilder().build());
    const { content } = paths[path]![method]!.requestBody as { content: Record<string, { schema: Schema }> };
    const schemaAt = ({ $ref }: Schema) => components!.schemas![$ref.split('/').at(-1)!] as unknown as Schema;
    const { required } = schemaAt(schemaAt(content['application/json']!.schema).properties.bulk.items);

    expect(required).toEqual(expect.arrayContaining(['id', 'version']));
  });

  test('racing bulks over the same records, in whatever order, are all written', async () => {
    const racers = [0, 1, 2, 3, 4].map((racer) => {
      const keys = racer % 2 ? [1, 2, 3] : [3, 2, 1];

      return app.api.patch('/tasks/bulk', { bulk: keys.map((id) => ({ id, points: racer })) });
    });
    racers.push(app.api.patch('/tasks/bulk?filter=code||in||c3,c2,c1', { set: { points: 9 } }));

    expect((await Promise.all(racers)).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    const [one, two, three] = await rows();
    expect([two!.points, three!.points, two!.version, three!.version]).toEqual([one!.points, one!.points, 7, 7]);
  });

  test('of racing requests each record is taken by one', async () => {
    const take = () => app.api.patch('/tasks/bulk?filter=state||eq||open', { set: { state: 'taken' } }).expect(200);
    const taken = await Promise.all(Array.from({ length: 6 }, take));

    expect(taken.reduce((sum, { body }) => sum + (body as { affected: number }).affected, 0)).toBe(4);
    expect(await written(({ heard, version }) => [heard, version])).toEqual(
      [1, 0, 1, 0, 1, 0, 1, 0, 0].map((heard) => [heard, heard + 1]),
    );
  });
});
