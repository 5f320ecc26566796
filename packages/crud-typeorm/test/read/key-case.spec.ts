/** Children whose foreign keys differ from their parents' keys in case, accents or trailing blanks → the same children joined as by a condition: those for which the database finds the keys equal. */
import { expect, test } from '@jest/globals';
import { Column, Entity, JoinColumn, JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

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
  const { read } = serving(db, [Shelf, Volume, Topic], RESOURCES, {
    platform: 'fastify',
    fill: async ({ driver, manager }) => {
      const codes = ['Abc', 'abc', 'ÁBC ', 'abcd', null, 'LOW'];
      const low = { code: 'low', outer: { code: 'ABC' } };
      await manager.insert(Shelf, [{ code: 'Abc' }, { code: 'empty' }, low]);
      for (const [index, shelfCode] of codes.entries()) await manager.insert(Volume, { id: index + 1, shelfCode });
      for (const id of [1, 2, 3]) await manager.insert(Topic, { id, name: `topic ${id}` });
      const [table, shelf, topic] = ['shelf_topics', 'shelfCode', 'topicId'].map((name) => driver.escape(name));
      await manager.query(`INSERT INTO ${table} (${shelf}, ${topic}) VALUES ('Abc', 1), ('aBC', 2), ('x', 3)`);
    },
  });
  const ids = (list: unknown) => (list as { id: number }[]).map(({ id }) => id);
  const isLoose = db.kind === 'mysql';

  test('joined children are those that a condition on the parent finds', async () => {
    const found = ids(await read('/volumes?filter=shelf.code||eq||Abc'));
    const shelves = (await read('/shelves?join=volumes')) as Shelf[];
    expect(found).toEqual(isLoose ? [1, 2, 3] : [1]);
    expect(shelves.map(({ code, volumes }) => [code, ids(volumes)])).toEqual([
      ['Abc', found],
      ['empty', []],
      ['low', isLoose ? [6] : []],
    ]);
    expect(ids((await read('/shelves/Abc?join=volumes')).volumes)).toEqual(found);
    const second = (await read('/shelves?filter=volumes.id||eq||2&join=volumes')) as Shelf[];
    expect(second.map(({ volumes }) => ids(volumes))).toEqual(isLoose ? [[2]] : []);
  });

  test('to-one and to-many relations agree', async () => {
    const volumes = (await read('/volumes?join=shelf&join=besides')) as Volume[];
    const [none, abc] = [[null, null], isLoose ? ['Abc', [1, 2, 3]] : ['Abc', [1]]];
    expect(volumes.map(({ shelf }) => (shelf ? [shelf.code, ids(shelf.volumes)] : [null, null]))).toEqual(
      isLoose ? [abc, abc, abc, none, none, ['low', [6]]] : [abc, none, none, none, none, none],
    );
  });

  test('links and records of the same kind are found, too', async () => {
    const [shelf, ...others] = (await read('/shelves?join=topics&join=inner&join=innerVolumes')) as Shelf[];
    expect(ids(shelf!.topics)).toEqual(isLoose ? [1, 2] : [1]);
    expect(shelf!.inner.map(({ code, volumes }) => [code, ids(volumes)])).toEqual(isLoose ? [['low', [6]]] : []);
    expect(others.map(({ topics, inner }) => [topics, inner])).toEqual([
      [[], []],
      [[], []],
    ]);
  });
});
