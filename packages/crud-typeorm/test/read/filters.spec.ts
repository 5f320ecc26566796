/** What filters find over HTTP, on each database: by paths into JSON documents and each type of their columns, by keys that differ in case, accents or trailing blanks, by values of custom operators. */
import { describe, expect, test } from '@jest/globals';
import { Column, type ColumnType, Entity, EntitySchema, type EntitySchemaColumnOptions, JoinColumn } from 'typeorm';
import { JoinTable, ManyToMany, ManyToOne, OneToMany, PrimaryColumn } from 'typeorm';
import { type DatabaseKind, describeDatabases } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

class Sheet {
  id!: number;
  doc!: unknown;
  meta!: { doc: unknown };
  list!: string[] | null;
  above!: Sheet | null;
}

class Meta {
  @Column({ type: 'simple-json', nullable: true }) doc!: unknown;
}

const JSON_TYPES: ColumnType[] = ['simple-json', 'json', 'jsonb'];
const TYPE_COUNTS: Record<DatabaseKind, number> = { sqlite: 1, postgres: 3, mysql: 2 };

/** What stands in the document of each record. */
const DOCUMENTS: Record<number, unknown> = {
  1: { list: ['a', 'b', 5, true, { name: 'x' }, ['deep']] },
  2: { list: { 0: 'a', 1: 'b', 4: { name: 'x' }, '-1': 'last' } },
  3: { 'list.0': 'a', 'list.4.name': 'x', 'list[0]': 'a', '': { '': 'blank' } },
  4: { list: 'a' },
  5: ['a', { name: 'x' }],
  6: { list: null },
  7: {},
  8: { word: 'Dark' },
  9: { word: 'dark' },
};

const encoded = (path: string) => path.replace(/[^/?&=|,\w.-]/g, encodeURIComponent);

