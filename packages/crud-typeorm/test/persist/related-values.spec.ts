/** `persist` of `@CrudAuth.relations`: what cascades store in related records gets the tenant's values, whatever the body says. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Controller, type INestApplication, Inject, Injectable } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import { type AuthOptions, type Change, Crud, CrudAuth, type CrudOptions } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { IsInt, IsNotEmpty } from 'class-validator';
import request from 'supertest';
import {
  Column,
  DataSource,
  Entity,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  OneToOne,
  JoinColumn,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
} from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { connect } from '../support/resources.js';

const cascade: ('insert' | 'update')[] = ['insert', 'update'];

@Entity('rv_organisations')
class Organisation {
  @PrimaryColumn({ type: 'int' }) id!: number;
}

@Entity('rv_colours')
class Colour {
  @PrimaryGeneratedColumn() id!: number;
  @IsInt() @Column({ type: 'int' }) organisationId!: number;
  @IsNotEmpty() @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('rv_labels')
class Label {
  @PrimaryGeneratedColumn() id!: number;
  @IsInt() @Column({ type: 'int' }) organisationId!: number;
  @ManyToOne(() => Organisation) @JoinColumn({ name: 'organisationId' }) organisation!: Relation<Organisation>;
  @IsNotEmpty() @Column({ type: 'varchar', length: 20 }) name!: string;
  @ManyToOne(() => Colour, { cascade }) colour!: Relation<Colour> | null;
}

@Entity('rv_comments')
class Comment {
  @PrimaryGeneratedColumn() id!: number;
  @IsInt() @Column({ type: 'int' }) organisationId!: number;
  @IsNotEmpty() @Column({ type: 'varchar', length: 20 }) text!: string;
  @ManyToOne(() => Issue, (issue) => issue.comments) issue!: Relation<Issue>;
  @ManyToMany(() => Label, { cascade: ['insert'] })
  @JoinTable({ name: 'rv_comment_labels' })
  labels!: Relation<Label>[];
}

/** Its key has the organisation in it. */
@Entity('rv_places')
class Place {
  @PrimaryColumn({ type: 'int' }) organisationId!: number;
  @PrimaryGeneratedColumn('uuid') id!: string;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity('rv_sheets')
class Sheet {
  @PrimaryColumn({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) text!: string | null;
  @OneToOne(() => Issue, (issue) => issue.sheet) @JoinColumn() issue!: Relation<Issue>;
}

@Entity('rv_issues')
class Issue {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'int' }) organisationId!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) title!: string;
  @ManyToMany(() => Label, { cascade }) @JoinTable({ name: 'rv_issue_labels' }) labels!: Relation<Label>[];
  @ManyToMany(() => Place, { cascade }) @JoinTable({ name: 'rv_issue_places' }) places!: Relation<Place>[];
  @OneToMany(() => Comment, (comment) => comment.issue, { cascade }) comments!: Relation<Comment>[];
  @OneToOne(() => Sheet, (sheet) => sheet.issue, { cascade }) sheet!: Relation<Sheet> | null;
}

const ENTITIES = [Organisation, Colour, Label, Comment, Place, Sheet, Issue];
const ofOrganisation = () => ({ organisationId: 1 });
const both = { filter: ofOrganisation, persist: ofOrganisation };
const auth: AuthOptions = {
  ...both,
  relations: {
    labels: both,
    comments: both,
    'comments.labels': { ...both, persist: () => Promise.resolve({ organisationId: 1 }) },
    'labels.colour': both,
    places: both,
    sheet: false,
  },
};
const options: Omit<CrudOptions, 'model'> = {
  query: { join: { labels: {}, 'labels.colour': {}, comments: {}, 'comments.labels': {}, places: {}, sheet: {} } },
  routes: { updateManyBase: true, replaceManyBase: true },
};
const upserting = {
  ...options.routes,
  createOneBase: { onConflict: ['title'] },
  createManyBase: { onConflict: ['title'] },
};
const RESOURCES: readonly (readonly [path: string, AuthOptions, CrudOptions['routes']?])[] = [
  ['issues', auth],
  ['upserts', auth, upserting],
  [
    'unset',
    { ...auth, relations: { ...auth.relations, labels: { ...both, persist: () => ({ organisationId: undefined }) } } },
  ],
  [
    'by-relation',
    { ...auth, relations: { ...auth.relations, labels: { ...both, persist: () => ({ organisation: { id: 1 } }) } } },
  ],
  [
    'guarded',
    {
      ...auth,
      relations: {
        ...auth.relations,
        labels: { persist: () => ({ id: 'break', organisationId: 1 }) },
        sheet: { persist: () => ({ name: 'own' }) },
      },
    },
  ],
  ['open', { ...auth, relations: { ...auth.relations, labels: { persist: ofOrganisation } } }],
];

