/** `persist` of `@CrudAuth.relations`: what cascades store in related records gets the tenant's values, whatever the body says. */
import { beforeEach, describe, expect, test } from '@jest/globals';
import type { AuthOptions, Change, CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsInt, IsNotEmpty } from 'class-validator';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { empty } from '../support/connecting.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@orm.Entity('rv_organisations')
class Organisation {
  @orm.PrimaryColumn({ type: 'int' }) id!: number;
}

abstract class Owned {
  @orm.PrimaryGeneratedColumn() id!: number;
  @IsInt() @orm.Column({ type: 'int' }) organisationId!: number;
}

@orm.Entity('rv_labels')
class Label extends Owned {
  @orm.ManyToOne(() => Organisation) @orm.JoinColumn({ name: 'organisationId' }) organisation!: Organisation;
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20 }) name!: string;
}

@orm.Entity('rv_comments')
class Comment extends Owned {
  @IsNotEmpty() @orm.Column({ type: 'varchar', length: 20 }) text!: string;
  @orm.ManyToOne(() => Issue, (issue) => issue.comments) issue!: orm.Relation<Issue>;
  @orm.ManyToMany(() => Label, { cascade: ['insert'] }) @orm.JoinTable({ name: 'rv_comment_labels' }) labels!: Label[];
}

@orm.Entity('rv_sheets')
class Sheet {
  @orm.PrimaryColumn({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) text!: string | null;
  @orm.OneToOne(() => Issue, (issue) => issue.sheet) @orm.JoinColumn() issue!: orm.Relation<Issue>;
}

@orm.Entity('rv_issues')
class Issue {
  @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'int' }) organisationId!: number;
  @orm.Column({ type: 'varchar', length: 20, unique: true }) title!: string;
  @orm.ManyToMany(() => Label, { cascade }) @orm.JoinTable({ name: 'rv_issue_labels' }) labels!: orm.Relation<Label>[];
  @orm.OneToMany(() => Comment, (comment) => comment.issue, { cascade }) comments!: orm.Relation<Comment>[];
  @orm.OneToOne(() => Sheet, (sheet) => sheet.issue, { cascade }) sheet!: orm.Relation<Sheet> | null;
}

class Issues extends TypeOrmCrudService<Issue> {
  override beforeChange({ model, record }: Change<Issue>): void {
    if (model === Label.name && (record as object as Label).name === 'hooked')
      (record as { organisationId: number }).organisationId = 2;
  }
}

const ofOrganisation = () => ({ organisationId: 1 });
const both = { filter: ofOrganisation, persist: ofOrganisation };
const RELATIONS: NonNullable<AuthOptions['relations']> = {
  labels: both,
  comments: both,
  'comments.labels': { ...both, persist: () => Promise.resolve({ organisationId: 1 }) },
  sheet: false,
};

const join = { labels: {}, comments: {}, 'comments.labels': {}, sheet: {} };
const issues = (path: string, relations: AuthOptions['relations'] = {}, routes: CrudOptions<Issue>['routes'] = {}) =>
  resource(Issue, path, {
    auth: { ...both, relations: { ...RELATIONS, ...relations } },
    query: { join },
    routes: { updateManyBase: true, replaceManyBase: true, ...routes },
    service: Issues,
  });
const onConflict: 'title'[] = ['title'];

const RESOURCES = [
  issues('issues'),
  issues('upserts', {}, { createOneBase: { onConflict }, createManyBase: { onConflict } }),
  issues('unset', { labels: { ...both, persist: () => ({ organisationId: undefined }) } }),
  issues('by-relation', { labels: { ...both, persist: () => ({ organisation: { id: 1 } }) } }),
  issues('guarded', {
    labels: { persist: () => ({ id: 'break', organisationId: 1 }) },
    sheet: { persist: () => ({ name: 'own' }) },
  }),
  issues('open', { labels: { persist: ofOrganisation } }),
];

