/** That the `Link` headers of a list lead through all of it, by pages and by cursors, on both platforms. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type INestApplication } from '@nestjs/common';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import { resource, serve } from '../support/resources.js';

@Entity()
class Pebble {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) name!: string;
}

/** Reads its lists through a builder of its own. */
class BuildingService extends TypeOrmCrudService<Pebble> {
  override createBuilder(...given: Parameters<TypeOrmCrudService<Pebble>['createBuilder']>) {
    return super.createBuilder(...given);
  }
}

const RESOURCES = [
  resource(Pebble, 'pebbles', { query: { cursor: true, links: true, limit: 2 } }),
  resource(Pebble, 'always', { query: { links: true, alwaysPaginate: true, limit: 4 } }),
  resource(Pebble, 'unlinked', { query: { cursor: true } }),
  resource(Pebble, 'built', { query: { links: true, limit: 2 }, service: BuildingService }),
];

describePlatforms('links', (platform) => {
  describeDatabases(
    'pages',
    (db) => {
      let app: INestApplication;
      let url: string;

      beforeAll(async () => {
        const { source, ...served } = await serve(db, [Pebble], RESOURCES, { platform });
        ({ app, url } = served);
        await source.getRepository(Pebble).insert(['a', 'b', 'c', 'd', 'e'].map((name) => ({ name })));
      });

      afterAll(() => app?.close());

      const read = async (path: string) => {
        const response = await fetch(new URL(path, url));
        const body = (await response.json()) as { data: { id: number }[] };

        return { status: response.status, header: response.headers.get('link'), body };
      };
      const next = (header: string | null) => /<([^>]*)>; rel="next"/.exec(header ?? '')?.[1];

      const walk = async (start: string): Promise<number[]> => {
        const ids: number[] = [];
        for (let path: string | undefined = start; path !== undefined;) {
          const { status, header, body } = await read(path);
          expect(status).toBe(200);
          ids.push(...body.data.map(({ id }) => id));
          path = next(header);
        }

        return ids;
      };

      test.each(['/pebbles?page=1', '/pebbles?cursor=', '/built?page=1', '/always'])(
        'the links of %s lead through the whole list',
        async (path) => {
          expect(await walk(path)).toEqual([1, 2, 3, 4, 5]);
        },
      );

      test('a page by number has the first, the last and its neighbours', async () => {
        expect((await read('/pebbles?limit=2&page=2')).header).toBe(
          [
            '</pebbles?limit=2&page=1>; rel="first"',
            '</pebbles?limit=2&page=1>; rel="prev"',
            '</pebbles?limit=2&page=3>; rel="next"',
            '</pebbles?limit=2&page=3>; rel="last"',
          ].join(', '),
        );
      });

      test('lists that are no pages, and resources without the option, have no such header', async () => {
        for (const path of [
          '/pebbles',
          '/pebbles?offset=1&limit=2',
          '/pebbles/1',
          '/unlinked?page=1&limit=2',
          '/unlinked?cursor=',
        ])
          expect({ path, header: (await read(path)).header }).toEqual({ path, header: null });
      });
    },
    ['sqlite', 'postgres'],
  );
});
