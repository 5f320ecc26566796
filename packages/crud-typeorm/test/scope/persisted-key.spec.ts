/** `@CrudAuth({ persist })` that names a key: a record with another key is not written, by any route, and the check comes last. */
import { beforeEach, expect, test } from '@jest/globals';
import { IsInt, IsOptional } from 'class-validator';
import * as orm from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { rowsOf } from '../../../../integration/test-support/rows.js';
import { empty } from '../support/connecting.js';
import { type Application, looseResource } from '../support/resources.js';
import { serving } from '../support/serving.js';

@orm.Entity('key_articles')
class Article {
  @IsOptional({ always: true }) @IsInt({ always: true }) @orm.PrimaryGeneratedColumn() id!: number;
  @orm.Column({ type: 'varchar', length: 20, unique: true }) slug!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
  @orm.VersionColumn() version!: number;
}

@orm.Entity('key_shelves')
class Shelf {
  @orm.PrimaryColumn({ type: 'varchar', length: 20 }) name!: string;
  @orm.Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
}

const onConflict = ['slug'];
const upserts = { createOneBase: { onConflict }, createManyBase: { onConflict } };
const articlesOf = (path: string, id: string) =>
  looseResource(Article, path, {
    query: { etag: true },
    routes: { updateManyBase: { byCondition: true }, replaceManyBase: true, ...upserts },
    auth: { persist: () => ({ id }) },
  });

const RESOURCES = [
  articlesOf('guarded', 'break'),
  articlesOf('first', '1'),
  looseResource(Article, 'me', {
    params: { id: { disabled: true } },
    routes: { only: ['updateOneBase'] },
    auth: { filter: () => ({ id: 1 }), persist: () => ({ id: 'break' }) },
  }),
  looseResource(Shelf, 'shelves', {
    params: { name: { field: 'name', type: 'string', primary: true } },
    routes: { replaceManyBase: true },
    auth: { persist: () => ({ name: 'a' }) },
  }),
];

describeDatabases('persist that names a key', (db) => {
  const served = serving(db, [Article, Shelf], RESOURCES);
  beforeEach(async () => {
    const { source } = served;
    await empty(source);
    const articles = "(1, 'one', 'one', 1), (2, 'two', 'two', 1)";
    await source.query(`INSERT INTO key_articles (id, slug, title, version) VALUES ${articles}`);
    await source.getRepository(Shelf).insert(['a', 'b'].map((name) => ({ name, title: name })));
  });

  type Method = 'patch' | 'post' | 'put';
  const send = async (...sent: Parameters<Application['send']>) => {
    const { status, body } = await served.send(...sent);
    return [status, body.code].filter((part) => part !== undefined);
  };
  const rows = async () => Object.values(await rowsOf(served.source)).flat();

  const REFUSED = [400, 'CRUD_OUT_OF_SCOPE'];
  const item = (id: unknown) => ({ bulk: [{ id, slug: 'one', title: 'new' }] });

  test.each<[Method, string, object]>([
    ['patch', '/guarded/2', { title: 'new' }],
    ['patch', '/guarded/2', {}],
    ['put', '/guarded/2', { slug: 'two', title: 'new' }],
    ['patch', '/guarded/bulk', item(1)],
    ['put', '/guarded/bulk', item('1')],
    ['patch', '/guarded/bulk?filter=slug||eq||two', { set: { title: 'new' } }],
    ['post', '/guarded', { slug: 'two', title: 'new' }],
    ['post', '/first', { slug: 'two', title: 'new' }],
    ['post', '/first/bulk', { bulk: [{ slug: 'two', title: 'new' }] }],
    ['patch', '/first/bulk', { bulk: [1, 2].map((id) => ({ id, title: 'new' })) }],
    ['patch', '/me', { title: 'new' }],
    ['patch', '/shelves/b', { title: 'new' }],
    ['put', '/shelves/c', { title: 'new' }],
    ['put', '/shelves/bulk', { bulk: [{ name: 'a', title: 'new' }, { name: 'c' }] }],
  ])('%s %s %j is refused and writes nothing', async (method, path, body) => {
    const before = await rows();
    expect(await send(method, path, body)).toEqual(REFUSED);
    expect(await rows()).toEqual(before);
  });

  test.each<[Method, string, object]>([
    ['patch', '/first/1', { title: 'new' }],
    ['patch', '/first/bulk?filter=slug||eq||one', { set: { title: 'new' } }],
    ['post', '/first', { slug: 'one', title: 'new' }],
    ['put', '/shelves/a', { title: 'new' }],
  ])('%s %s %j writes a record of that key', async (method, path, body) => {
    expect(await send(method, path, body)).toEqual([200]);
    expect((await rows()).filter(({ title }) => title === 'new')).toHaveLength(1);
  });

  test('a missing record, a stale version and a stale tag are told first', async () => {
    expect(await send('patch', '/guarded/9', { title: 'new' })).toEqual([404, 'CRUD_NOT_FOUND']);
    expect(await send('patch', '/guarded/bulk', item(9))).toEqual([404, 'CRUD_NOT_FOUND']);
    expect(await send('patch', '/guarded/2', { version: 7 })).toEqual([409, 'CRUD_STALE_VERSION']);
    expect((await send('patch', '/guarded/2', {}, { 'If-Match': '"x"' }))[0]).toBe(412);
  });
});
