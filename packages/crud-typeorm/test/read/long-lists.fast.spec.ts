/** Lists of more than a megabyte over HTTP, sent in pieces, beside the same list that the platform sends as one: status, headers and bytes are the same. */
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  HttpCode,
  type INestApplication,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Exclude } from 'class-transformer';
import { Crud } from '@nestwright/crud';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms, listen } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase, TypeOrmCrudService } from '../../src/index.js';
import { connect } from '../support/resources.js';

@Entity('long_memo')
class Memo {
  @PrimaryColumn({ type: 'int' })
  id!: number;

  @Column({ type: 'text', nullable: true })
  label!: string | null;

  @Exclude()
  @Column({ type: 'int' })
  secret!: number;
}

class MemoService extends TypeOrmCrudService<Memo> {}

/** Looks at nothing, but might. */
class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

const ROWS = Array.from({ length: 1600 }, (_, index) => ({
  id: index + 1,
  label: index % 3 ? `é "${index}" \u2028 😀 `.repeat(130) : null,
  secret: 7,
}));
const LISTS = ['?sort=id,ASC', '?sort=id,ASC&limit=1500&page=1', '?sort=id,DESC&fields=label&filter=id||gt||100'];

describePlatforms('long lists', (platform) =>
  describeDatabases(platform, (db) => {
    let source: DataSource;
    let app: INestApplication;
    let url: string;
    let responses: { writes: number; response: ServerResponse }[];

    const options = { model: { type: Memo }, query: { maxLimit: false } } as const;

    @Crud(options)
    @Controller('memos')
    class Memos {
      constructor(readonly service: MemoService) {}
    }

    @Crud(options)
    @UseInterceptors(Watch)
    @Controller('watched')
    class Watched {
      constructor(readonly service: MemoService) {}
    }

    @Crud({ ...options, routes: { getManyBase: { interceptors: [Watch] } } })
    @Controller('route-watched')
    class RouteWatched {
      constructor(readonly service: MemoService) {}
    }

    @Crud({ ...options, routes: { getManyBase: { decorators: [HttpCode(203)] } } })
    @Controller('status')
    class Status {
      constructor(readonly service: MemoService) {}
    }

    const start = async (prepare: (application: INestApplication) => void = () => undefined) => {
      const module = await Test.createTestingModule({
        controllers: [Memos, Watched, RouteWatched, Status],
        providers: [{ provide: MemoService, useFactory: () => new MemoService(source.getRepository(Memo)) }],
      }).compile();
      const create = module.createNestApplication.bind(module);
      Object.assign(module, {
        createNestApplication: (...parameters: Parameters<typeof create>) => {
          const application = create(...parameters);
          prepare(application);
          (application.getHttpServer() as Server).prependListener('request', (_, response: ServerResponse) => {
            const noted = { writes: 0, response };
            const write = response.write.bind(response) as (chunk: unknown, ...rest: never[]) => boolean;
            responses.push(noted);
            response.write = (chunk: unknown, ...rest: never[]) => ((noted.writes += 1), write(chunk, ...rest));
          });

          return application;
        },
      });

      return listen(module, platform);
    };
    const answer = async (origin: string, path: string, init: RequestInit = {}) => {
      responses = [];
      const response = await fetch(origin + path, init);
      const { date: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);

      return {
        answer: { status: response.status, headers, text: await response.text() },
        writes: responses[0]!.writes,
      };
    };

    beforeAll(async () => {
      source = await connect(db, [Memo]);
      await source.getRepository(Memo).save(ROWS, { chunk: 200 });
      ({ app, url } = await start());
    });

    afterEach(() => configureCrudDatabase(source, { fastPaths: true }));

    afterAll(async () => {
      await app.close();
      await source.destroy();
    });

    test.each([true, false])(
      'are sent in pieces like the platform sends them in one; fast paths: %s',
      async (fastPaths) => {
        configureCrudDatabase(source, { fastPaths });

        for (const list of LISTS) {
          const pieces = await answer(url, `/memos${list}`);
          const one = await answer(url, `/watched${list}`);

          expect(pieces.answer).toEqual(one.answer);
          expect(pieces.answer.text).not.toContain('secret');
          expect(pieces.answer.headers['content-length']).toBe(String(Buffer.byteLength(pieces.answer.text)));
          expect([pieces.writes > 10, one.writes]).toEqual([true, 0]);
          expect((await answer(url, `/route-watched${list}`)).answer).toEqual(one.answer);
        }
        expect(JSON.parse((await answer(url, '/memos?sort=id,ASC')).answer.text)).toEqual(
          ROWS.map(({ id, label }) => ({ id, label })),
        );
      },
    );

    test('a client that has the list already gets the same answer, and so does HEAD', async () => {
      const { headers } = (await answer(url, '/watched?sort=id,ASC')).answer;
      const cached = { 'cache-control': 'max-age=0' };

      for (const init of [
        { headers: { ...cached, 'if-none-match': headers['etag'] ?? '*' } },
        { headers: { ...cached, 'if-none-match': '"another"' } },
        { method: 'HEAD' },
      ] satisfies RequestInit[]) {
        const pieces = await answer(url, '/memos?sort=id,ASC', init);

        expect(pieces.answer).toEqual((await answer(url, '/watched?sort=id,ASC', init)).answer);
      }

      const init = { headers: { ...cached, 'if-none-match': headers['etag'] ?? '"none"' } };
      expect((await answer(url, '/memos?sort=id,ASC', init)).answer.status).toBe(platform === 'express' ? 304 : 200);
    });

    test('a short list, and one under another status, are sent in one', async () => {
      expect((await answer(url, '/memos?limit=1100&fields=id')).writes).toBe(0);

      const { answer: status, writes } = await answer(url, '/status');
      expect([status.status, writes]).toEqual([203, 0]);
    });

    test('clients that leave amid a list end its sending, and the next one gets all of it', async () => {
      responses = [];
      for (let count = 0; count < 5; count += 1) {
        const outgoing = get(`${url}/memos`);
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
        await once(incoming, 'data');
        outgoing.destroy();
        outgoing.on('error', () => undefined);
        incoming.on('error', () => undefined);
      }
      for (let tries = 0; tries < 300 && !responses.every(({ response }) => response.destroyed); tries += 1)
        await delay(10);
      expect(responses.map(({ response }) => response.destroyed)).toEqual([true, true, true, true, true]);
      expect(JSON.parse((await answer(url, '/memos')).answer.text)).toHaveLength(ROWS.length);
    });

    test('what the application makes of answers is asked for whole ones', async () => {
      const seen: unknown[] = [];
      const prepares: ((application: INestApplication) => void)[] =
        platform === 'express'
          ? [
              (own) => void instanceOf(own).set('etag', false),
              (own) => void instanceOf(own).set('etag', 'strong'),
              (own) =>
                void instanceOf(own).set('etag', (body: Buffer) => (seen.push(body.length), `"own-${body.length}"`)),
              (own) =>
                void own.use((_: unknown, response: ServerResponse, next: () => void) => {
                  response.setHeader('content-type', 'application/vnd.api+json');
                  response.setHeader('etag', '"given"');
                  next();
                }),
            ]
          : [
              (own) =>
                void instanceOf(own).addHook('onSend', (_, __, payload, done) => {
                  seen.push((payload as string).length);
                  done(null, payload);
                }),
            ];

      for (const prepare of prepares) {
        const other = await start(prepare);
        try {
          expect((await answer(other.url, '/memos?sort=id,ASC')).answer).toEqual(
            (await answer(other.url, '/watched?sort=id,ASC')).answer,
          );
        } finally {
          await other.app.close();
        }
      }
      expect(seen.filter((length) => (length as number) > 2 ** 20)).toHaveLength(2);
    });
  }),
);

/** What is used of Express, and of Fastify. */
interface Instance {
  set(setting: string, value: unknown): void;
  addHook(
    name: string,
    hook: (request: unknown, reply: unknown, payload: unknown, done: (error: null, payload: unknown) => void) => void,
  ): void;
}

const instanceOf = (app: INestApplication) => app.getHttpAdapter().getInstance() as Instance;
