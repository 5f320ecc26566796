/** `@CrudAuth({ persist })` that names a key: a record with another key is not written, by any route, and the check comes last. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type INestApplication, type Type } from '@nestjs/common';
import { type AuthOptions, type CrudOptions } from '@nestwright/crud';
import { IsInt, IsOptional } from 'class-validator';
import request from 'supertest';
import {
  Column,
  DataSource,
  Entity,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  type Relation,
  VersionColumn,
} from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { resource, type Resource, serve } from '../support/resources.js';

@Entity('key_articles')
class Article {
  @IsOptional({ always: true }) @IsInt({ always: true }) @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20, unique: true }) slug!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
  @VersionColumn() version!: number;
}

@Entity('key_shelves')
class Shelf {
  @PrimaryColumn({ type: 'varchar', length: 20 }) name!: string;
  @Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
}

@Entity('key_places')
class Place {
  @PrimaryColumn({ type: 'varchar', length: 20 }) shelfName!: string;
  @ManyToOne(() => Shelf)
  @JoinColumn({ name: 'shelfName' })
  shelf!: Relation<Shelf>;
  @PrimaryColumn({ type: 'int' }) number!: number;
  @Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
}

class Seat {
  @PrimaryColumn({ type: 'varchar', length: 20 }) row!: string;
  @PrimaryColumn({ type: 'int' }) number!: number;
}

@Entity('key_bookings')
class Booking {
  @Column(() => Seat) seat!: Seat;
  @Column({ type: 'varchar', length: 20, nullable: true }) title!: string | null;
}

const ENTITIES = [Article, Shelf, Place, Booking];

const ROUTES: CrudOptions['routes'] = {
  updateManyBase: { byCondition: true },
  replaceManyBase: true,
  createOneBase: { onConflict: ['slug'] },
  createManyBase: { onConflict: ['slug'] },
};

const SEAT: CrudOptions['params'] = {
  row: { field: 'seat.row', type: 'string', primary: true },
  number: { field: 'seat.number', type: 'number', primary: true },
};

const PLACE: Pick<CrudOptions, 'params' | 'routes'> = {
  params: {
    shelf: { field: 'shelfName', type: 'string', primary: true },
    number: { field: 'number', type: 'number', primary: true },
  },
  routes: { replaceManyBase: true, updateManyBase: true },
};

describeDatabases('persist that names a key', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;
  const resources: Resource[] = [];
  const add = (type: Type<object>, path: string, options: Partial<CrudOptions>, auth: AuthOptions) =>
    resources.push(resource(type, path, { query: { etag: true }, ...(options as object), auth }));

  const me: CrudOptions['params'] = { id: { disabled: true } };
  add(Article, 'guarded', { routes: ROUTES }, { persist: () => ({ id: 'break' }) });
  add(Article, 'zero', { routes: ROUTES }, { persist: () => ({ id: 0 }) });
  add(Article, 'first', { routes: ROUTES }, { persist: () => ({ id: '1' }) });
  add(Article, 'undefined', { routes: ROUTES }, { persist: () => ({ id: undefined }) });
  add(
    Article,
    'me',
    { params: me, routes: { only: ['updateOneBase'] } },
    { filter: () => ({ id: 1 }), persist: () => ({ id: 'break' }) },
  );
  const byName: CrudOptions['params'] = { name: { field: 'name', type: 'string', primary: true } };
  add(Shelf, 'shelves', { params: byName, routes: { replaceManyBase: true } }, { persist: () => ({ name: 'a' }) });
  add(Place, 'places', PLACE, { persist: () => ({ shelf: { name: 'a' } }) });
  add(Booking, 'bookings', { params: SEAT }, { persist: () => ({ seat: { row: 'a' } }) });
  add(Booking, 'unsaid', { params: SEAT }, { persist: () => ({ seat: { row: undefined } }) });
  add(Place, 'bare', PLACE, { persist: () => ({ shelf: 'a' }) });
  add(
    Place,
    'numbers',
    { params: { number: { field: 'number', type: 'number', primary: true } }, routes: { replaceManyBase: true } },
    { filter: () => ({ shelfName: 'a' }), persist: () => ({ shelf: { name: 'a' } }) },
  );

  beforeAll(async () => {
    ({ app, url, source } = await serve(db, ENTITIES, resources));
  });
  afterAll(() => app?.close());

  beforeEach(async () => {
    for (const entity of [Booking, Place, Shelf, Article])
      await source.getRepository(entity).createQueryBuilder().delete().execute();
    const articles = [1, 2].map((id) => ({ id, slug: ['one', 'two'][id - 1], title: ['one', 'two'][id - 1] }));
    await source
      .createQueryBuilder()
      .insert()
      .into(Article, ['id', 'slug', 'title', 'version'])
      .values(articles)
      .execute();
    await source.getRepository(Shelf).insert([{ name: 'a', title: 'a' }, { name: 'b', title: 'b' }]); // prettier-ignore
    await source.getRepository(Booking).insert(['a', 'b'].map((row) => ({ seat: { row, number: 1 }, title: row })));
    await source.getRepository(Place).insert([
      { shelfName: 'a', number: 1, title: 'a1' },
      { shelfName: 'b', number: 1, title: 'b1' },
    ]);
  });

  type Method = 'patch' | 'post' | 'put';
  const send = async (method: Method, path: string, body: object, headers: Record<string, string> = {}) => {
    const answer = await request(url)[method](path).set(headers).send(body);

    return [answer.status, (answer.body as { code?: string }).code].filter((part) => part !== undefined);
  };
  const rows = async () =>
    (await Promise.all(ENTITIES.map((entity) => source.getRepository(entity).find())))
      .flat()
      .map((row) => ({ ...row }));

  const REFUSED = [400, 'CRUD_OUT_OF_SCOPE'];
  const item = (id: unknown) => ({ bulk: [{ id, slug: 'one', title: 'new' }] });

  test.each<[Method, string, object]>([
    ['patch', '/guarded/2', { title: 'new' }],
    ['patch', '/guarded/2', {}],
    ['patch', '/guarded/2', { title: 'two' }],
    ['patch', '/guarded/2', { id: 2, title: 'two', version: 1 }],
    ['put', '/guarded/2', { slug: 'two', title: 'new' }],
    ['put', '/guarded/2', { id: 2, slug: 'two', title: 'new' }],
    ['patch', '/guarded/bulk', item(1)],
    ['put', '/guarded/bulk', item('1')],
    ['patch', '/guarded/bulk?filter=slug||eq||two', { set: { title: 'new' } }],
    ['patch', '/guarded/bulk?filter=slug||eq||two', { set: {} }],
    ['patch', '/zero/2', { title: 'new' }],
    ['patch', '/zero/bulk', item(1)],
    ['post', '/zero', { slug: 'two', title: 'new' }],
    ['post', '/guarded', { slug: 'two', title: 'new' }],
    ['post', '/guarded/bulk', { bulk: [{ slug: 'two', title: 'new' }] }],
    ['post', '/first', { slug: 'two', title: 'new' }],
    ['post', '/first/bulk', { bulk: [{ slug: 'two', title: 'new' }] }],
    ['patch', '/first/2', { title: 'new' }],
    ['put', '/first/2', { slug: 'two', title: 'new' }],
    [
      'patch',
      '/first/bulk',
      {
        bulk: [
          { id: 1, title: 'new' },
          { id: 2, title: 'new' },
        ],
      },
    ],
    ['patch', '/undefined/2', { title: 'new' }],
    ['patch', '/me', { title: 'new' }],
    ['patch', '/me', { id: 1, title: 'new' }],
    ['patch', '/shelves/b', { title: 'new' }],
    ['put', '/shelves/b', { title: 'new' }],
    ['put', '/shelves/c', { title: 'new' }],
    ['put', '/shelves/bulk', { bulk: [{ name: 'a', title: 'new' }, { name: 'c' }] }],
    ['patch', '/places/b/1', { title: 'new' }],
    ['put', '/places/b/1', { title: 'new' }],
    ['put', '/places/b/2', { title: 'new' }],
    ['put', '/places/bulk', { bulk: [{ shelfName: 'b', number: 1, title: 'new' }] }],
    ['patch', '/bookings/b/1', { title: 'new' }],
    ['put', '/bookings/b/2', { title: 'new' }],
    ['patch', '/unsaid/a/1', { title: 'new' }],
    ['patch', '/bare/b/1', {}],
    ['put', '/bare/b/2', {}],
  ])('%s %s %j is refused and writes nothing', async (method, path, body) => {
    const before = await rows();

    expect(await send(method, path, body)).toEqual(REFUSED);
    expect(await rows()).toEqual(before);
  });

  test.each<[Method, string, object, number]>([
    ['patch', '/first/1', { title: 'new' }, 200],
    ['put', '/first/1', { slug: 'one', title: 'new' }, 200],
    ['patch', '/first/bulk', { bulk: [{ id: 1, title: 'new' }] }, 200],
    ['patch', '/first/bulk?filter=slug||eq||one', { set: { title: 'new' } }, 200],
    ['post', '/first', { slug: 'one', title: 'new' }, 200],
    ['put', '/shelves/a', { title: 'new' }, 200],
    ['patch', '/places/a/1', { title: 'new' }, 200],
    ['put', '/places/a/2', { title: 'new' }, 201],
    ['put', '/bare/a/2', { title: 'new' }, 201],
    ['patch', '/bookings/a/1', { title: 'new' }, 200],
    ['put', '/bookings/a/2', { title: 'new' }, 201],
    ['patch', '/numbers/1', { title: 'new' }, 200],
    ['put', '/numbers/2', { title: 'new' }, 201],
    [
      'put',
      '/numbers/bulk',
      {
        bulk: [
          { number: 1, title: 'x' },
          { number: 2, title: 'new' },
        ],
      },
      201,
    ],
  ])('%s %s %j writes a record of that key', async (method, path, body, status) => {
    expect(await send(method, path, body)).toEqual([status]);
    expect((await rows()).filter(({ title }) => title === 'new')).toHaveLength(1);
  });

  test('a missing record, a stale version and a stale tag are told first', async () => {
    expect(await send('patch', '/guarded/9', { title: 'new' })).toEqual([404, 'CRUD_NOT_FOUND']);
    expect(await send('put', '/guarded/9', { slug: 'x' })).toEqual([404, 'CRUD_NOT_FOUND']);
    expect(await send('patch', '/guarded/bulk', item(9))).toEqual([404, 'CRUD_NOT_FOUND']);
    expect(await send('patch', '/guarded/2', { version: 7 })).toEqual([409, 'CRUD_STALE_VERSION']);
    expect(await send('put', '/guarded/2', { slug: 'x', version: 7 })).toEqual([409, 'CRUD_STALE_VERSION']);
    expect((await send('patch', '/guarded/2', {}, { 'If-Match': '"x"' }))[0]).toBe(412);
  });
});
