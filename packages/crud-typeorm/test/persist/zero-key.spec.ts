/** `0` as the key of a new record, as front ends send it, where the database counts keys. */
import { beforeEach, expect, test } from '@jest/globals';
import { IsPositive } from 'class-validator';
import {
  Column,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('zero_issues')
class Issue {
  @IsPositive({ always: true }) @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) title!: string;
  @OneToOne(() => Detail, (detail) => detail.issue, { cascade: true }) detail!: Relation<Detail>;
  @OneToOne(() => Cover, { cascade: true }) @JoinColumn() cover!: Relation<Cover>;
  @OneToMany(() => Comment, (comment) => comment.issue, { cascade: true }) comments!: Relation<Comment>[];
  @ManyToMany(() => Label, { cascade: true }) @JoinTable({ name: 'zero_links' }) labels!: Relation<Label>[];
  @ManyToOne(() => Label, { cascade: true }) kind!: Relation<Label>;
}

abstract class Text {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) text!: string;
}

@Entity('zero_details')
class Detail extends Text {
  @OneToOne(() => Issue, (issue) => issue.detail) @JoinColumn() issue!: Relation<Issue>;
}

@Entity('zero_covers')
class Cover extends Text {}

@Entity('zero_comments')
class Comment extends Text {
  @ManyToOne(() => Issue, (issue) => issue.comments) issue!: Relation<Issue>;
}

@Entity('zero_labels')
class Label {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) name!: string;
}

/** Its clients own the key. */
@Entity('zero_rooms')
class Room {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) title!: string;
}

const ENTITIES = [Issue, Detail, Cover, Comment, Label, Room];
const join = { detail: { eager: true }, cover: { eager: true }, comments: { eager: true }, labels: { eager: true } };

const onConflict: 'name'[] = ['name'];

const RESOURCES = [
  resource(Issue, 'issues', { query: { join } }),
  resource(Issue, 'chosen', { routes: { createOneBase: { allowGeneratedKey: true } } }),
  resource(Label, 'labels', { routes: { createOneBase: { onConflict }, createManyBase: { onConflict } } }),
  resource(Room, 'rooms'),
  resource(Issue, 'fixed', { auth: { persist: () => ({ id: 0 }) } }),
];

describeDatabases('the key 0 of a new record', (db) => {
  const served = serving(db, ENTITIES, RESOURCES);
  beforeEach(async () => {
    for (const table of ['links', 'comments', 'details', 'issues', 'covers', 'labels', 'rooms'])
      await served.source.query(`DELETE FROM zero_${table}`);
  });

  const { send } = served;
  const counts = () => Promise.all(ENTITIES.map((entity) => served.source.getRepository(entity).count()));

  test.each([0, '0'])('%j is counted', async (id) => {
    const one = await send('post', '/issues', { id, title: 'one' });
    const bulk = await send('post', '/issues/bulk', { bulk: [{ id, title: 'a' }, { id, title: 'b' }] }); // prettier-ignore
    const chosen = await send('post', '/chosen', { id, title: 'chosen' });
    const label = await send('post', '/labels', { id, name: 'new' });
    const same = await send('post', '/labels/bulk', { bulk: [{ id, name: 'new' }, { id, name: 'other' }] }); // prettier-ignore

    expect([one.status, bulk.status, chosen.status, label.status, same.status]).toEqual([201, 201, 201, 201, 201]);
    const keys = [one.body, ...(bulk.body as object[]), chosen.body].map((record) => (record as Issue).id);
    expect(keys.every((key) => key > 0)).toBe(true);
    expect(new Set(keys).size).toBe(4);
    expect((same.body as Label[])[0]!.id).toBe((label.body as Label).id);
  });

  test('any other key is refused, and a key that clients own is stored', async () => {
    for (const id of ['00', -1, 12345]) expect((await send('post', '/issues', { id, title: 'x' })).status).toBe(400);
    expect((await send('post', '/rooms', { id: 0, title: 'x' })).body).toEqual({ id: 0, title: 'x' });
    expect((await send('post', '/fixed', { title: 'x' })).body).toMatchObject({ code: 'CRUD_OUT_OF_SCOPE' });
    expect((await send('patch', '/issues/0', { title: 'x' })).status).toBe(404);
  });

  const NEW = {
    id: 0,
    title: 'new',
    detail: { id: 0, text: 'd' },
    cover: { id: '0', text: 'c' },
    comments: [{ id: 0, text: 'a' }, { id: 0, text: 'b' }, { id: '0', text: 'c' }], // prettier-ignore
    labels: [{ id: 0, name: 'a' }, { id: '0', name: 'b' }], // prettier-ignore
    kind: { id: 0, name: 'k' },
  };

  test('nested records with it and more are new ones', async () => {
    const { status, body } = await send('post', '/issues', NEW);

    expect([status, body]).toMatchObject([
      201,
      { title: 'new', detail: { text: 'd' }, cover: { text: 'c' }, comments: [{}, {}, {}], labels: [{}, {}] },
    ]);
    const { id } = body as Issue;
    const more = { comments: [{ id: 0, text: 'd' }], kind: { id: 0, name: 'l' } };
    expect((await send('patch', `/issues/${id}`, more)).status).toBe(200);
    // Issue, Detail, Cover, Comment, Label, Room.
    expect(await counts()).toEqual([1, 1, 1, 4, 4, 0]);
  });

  test.each<[string, object]>([
    ['comments.0', { comments: [{ id: 0 }] }],
    ['labels.0', { labels: [{ id: 0 }] }],
    ['labels.0', { labels: [0] }],
    ['labels.1', { labels: [{ name: 'x' }, { id: '0' }] }],
    ['kind', { kind: { id: 0 } }],
    ['kind', { kind: '0' }],
    ['cover', { cover: 0 }],
    ['detail', { detail: { id: 0 } }],
  ])('%s with it alone is a link, and refused', async (field, body) => {
    const { id } = (await send('post', '/issues', { title: 'old' })).body as Issue;
    const before = await counts();

    expect(await send('post', '/issues', { title: 'x', ...body })).toMatchObject({ status: 400, body: { field } });
    expect(await send('patch', `/issues/${id}`, body)).toMatchObject({ status: 400, body: { field } });
    expect(await counts()).toEqual(before);
  });

  test.each(['detail', 'cover'])('a second %s of a one-to-one relation is refused', async (field) => {
    const { id } = (await send('post', '/issues', { title: 'one', [field]: { text: 'first' } })).body as Issue;
    const answer = await send('patch', `/issues/${id}`, { [field]: { id: 0, text: 'second' } });

    expect([answer.status, answer.body]).toMatchObject([400, { code: 'CRUD_INVALID_BODY', field }]);
    expect((await send('get', `/issues/${id}`)).body).toMatchObject({ [field]: { text: 'first' } });
  });
});
