/** Children whose foreign keys differ from their parents' keys in case, accents or trailing blanks → the same children joined as by a condition: those for which the database finds the keys equal. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { getDataSourceToken } from '@nestjs/typeorm';
import {
  Column,
  type DataSource,
  Entity,
  JoinColumn,
  JoinTable,
  ManyToMany,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, serve } from '../support/resources.js';

@Entity()
class Topic {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

@Entity()
class Shelf {
  @PrimaryColumn({ type: 'varchar', length: 20 }) code!: string;
  @OneToMany(() => Volume, (volume) => volume.shelf) volumes!: Volume[];
  @ManyToMany(() => Topic, { createForeignKeyConstraints: false })
  @JoinTable({ name: 'shelf_topics' })
  topics!: Topic[];
  @ManyToOne(() => Shelf, (shelf) => shelf.inner, { nullable: true, createForeignKeyConstraints: false })
  outer!: Shelf | null;
  @OneToMany(() => Shelf, (shelf) => shelf.outer) inner!: Shelf[];
}

@Entity()
class Volume {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) shelfCode!: string | null;
  @ManyToOne(() => Shelf, (shelf) => shelf.volumes, { createForeignKeyConstraints: false })
  @JoinColumn({ name: 'shelfCode' })
  shelf!: Shelf | null;
}

const RESOURCES = [
  resource(Shelf, 'shelves', {
    params: { code: { field: 'code', type: 'string', primary: true } },
    query: {
      join: { volumes: {}, topics: {}, inner: {}, 'inner.volumes': { alias: 'innerVolumes' } },
      sort: [{ field: 'code', order: 'ASC' }],
    },
  }),
  resource(Volume, 'volumes', { query: { join: { shelf: {}, 'shelf.volumes': { alias: 'besides' } } } }),
];

describeDatabases('keys that differ in case', (db) => {
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    ({ app, url } = await serve(db, [Shelf, Volume, Topic], RESOURCES, {
      platform: 'fastify',
      nest: { logger: false },
    }));
    const source = app.get<DataSource>(getDataSourceToken());
    await source
      .getRepository(Shelf)
      .insert([{ code: 'Abc' }, { code: 'empty' }, { code: 'low', outer: { code: 'ABC' } }]);
    await source.getRepository(Volume).insert([
      { id: 1, shelfCode: 'Abc' },
      { id: 2, shelfCode: 'abc' },
      { id: 3, shelfCode: 'ÁBC ' },
      { id: 4, shelfCode: 'abcd' },
      { id: 5, shelfCode: null },
      { id: 6, shelfCode: 'LOW' },
    ]);
    await source.getRepository(Topic).insert([1, 2, 3].map((id) => ({ id, name: `topic ${id}` })));
    const name = (text: string) => source.driver.escape(text);
    await source.query(
      `INSERT INTO ${name('shelf_topics')} (${name('shelfCode')}, ${name('topicId')}) VALUES ('Abc', 1), ('aBC', 2), ('x', 3)`,
    );
  });

  afterAll(() => app.close());

  const get = async (path: string) => (await fetch(url + path)).json() as Promise<Record<string, unknown>[]>;
  const ids = (list: unknown) => (list as { id: number }[]).map(({ id }) => id);
  const isLoose = db.kind === 'mysql';

  test('joined children are those that a condition on the parent finds', async () => {
    const found = ids(await get('/volumes?filter=shelf.code||eq||Abc'));
    const [shelf, empty, low] = await get('/shelves?join=volumes');

    expect(found).toEqual(isLoose ? [1, 2, 3] : [1]);
    expect([shelf, empty, low].map((one) => [one!['code'], ids(one!['volumes'])])).toEqual([
      ['Abc', found],
      ['empty', []],
      ['low', isLoose ? [6] : []],
    ]);
    expect(ids(((await get('/shelves/Abc?join=volumes')) as unknown as Record<string, unknown>)['volumes'])).toEqual(
      found,
    );
    expect((await get('/shelves?filter=volumes.id||eq||2&join=volumes')).map((one) => ids(one['volumes']))).toEqual(
      isLoose ? [[2]] : [],
    );
  });

  test('to-one and to-many relations agree', async () => {
    const volumes = await get('/volumes?join=shelf&join=besides');

    expect(volumes.map(({ shelf }) => (shelf as Shelf | null)?.code ?? null)).toEqual(
      isLoose ? ['Abc', 'Abc', 'Abc', null, null, 'low'] : ['Abc', null, null, null, null, null],
    );
    expect(volumes.map(({ shelf }) => shelf && ids((shelf as Shelf).volumes))).toEqual(
      isLoose ? [[1, 2, 3], [1, 2, 3], [1, 2, 3], null, null, [6]] : [[1], null, null, null, null, null],
    );
  });

  test('links and records of the same kind are found, too', async () => {
    const [shelf, ...others] = await get('/shelves?join=topics&join=inner&join=innerVolumes');

    expect(ids(shelf!['topics'])).toEqual(isLoose ? [1, 2] : [1]);
    expect((shelf!['inner'] as Shelf[]).map(({ code, volumes }) => [code, ids(volumes)])).toEqual(
      isLoose ? [['low', [6]]] : [],
    );
    expect(others.map(({ topics, inner }) => [topics, inner])).toEqual([
      [[], []],
      [[], []],
    ]);
  });
});
