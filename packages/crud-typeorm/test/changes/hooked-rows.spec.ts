/** Rows as hooks are given them, and what hooks may change of them: calls of services, on SQLite. */
import { beforeEach, expect, test } from '@jest/globals';
import * as orm from 'typeorm';
import { connecting, empty } from '../support/connecting.js';
import { requestOf } from '../support/requests.js';
import { Statements } from '../support/statements.js';
import { NotesService } from './application.js';

@orm.Entity('hooked_covers')
class Cover {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, default: 'none' }) owner!: string;
}

@orm.Entity('hooked_pages')
class Page {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20 }) title!: string;
  @orm.Column({ type: 'varchar', length: 20, default: 'none' }) owner!: string;
  @orm.Column({ type: 'int', default: 1 }) siteId!: number;
  @orm.TreeParent() parent!: orm.Relation<Page> | null;
  @orm.TreeChildren({ cascade: ['insert', 'update'] }) children!: orm.Relation<Page>[];
  @orm.ManyToOne(() => Cover, { lazy: true, cascade: ['insert'] }) cover!: Promise<Cover | null>;
}

const log = new Statements();
const sqlite = { connection: { type: 'sqljs' } } as const;
const source = connecting(sqlite, [Cover, Page], { logger: log, logging: true });
const stored = source.getRepository(Page);
/** Its hooks do what a test says. */
const service = new NotesService(stored as never);
beforeEach(async () => {
  await empty(source);
  service.reset();
});

const request = (path: object = {}) =>
  requestOf({ path: { siteId: 1, ...path }, parsed: { authPersist: { owner: 'ada' } } });
const texts = async () =>
  (await stored.find({ order: { id: 'ASC' } })).map(({ title, owner, siteId }) => `${title} ${owner} ${siteId}`);
const body = (values: object) => values as never;

test('hooks change neither what path and persist say of a record, nor what persist says of its children', async () => {
  service.onBefore = ({ record }) => void Object.assign(record, { owner: 'eve', siteId: 9 });
  const { id } = await service.createOne(request(), body({ title: 'a', children: [{ title: 'b' }], cover: {} }));
  expect(await texts()).toEqual(['a ada 1', 'b ada 1']);
  // Another entity's field of that name is another field.
  expect(await source.getRepository(Cover).find()).toMatchObject([{ owner: 'eve' }]);
  const children = [{ id: (await stored.findOneByOrFail({ title: 'b' })).id, title: 'B' }];
  await service.updateOne(request({ id }), body({ title: 'A', children }));
  expect(await texts()).toEqual(['A ada 1', 'B ada 9']);
  service.onBefore = ({ record }) => void Object.assign(record, { owner: 'eve', siteId: 7 });
  const more = await stored.save(Array.from({ length: 10 }, () => ({ title: 'c', owner: 'ada' })));
  const bulk = [...more, { id, children: [{ ...children[0], title: 'BB' }] }].map((one) => ({ ...one, title: 'AA' }));
  await service.updateMany(request(), body({ bulk }));
  expect(await texts()).toEqual(['AA ada 1', 'BB ada 7', ...more.map(() => 'AA ada 1')]);
  service.reset();
  const [changed, back] = ['C', 'BB'].map((title) => ({ ...children[0], title }));
  await service.updateMany(requestOf(), body({ bulk: [{ id, children: [changed] }, back] }));
  expect((await texts())[1]).toBe('BB ada 7');
});

test('a foreign key without a property is compared with what is stored, and is for hooks to change', async () => {
  const [a, b] = await stored.save([{ title: 'a' }, { title: 'b' }]);
  const children = await stored.save(['c', 'd'].map((title) => ({ title, parent: a })));
  const bulk = children.map(({ id }) => ({ id, parent: a!.id }));
  await service.updateMany(requestOf(), body({ bulk }));
  expect(service.calls).toEqual([]);
  service.onBefore = ({ record }) => void (record.parent = { id: b!.id });
  await service.updateOne(requestOf({ path: { id: children[0]!.id } }), body({ title: 'C' }));
  expect(await stored.countBy({ title: 'C', parent: { id: b!.id } })).toBe(1);
});

test('a hook is no reason to load lazy relations, or to write what it left alone', async () => {
  const [cover, other] = await source.getRepository(Cover).save([{}, {}]);
  const { id } = await stored.save({ title: 'a', cover: Promise.resolve(cover!) });
  const sql = await log.of(() => service.updateOne(requestOf({ path: { id } }), body({ title: 'b' })));
  expect(sql.filter((text) => text.includes('cover'))).toEqual([]);
  expect(sql.filter((text) => /^UPDATE/.test(text))).toEqual([expect.not.stringContaining('owner')]);
  const told: unknown[] = [];
  service.onBefore = async ({ record }) => told.push(await (record as unknown as Page).cover);
  const bodies = [{ cover: other!.id }, { cover: null }].map(body);
  const again = await log.of(async () => {
    for (const one of bodies) await service.updateOne(requestOf({ path: { id } }), one);
  });
  expect(told).toEqual([{ id: other!.id }, { id: null }]);
  expect(again.filter((text) => /"hooked_covers" "cover"|LEFT JOIN/.test(text))).toEqual([]);
});
