/** Paths into JSON documents with lists, numbers as keys, dots in keys and nothing where something should be → the same records or the same refusal over HTTP, on each database and type of column. */
import { describe, expect, test } from '@jest/globals';
import { Column, type ColumnType, EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
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

const TYPES: Record<DatabaseKind, ColumnType[]> = {
  sqlite: ['simple-json'],
  postgres: ['simple-json', 'json', 'jsonb'],
  mysql: ['simple-json', 'json'],
};

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
  describe.each(TYPES[db.kind])('%s', (type) => {
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