describeDatabases('paths into documents', (db) => {
  describe.each(JSON_TYPES.slice(0, TYPE_COUNTS[db.kind]))('%s', (type) => {
    const meta = new EntitySchema<Meta>({ name: 'Meta', columns: { doc: { type: 'simple-json', nullable: true } } });
    const schema = new EntitySchema<Sheet>({
      name: 'Sheet',
      tableName: `sheets_${type as string}`.replace('-', '_'),
      target: Sheet,
      columns: {
        id: { type: 'int', primary: true },
        doc: { type, nullable: true } as EntitySchemaColumnOptions,
        list: { type: 'simple-array', nullable: true },
      },
      embeddeds: { meta: { schema: meta } },
      relations: { above: { type: 'many-to-one', target: 'Sheet', nullable: true } },
    });
    const query = { join: { above: {} }, sort: [{ field: 'id' as const, order: 'ASC' as const }] };
    const own = serving(db, [schema], [resource(Sheet, 'sheets', { query, validation: false })], {
      fill: async (source) => {
        for (const [key, doc] of Object.entries(DOCUMENTS)) {
          const id = Number(key);
          const above = id === 1 ? null : { id: id - 1 };
          await source.getRepository(Sheet).insert({ id, doc, meta: { doc }, list: ['a', 'b'], above } as never);
        }
      },
    });
    const get = (search: string) => own.send('get', `/sheets?${encoded(search)}`);
    const ids = async (search: string): Promise<unknown> => {
      const { status, body } = await get(search);
      return status === 200 ? (body as Sheet[]).map(({ id }) => id) : body;
    };

    test.each<[string, number[]]>([
      // A number is a key like any other; it is no place in a list.
      ['filter=doc.list.0||eq||a', [2]],
      ['filter=doc.list.1||in||a,b', [2]],
      ['filter=doc.list.4.name||eq||x', [2]],
      ['filter=doc.list.5.0||notnull', []],
      ['filter=doc.0||notnull', []],
      ['filter=doc.list.0||isnull', [1, 3, 4, 5, 6, 7, 8, 9]],
      ['filter=doc.list.00||notnull', []],
      ['s={"doc.list.0":{"$ne":"z"}}', [2]],
      ['filter=above.doc.list.0||eq||a', [3]],
      ['filter=above.meta.doc.list.4.name||cont||x', [3]],
      // Brackets are part of a key.
      ['filter=doc.list[0]||eq||a', [3]],
      ['filter=doc.list[*]||notnull', []],
      ['filter=doc.*||notnull', []],
      // A dot always stands between two keys, so that a key that holds one is out of reach.
      ['filter=doc."list.0"||notnull', []],
      ["filter=doc.'list.0'||notnull", []],
      ['filter=doc.list\\.0||notnull', []],
      // Lists and objects are there, and nothing compares with them.
      ['filter=doc.list||notnull', [1, 2, 4]],
      ['filter=doc.list||isnull', [3, 5, 6, 7, 8, 9]],
      ['filter=doc.list||eq||a', [4]],
      ['filter=doc.list||cont||a', [4]],
      ['filter=doc.list.4||cont||x', []],
      // Texts that differ in case alone are in an order.
      ['s={"$or":[{"doc.word":{"$lt":"dark"}},{"doc.word":{"$gt":"dark"}}]}', [8]],
    ])('%s', async (query, expected) => expect(await ids(query)).toEqual(expected));

    test.each<[string, string, string]>([
      ['filter=doc.||eq||a', 'CRUD_UNKNOWN_FIELD', 'filter'],
      ['filter=doc..list||notnull', 'CRUD_UNKNOWN_FIELD', 'filter'],
      ['filter=.doc.list||notnull', 'CRUD_UNKNOWN_FIELD', 'filter'],
      ['s={"doc.":{"$notnull":true}}', 'CRUD_UNKNOWN_FIELD', 's'],
      ['filter=doc[0]||eq||a', 'CRUD_UNKNOWN_FIELD', 'filter'],
      ['filter=list.0||eq||a', 'CRUD_UNKNOWN_FIELD', 'list.0'],
      ['filter=id.0||eq||1', 'CRUD_UNKNOWN_FIELD', 'id.0'],
      ['filter=doc.list||contArr||a', 'CRUD_UNKNOWN_OPERATOR', 'doc'],
      ['filter=doc||eq||a', 'CRUD_UNKNOWN_OPERATOR', 'doc'],
      ['filter=doc.list.0||between||a,5', 'CRUD_INVALID_VALUE', 'doc'],
      ['s={"doc.list.0":["a"]}', 'CRUD_INVALID_SEARCH', 'doc.list.0'],
      ['s={"doc.list":{"0":"a"}}', 'CRUD_UNKNOWN_OPERATOR', 'doc.list'],
      ['s={"doc":{"list":"a"}}', 'CRUD_UNKNOWN_OPERATOR', 'doc'],
      ['sort=doc.list.0,ASC', 'CRUD_INVALID_QUERY', 'doc'],
      ['fields=doc.list', 'CRUD_UNKNOWN_FIELD', 'doc.list'],
      ['join=above||doc.list', 'CRUD_UNKNOWN_FIELD', 'doc.list'],
      ['join=doc', 'CRUD_UNKNOWN_RELATION', 'doc'],
    ])('%s is refused', async (query, code, field) => {
      const { status, body } = await get(query);
      expect({ status, code: body.code, field: body.field }).toEqual({ status: 400, code, field });
    });

    test('a document is nested as deep as conditions reach, or refused', async () => {
      // MariaDB finds nothing in deeper ones; elsewhere it is the depth of bodies that is bounded.
      const depth = db.kind === 'mysql' ? 31 : 150;
      const nested = (levels: number) => JSON.parse(`${'{"k":'.repeat(levels)}"x"${'}'.repeat(levels)}`) as object;
      const post = (doc: object) => own.send('post', '/sheets', { id: 20, doc });
      const path = `doc.${Array(Math.min(depth, 63)).fill('k').join('.')}`;
      const tooDeep = db.kind === 'mysql' ? [nested(depth + 1), { list: [nested(depth - 1)] }] : [];
      const message = ['doc must be nested at most 31 levels deep'];
      for (const doc of tooDeep) {
        const body = { code: 'CRUD_VALUE_OUT_OF_RANGE', field: 'doc', message };
        expect(await post(doc)).toMatchObject({ status: 400, body });
      }
      expect((await post(nested(500))).status).toBe(400);
      expect(await ids(`filter=${path}||notnull`)).toEqual([]);
      expect(await post(nested(depth))).toMatchObject({ status: 201, body: { doc: nested(depth) } });
      expect(await ids(`filter=${path}||notnull`)).toEqual([20]);
      await own.send('delete', '/sheets/20');
    });

    test('a path of 63 keys is read, a longer one is refused', async () => {
      const path = (keys: number) => `doc.${Array(keys).fill('k').join('.')}`;
      expect(await ids(`filter=${path(63)}||notnull`)).toEqual([]);
      expect(await ids(`filter=${path(64)}||notnull`)).toMatchObject({ statusCode: 400, code: 'CRUD_UNKNOWN_FIELD' });
    });
  });
});