describeDatabases('values of related records', (db) => {
  const served = serving(db, [Organisation, Label, Comment, Sheet, Issue], RESOURCES, {
    source: { dropSchema: true },
    fill: (source) => source.getRepository(Organisation).save([{ id: 1 }, { id: 2 }]),
  });
  beforeEach(() => empty(served.source, 'rv_organisations'));

  const { send } = served;
  const repository = <T extends object>(entity: new () => T) => served.source.getRepository(entity);
  const stored = async () =>
    (await repository(Label).find({ order: { name: 'ASC' } })).map((label) => [label.name, label.organisationId]);
  /** Makes an issue; its id, and that of its first label. */
  const made = async (name?: string) => {
    const sent = { title: 'made', labels: name === undefined ? [] : [{ name }] };
    const { body } = await send('post', '/issues?join=labels', sent);
    return { id: body.id as number, label: body.labels[0]?.id as number };
  };
  const OK = { status: 200 };

  test.each(['issues', 'upserts', 'by-relation', 'open'])('are set in new records: POST /%s', async (path) => {
    const values = [{}, { organisationId: 2 }, { organisation: { id: 2 } }, { organisationId: 'x' }];
    const sent = values.map((value, index) => ({ name: 'abcd'[index], ...value }));
    const answer = await send('post', `/${path}`, { title: 'new', labels: sent });
    expect([answer.status, answer.body['message']]).toEqual([201, undefined]);
    expect(await stored()).toEqual(['a', 'b', 'c', 'd'].map((name) => [name, 1]));
  });

  test('are set by every route that stores bodies', async () => {
    const { id } = await made();
    const item = (name: string, more = {}) => ({ title: 'made', labels: [{ name, organisationId: 2 }], ...more });

    for (const [method, path, body, status] of [
      ['patch', `/issues/${id}`, item('patch'), 200],
      ['put', `/issues/${id}`, item('put'), 200],
      ['patch', '/issues/bulk', { bulk: [item('bulk patch', { id })] }, 200],
      ['put', '/issues/bulk', { bulk: [item('bulk put', { id })] }, 200],
      ['post', '/issues/bulk', { bulk: [item('bulk post', { title: 'other' })] }, 201],
      ['post', '/upserts', item('upsert'), 200],
      ['post', '/upserts/bulk', { bulk: [item('upserts'), item('upserts new', { title: 'third' })] }, 201],
    ] as const) {
      const answer = await send(method, path, body);
      expect([path, answer.status, answer.body['message']]).toEqual([path, status, undefined]);
    }
    const all = await stored();
    expect(all).toHaveLength(8);
    expect(all.filter(([, organisation]) => organisation !== 1)).toEqual([]);
  });

  test('are set at every depth', async () => {
    const labels = [{ name: 'of comment', organisationId: 2 }, { name: 'second' }];
    const body = { title: 'deep', comments: [{ text: 'x', labels }] };
    expect(await send('post', '/issues', body)).toMatchObject({ status: 201 });
    expect(await stored()).toEqual(['of comment', 'second'].map((name) => [name, 1]));
    expect(await repository(Comment).find()).toMatchObject([{ organisationId: 1 }]);
  });

  test('hold when a cascade changes a linked record', async () => {
    const { id, label } = await made('old');
    for (const change of [{ organisationId: 2 }, { organisation: { id: 2 } }, { organisationId: null }]) {
      const name = Object.keys(change)[0]!;
      const answer = await send('patch', `/issues/${id}`, { labels: [{ id: label, name, ...change }] });
      expect([answer.status, answer.body['message']]).toEqual([200, undefined]);
      expect(await stored()).toEqual([[name, 1]]);
    }
  });

  test('are not written into records that are only linked', async () => {
    const foreign = await repository(Label).save({ name: 'shared', organisationId: 2 });
    const { id } = await made();
    for (const link of [foreign.id, { id: foreign.id }, { id: foreign.id, name: 'taken', organisationId: 1 }]) {
      const { body } = await send('patch', `/issues/${id}`, { labels: [link] });
      expect(body.code).toBe('CRUD_OUT_OF_SCOPE');
      const linked = await send('patch', `/open/${id}?join=labels`, { labels: [link] });
      expect(linked.body.labels).toMatchObject([{ id: foreign.id }]);
      const again = { labels: [{ id: foreign.id, organisationId: 1 }] };
      expect(await send('patch', `/open/${id}`, again)).toMatchObject(OK);
      await send('patch', `/open/${id}`, { labels: [] });
    }
    expect(await stored()).toEqual([['shared', 2]]);
  });

  test('leave no value of the client where there is none', async () => {
    const answer = await send('post', '/unset', { title: 'new', labels: [{ name: 'a', organisationId: 2 }] });
    expect(answer).toMatchObject({ status: 400 });
    expect(await stored()).toEqual([]);
  });

  test('are not for hooks to change', async () => {
    const { id, label } = await made('hooked');
    expect(await stored()).toEqual([['hooked', 1]]);
    await repository(Label).update(label, { name: 'other' });
    expect(await send('patch', `/issues/${id}`, { labels: [{ id: label, name: 'hooked' }] })).toMatchObject(OK);
    expect(await stored()).toEqual([['hooked', 1]]);
  });

  describe('of a key column', () => {
    test('refuse every write to records with another one', async () => {
      const { id, label } = await made('old');
      for (const [method, path, body, field] of [
        ['post', '', { title: 'new', labels: [{ name: 'x' }] }, 'labels.0'],
        ['patch', `/${id}`, { labels: [{ id: label, name: 'x' }] }, 'labels'],
        ['put', `/${id}`, { title: 'x', labels: [{ name: 'x' }] }, 'labels.0'],
        ['patch', '/bulk', { bulk: [{ id, labels: [{ name: 'x' }] }] }, 'bulk.0.labels.0'],
      ] as const) {
        const { body: answer } = await send(method, `/guarded${path}`, body);
        expect(answer).toMatchObject({ statusCode: 400, code: 'CRUD_OUT_OF_SCOPE', field });
      }
      expect(await stored()).toEqual([['old', 1]]);
      expect(await send('patch', `/guarded/${id}`, { title: 'new', labels: [label] })).toMatchObject(OK);
    });

    test('are the key of the only record of a one-to-one relation', async () => {
      const { id } = await made();
      for (const text of ['a', 'b']) {
        const { body } = await send('patch', `/guarded/${id}?join=sheet`, { sheet: { text } });
        expect(body.sheet).toMatchObject({ name: 'own', text });
      }
      await served.source.query(`UPDATE rv_sheets SET name = 'other'`);
      const { status, body } = await send('patch', `/guarded/${id}`, { sheet: { text: 'c' } });
      expect([status, body]).toMatchObject([400, { code: 'CRUD_OUT_OF_SCOPE', field: 'sheet' }]);
    });
  });
});