interface Answer {
  readonly status: number;
  readonly body: Record<string, any>; // As supertest has it.
}

describeDatabases('values of related records', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    source = await connect(db, ENTITIES, { dropSchema: true });
    await source.getRepository(Organisation).save([{ id: 1 }, { id: 2 }]);

    @Injectable()
    class Service extends TypeOrmCrudService<Issue> {
      constructor() {
        super(source.getRepository(Issue));
      }

      override beforeChange(change: Change<Issue>): void {
        if (change.model === Label.name && (change.record as object as Label).name === 'hooked')
          (change.record as { organisationId: number }).organisationId = 2;
      }
    }

    const controllers = RESOURCES.map(([path, own, routes = options.routes]) => {
      @Crud({ model: { type: Issue }, ...options, routes })
      @CrudAuth(own)
      @Controller(path)
      class ResourceController {
        constructor(@Inject(Service) readonly service: Service) {}
      }

      return ResourceController;
    });
    const module = await Test.createTestingModule({ controllers, providers: [Service] }).compile();
    ({ app, url } = await listen(module, 'express'));
  });
  afterAll(async () => {
    await app?.close();
    await source?.destroy();
  });
  beforeEach(async () => {
    for (const table of ['rv_issue_labels', 'rv_comment_labels', 'rv_issue_places'])
      await source.query(`DELETE FROM ${table}`);
    for (const entity of [Comment, Sheet, Place, Issue, Label, Colour])
      await source.createQueryBuilder().delete().from(entity).execute();
  });

  async function send(method: 'post' | 'patch' | 'put' | 'get', path: string, body?: object): Promise<Answer> {
    const { status, body: answer } = await request(url)[method](path).send(body);

    return { status, body: answer as Answer['body'] };
  }

  const labels = async () =>
    (await source.getRepository(Label).find({ order: { name: 'ASC' } })).map(({ name, organisationId }) => [
      name,
      organisationId,
    ]);
  const made = async (labelled: readonly object[] = [{ name: 'old' }]) => {
    const { status, body } = await send('post', '/issues?join=labels', { title: 'made', labels: labelled });
    expect([status, body]).toEqual([201, body]);

    return body;
  };

  test.each(['issues', 'upserts', 'by-relation', 'open'])('are set in new records: POST /%s', async (path) => {
    const sent = [
      { name: 'a' },
      { name: 'b', organisationId: 2 },
      { name: 'c', organisation: { id: 2 } },
      { name: 'd', organisationId: 'x' },
    ];
    const answer = await send('post', `/${path}`, { title: 'new', labels: sent });

    expect([answer.status, answer.body['message']]).toEqual([201, undefined]);
    expect(await labels()).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
    ]);
  });

  test('are set by every route that stores bodies', async () => {
    const { id } = await made([]);
    const item = (name: string, more: object = {}) => ({
      title: 'made',
      labels: [{ name, organisationId: 2 }],
      ...more,
    });

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
    const stored = await labels();
    expect(stored).toHaveLength(8);
    expect(stored.filter(([, organisation]) => organisation !== 1)).toEqual([]);
  });

  test('are set at every depth', async () => {
    const colour = { name: 'red', organisationId: 2 };
    const body = {
      title: 'deep',
      labels: [{ name: 'own', colour }],
      comments: [{ text: 'x', labels: [{ name: 'of comment', colour: { name: 'blue' } }, { name: 'second' }] }],
    };

    expect(await send('post', '/issues', body)).toMatchObject({ status: 201 });
    expect(await labels()).toEqual([
      ['of comment', 1],
      ['own', 1],
      ['second', 1],
    ]);
    for (const [entity, count] of [
      [Colour, 2],
      [Comment, 1],
    ] as const) {
      expect(await source.getRepository(entity).find()).toEqual(
        Array(count).fill(expect.objectContaining({ organisationId: 1 })),
      );
    }
  });

  test('hold when a cascade changes a linked record', async () => {
    const {
      id,
      labels: [label],
    } = await made();

    for (const change of [{ organisationId: 2 }, { organisation: { id: 2 } }, { organisationId: null }]) {
      const name = Object.keys(change)[0]!;
      const answer = await send('patch', `/issues/${id}`, { labels: [{ id: label.id, name, ...change }] });

      expect([answer.status, answer.body['message']]).toEqual([200, undefined]);
      expect(await labels()).toEqual([[name, 1]]);
    }
  });

  test('are not written into records that are only linked', async () => {
    const foreign = await source.getRepository(Label).save({ name: 'shared', organisationId: 2 });
    const { id } = await made([]);

    for (const link of [foreign.id, { id: foreign.id }, { id: foreign.id, name: 'taken', organisationId: 1 }]) {
      expect(await send('patch', `/issues/${id}`, { labels: [link] })).toMatchObject({
        body: { code: 'CRUD_OUT_OF_SCOPE' },
      });
      expect(await send('patch', `/open/${id}?join=labels`, { labels: [link] })).toMatchObject({
        body: { labels: [{ id: foreign.id }] },
      });
      expect(await send('patch', `/open/${id}`, { labels: [{ id: foreign.id, organisationId: 1 }] })).toMatchObject({
        status: 200,
      });
      await send('patch', `/open/${id}`, { labels: [] });
    }
    expect(await labels()).toEqual([['shared', 2]]);
  });

  test.each(['labels', 'comments'])('an object in the place of a list is a 400: %s', async (field) => {
    for (const sent of [{}, { name: 'x' }, { text: 'x', organisationId: 1 }]) {
      expect(await send('post', '/issues', { title: 'new', [field]: sent })).toMatchObject({
        status: 400,
        body: { field, message: [`${field} must be an array`] },
      });
    }
  });

  test('leave no value of the client where there is none', async () => {
    const answer = await send('post', '/unset', { title: 'new', labels: [{ name: 'a', organisationId: 2 }] });

    expect(answer).toMatchObject({ status: 400 });
    expect(await labels()).toEqual([]);
  });

  test('are not for hooks to change', async () => {
    const {
      id,
      labels: [label],
    } = await made([{ name: 'hooked' }]);
    expect(await labels()).toEqual([['hooked', 1]]);

    await source.getRepository(Label).update(label.id, { name: 'other' });
    expect(await send('patch', `/issues/${id}`, { labels: [{ id: label.id, name: 'hooked' }] })).toMatchObject({
      status: 200,
    });
    expect(await labels()).toEqual([['hooked', 1]]);
  });

  test('are required of no body in the OpenAPI document', () => {
    const { components } = SwaggerModule.createDocument(app, new DocumentBuilder().build());
    const required = (name: string) => (components?.schemas?.[name] as { required?: string[] } | undefined)?.required;

    for (const name of ['Labels', 'LabelsColour', 'CommentsLabelsColour', 'Places'])
      expect([name, required(`CreateIssueBody${name}Dto`)]).toEqual([name, ['name']]);
    expect(required('CreateIssueBodyCommentsDto')).toEqual(['text']);
    // What an asynchronous function sets is not known before a request.
    expect(required('CreateIssueBodyCommentsLabelsDto')).toEqual(['organisationId', 'name']);
  });

  describe('of a key column', () => {
    test('are the key of new records, and that of records that may be changed', async () => {
      const { body } = await send('post', '/issues?join=places', { title: 'new', places: [{ name: 'here' }] });
      const [place] = body['places'];
      expect(place).toMatchObject({ organisationId: 1, name: 'here' });

      const path = `/issues/${body['id']}?join=places`;
      expect(await send('patch', path, { places: [{ ...place, name: 'there' }] })).toMatchObject({
        status: 200,
        body: { places: [{ name: 'there' }] },
      });
    });

    test('refuse every write to records with another one', async () => {
      const {
        id,
        labels: [label],
      } = await made();
      const refused = (field: string) => ({ status: 400, body: { code: 'CRUD_OUT_OF_SCOPE', field } });

      expect(await send('post', '/guarded', { title: 'new', labels: [{ name: 'x' }] })).toMatchObject(
        refused('labels.0'),
      );
      expect(await send('patch', `/guarded/${id}`, { labels: [{ id: label.id, name: 'x' }] })).toMatchObject(
        refused('labels'),
      );
      expect(await send('put', `/guarded/${id}`, { title: 'x', labels: [{ name: 'x' }] })).toMatchObject(
        refused('labels.0'),
      );
      expect(await send('patch', '/guarded/bulk', { bulk: [{ id, labels: [{ name: 'x' }] }] })).toMatchObject(
        refused('bulk.0.labels.0'),
      );
      expect(await labels()).toEqual([['old', 1]]);
      expect(await send('patch', `/guarded/${id}`, { title: 'new', labels: [label.id] })).toMatchObject({
        status: 200,
      });
    });

    test('are the key of the only record of a one-to-one relation', async () => {
      const { id } = await made();

      expect(await send('patch', `/guarded/${id}?join=sheet`, { sheet: { text: 'a' } })).toMatchObject({
        body: { sheet: { name: 'own', text: 'a' } },
      });
      expect(await send('patch', `/guarded/${id}?join=sheet`, { sheet: { text: 'b' } })).toMatchObject({
        body: { sheet: { name: 'own', text: 'b' } },
      });
      await source.query(`UPDATE rv_sheets SET name = 'other'`);
      expect(await send('patch', `/guarded/${id}`, { sheet: { text: 'c' } })).toMatchObject({
        status: 400,
        body: { code: 'CRUD_OUT_OF_SCOPE', field: 'sheet' },
      });
    });
  });
});