// Children whose foreign keys differ from their parents' in case, accents or blanks: those for which the database finds the keys equal.
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

const BY_CODE = [{ field: 'code' as const, order: 'ASC' as const }];
const SHELVES = [
  resource(Shelf, 'shelves', {
    params: { code: { field: 'code', type: 'string', primary: true } },
    query: { join: { volumes: {}, topics: {}, inner: {}, 'inner.volumes': { alias: 'innerVolumes' } }, sort: BY_CODE },
  }),
  resource(Volume, 'volumes', { query: { join: { shelf: {}, 'shelf.volumes': { alias: 'besides' } } } }),
];

describeDatabases('keys that differ in case', (db) => {
  const { read } = serving(db, [Shelf, Volume, Topic], SHELVES, {
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
    const byCode = Object.fromEntries(shelves.map(({ code, volumes }) => [code, ids(volumes)]));
    expect(byCode).toEqual({ Abc: found, empty: [], low: isLoose ? [6] : [] });
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
    expect(others.map(({ topics, inner }) => [...topics, ...inner])).toEqual([[], []]);
  });
});

// A client's text is compared as the number, boolean or date that it says, where the column has one.
@Entity('switches')
class Switch {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: Boolean }) on!: boolean;
  @Column({ type: Date, precision: 3 }) at!: Date;
  @Column({ type: 'double precision' }) score!: number;
  @Column({ type: 'varchar', length: 20 }) code!: string;
}

const custom = {
  same: { query: (column: string, param: string) => `${column} = ${param}` },
  size: { query: (column: string, param: string) => `ABS(${column}) = ${param}` },
  among: { isArray: true, query: (column: string, param: string) => `${column} IN (${param})` },
};

describeDatabases('values of custom operators', (db) => {
  const own = serving(db, [Switch], [resource(Switch, 'switches', { operators: { custom } })], {
    fill: (source) =>
      source.getRepository(Switch).insert([
        { id: 1, on: true, at: new Date('2020-01-01'), score: 1.5, code: '7' },
        { id: 2, on: false, at: new Date('2020-01-02'), score: -2.5, code: '007' },
      ]),
  });

  test.each([
    ['filter=on||same||true', [1]],
    ['filter=on||same||false', [2]],
    ['filter=on||among||true,false', [1, 2]],
    ['s={"on":{"same":"true"}}', [1]],
    ['filter=at||same||2020-01-02', [2]],
    ['filter=score||size||2.5', [2]],
    ['filter=id||among||1,2', [1, 2]],
    ['filter=code||same||7', [1]],
    ['filter=code||same||007', [2]],
  ])('%s', async (query, ids) => {
    expect(((await own.read(`/switches?${query}`)) as Switch[]).map(({ id }) => id)).toEqual(ids);
  });
});
