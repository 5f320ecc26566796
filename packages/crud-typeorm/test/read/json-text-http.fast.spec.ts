/** Requests over HTTP to one resource, with the fast paths on and off: status, headers and bytes are the same, and what of the application looks at responses still sees records. */
import { expect, test } from '@jest/globals';
import { type CallHandler, Controller, type ExecutionContext, Inject } from '@nestjs/common';
import { type INestApplication, type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { Crud, type CrudRequest, Override, ParsedRequest } from '@nestwright/crud';
import { map } from 'rxjs';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, type TypeOrmCrudService } from '../../src/index.js';
import { resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('memo')
class Memo {
  static made = 0;
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'varchar', nullable: true }) label!: string | null;
  constructor() {
    Memo.made += 1;
  }
}

const seen: unknown[] = [];

class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle().pipe(map((value: unknown) => (seen.push(value), value)));
  }
}

const MEMOS = resource(Memo, 'memos');
const WATCHED = resource(Memo, 'watched');
UseInterceptors(Watch)(WATCHED.controller);

@Crud({ model: { type: Memo } })
@Controller('own')
class Own {
  constructor(@Inject(MEMOS.provider) readonly service: TypeOrmCrudService<Memo>) {}
  @Override() async getMany(@ParsedRequest() req: CrudRequest) {
    const records = await this.service.getMany(req);
    seen.push(records);
    return records;
  }
}

const ROUTED = resource(Memo, 'route-watched', { routes: { getManyBase: { interceptors: [Watch] } } });
const RESOURCES = [MEMOS, WATCHED, ROUTED, { controller: Own }];
const labelOf = (index: number) => (index % 2 ? null : `é "${index}" \u2028 😀`);
const ROWS = Array.from({ length: 50 }, (_, index) => ({ id: index + 1, label: labelOf(index) }));
const fill = ({ manager }: DataSource) => manager.upsert(Memo, ROWS, ['id']);

describePlatforms('text over HTTP', (platform) =>
  describeDatabases(
    platform,
    (db) => {
      const main = serving(db, [Memo], RESOURCES, { platform, fill });
      const answer = async (path: string, init: RequestInit = {}, url = main.url) => {
        const before = Memo.made;
        const response = await fetch(url + path, init);
        const { date: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);
        return { status: response.status, headers, text: await response.text(), made: Memo.made - before };
      };
      /** What an application answers that is prepared in some way. */
      const prepared = async (path: string, prepare: (app: INestApplication) => void) => {
        const { app, source, url } = await serve(db, [Memo], RESOURCES, { platform, prepare });
        try {
          await fill(source);
          seen.length = 0;
          return (await answer(path, {}, url)).text;
        } finally {
          await app.close();
        }
      };

      const paths = ['', '?limit=3&page=2', '/7', '?fields=label&s={"id":{"$lt":9}}', '/999', '?fields=x'];
      test.each(paths.map((path) => `/memos${path}`))(
        '%s is the same with the fast paths and without',
        async (path) => {
          for (const init of [{}, { method: 'HEAD' }]) {
            configureCrudDatabase(main.source, { fastPaths: true });
            const quick = await answer(path, init);
            const etag = quick.headers['etag'] ?? '';
            const again = await answer(path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } });
            configureCrudDatabase(main.source, { fastPaths: false });
            const plain = await answer(path, init);
            expect({ ...quick, made: 0 }).toEqual({ ...plain, made: 0 });
            if (quick.status === 200) expect(quick.headers['content-type']).toBe('application/json; charset=utf-8');
            if (etag && quick.status === 200) expect([again.status, again.text]).toEqual([304, '']);
          }
          configureCrudDatabase(main.source, { fastPaths: true });
        },
      );

      test('no records are made, but one that shows whether its constructor does anything', async () => {
        await answer('/memos');
        expect(await answer('/memos')).toMatchObject({ status: 200, made: 1 });
      });

      test.each(['/watched', '/route-watched', '/own'])('%s sees records', async (path) => {
        seen.length = 0;
        const { text, made } = await answer(path);
        expect([JSON.parse(text), seen]).toEqual([ROWS, [ROWS]]);
        expect(made).toBeGreaterThanOrEqual(ROWS.length);
      });

      test('so does a global interceptor', async () => {
        const text = await prepared('/memos', (app) => void app.useGlobalInterceptors(new Watch()));
        expect([JSON.parse(text), seen]).toEqual([ROWS, [ROWS]]);
      });

      test('the platform prints JSON in its own way where it was told to', async () => {
        type Told = Record<'set' | 'addHook', (name: string, value: unknown) => void>;
        const text = await prepared('/memos?limit=1', (app) => {
          const instance = app.getHttpAdapter().getInstance() as Told;
          if (platform === 'express') instance.set('json spaces', 1);
          else instance.addHook('preSerialization', async (_: unknown, __: unknown, payload: unknown) => ({ payload }));
        });
        const [shown, spaces] = platform === 'express' ? [[ROWS[0]], 1] : [{ payload: [ROWS[0]] }];
        expect(text).toBe(JSON.stringify(shown, null, spaces));
      });
    },
    ['sqlite', 'postgres'],
  ),
);
