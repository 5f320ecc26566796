/** Requests over HTTP to one resource, with the fast paths on and off: status, headers and bytes are the same, and what of the application looks at responses still sees records. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import { map } from 'rxjs';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms, listen } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { connect } from '../support/resources.js';

@Entity('memo')
class Memo {
  static made = 0;

  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'varchar', nullable: true })
  label!: string | null;

  constructor() {
    Memo.made += 1;
  }
}

class MemoService extends TypeOrmCrudService<Memo> {}

const seen: unknown[] = [];

class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value: unknown) => (seen.push(value), value)));
  }
}

const ROWS = Array.from({ length: 50 }, (_, index) => ({
  id: index + 1,
  label: index % 2 ? null : `é "${index}" \u2028 😀`,
}));

describePlatforms('text over HTTP', (platform) =>
  describeDatabases(
    platform,
    (db) => {
      let source: DataSource;
      let app: INestApplication;
      let url: string;

      @Crud({ model: { type: Memo } })
      @Controller('memos')
      class Memos {
        constructor(readonly service: MemoService) {}
      }

      @Crud({ model: { type: Memo } })
      @UseInterceptors(Watch)
      @Controller('watched')
      class Watched {
        constructor(readonly service: MemoService) {}
      }

      @Crud({ model: { type: Memo }, routes: { getManyBase: { interceptors: [Watch] } } })
      @Controller('route-watched')
      class RouteWatched {
        constructor(readonly service: MemoService) {}
      }

      @Crud({ model: { type: Memo } })
      @Controller('own')
      class Own {
        constructor(readonly service: MemoService) {}

        @Override()
        async getMany(@ParsedRequest() req: CrudRequest) {
          const records = await this.service.getMany(req);
          seen.push(records);

          return records;
        }
      }

      const start = async (prepare: (application: INestApplication) => void = () => undefined) => {
        const module = await Test.createTestingModule({
          controllers: [Memos, Watched, RouteWatched, Own],
          providers: [{ provide: MemoService, useFactory: () => new MemoService(source.getRepository(Memo)) }],
        }).compile();
        const create = module.createNestApplication.bind(module);
        Object.assign(module, {
          createNestApplication: (...parameters: Parameters<typeof create>) => {
            const application = create(...parameters);
            prepare(application);

            return application;
          },
        });

        return listen(module, platform);
      };
      const answer = async (origin: string, path: string, init: RequestInit = {}) => {
        const before = Memo.made;
        const response = await fetch(origin + path, init);
        const { date: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);

        return { status: response.status, headers, text: await response.text(), made: Memo.made - before };
      };

      beforeAll(async () => {
        source = await connect(db, [Memo]);
        await source.getRepository(Memo).insert(ROWS);
        ({ app, url } = await start());
      });
      afterAll(async () => {
        await app.close();
        await source.destroy();
      });

      const PATHS = [
        '/memos',
        '/memos?limit=3&page=2',
        '/memos/7',
        '/memos?fields=label&s={"id":{"$lt":9}}',
        '/memos/999',
        '/memos?fields=x',
      ];

      test.each(PATHS)('%s is the same with the fast paths and without', async (path) => {
        for (const init of [{}, { method: 'HEAD' }]) {
          configureCrudDatabase(source, { fastPaths: true });
          const quick = await answer(url, path, init);
          const etag = quick.headers['etag'];
          const again =
            etag === undefined
              ? undefined
              : await answer(url, path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
          configureCrudDatabase(source, { fastPaths: false });
          const plain = await answer(url, path, init);

          expect({ ...quick, made: 0 }).toEqual({ ...plain, made: 0 });
          if (quick.status === 200) expect(quick.headers['content-type']).toBe('application/json; charset=utf-8');
          if (again && quick.status === 200) expect([again.status, again.text]).toEqual([304, '']);
        }
        configureCrudDatabase(source, { fastPaths: true });
      });

      test('no records are made, but one that shows whether its constructor does anything', async () => {
        await answer(url, '/memos');
        expect(await answer(url, '/memos')).toMatchObject({ status: 200, made: 1 });
      });

      test.each(['/watched', '/route-watched', '/own'])('%s sees records', async (path) => {
        seen.length = 0;
        const { text, made } = await answer(url, path);

        expect(JSON.parse(text)).toEqual(ROWS);
        expect(made).toBeGreaterThanOrEqual(ROWS.length);
        expect(seen).toEqual([ROWS.map((row) => expect.objectContaining(row))]);
      });

      test('so does a global interceptor', async () => {
        const watched = await start((application) => void application.useGlobalInterceptors(new Watch()));
        seen.length = 0;

        expect(JSON.parse((await answer(watched.url, '/memos')).text)).toEqual(ROWS);
        expect(seen).toEqual([ROWS]);
        await watched.app.close();
      });

      test('the platform prints JSON in its own way where it was told to', async () => {
        const told = await start((application) => {
          const instance = application.getHttpAdapter().getInstance() as {
            set(name: string, value: unknown): void;
            addHook(name: string, hook: unknown): void;
          };

          if (platform === 'express') instance.set('json spaces', 1);
          else instance.addHook('preSerialization', async (_: unknown, __: unknown, payload: unknown) => ({ payload }));
        });

        expect((await answer(told.url, '/memos?limit=1')).text).toBe(
          platform === 'express' ? JSON.stringify([ROWS[0]], null, 1) : JSON.stringify({ payload: [ROWS[0]] }),
        );
        await told.app.close();
      });
    },
    ['sqlite', 'postgres'],
  ),
);
