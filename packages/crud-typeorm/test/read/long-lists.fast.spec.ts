/** Lists of more than a megabyte over HTTP, sent in pieces, beside the same list that the platform sends as one: status, headers and bytes are the same. */
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type CallHandler, type ExecutionContext, HttpCode, type INestApplication } from '@nestjs/common';
import { type NestInterceptor, UseInterceptors } from '@nestjs/common';
import { Exclude } from 'class-transformer';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase } from '../../src/index.js';
import { resource, serve } from '../support/resources.js';
import { serving } from '../support/serving.js';

@Entity('long_memo')
class Memo {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: 'text', nullable: true }) label!: string | null;
  @Exclude() @Column({ type: 'int' }) secret!: number;
}

/** Looks at nothing, but might. */
class Watch implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler) {
    return next.handle();
  }
}

const labelOf = (index: number) => (index % 3 ? `é "${index}" \u2028 😀 `.repeat(130) : null);
const ROWS = Array.from({ length: 1600 }, (_, index) => ({ id: index + 1, label: labelOf(index), secret: 7 }));
const LISTS = ['?sort=id,ASC', '?sort=id,ASC&limit=1500&page=1', '?sort=id,DESC&fields=label&filter=id||gt||100'];
const fill = ({ manager }: DataSource) => manager.save(Memo, ROWS, { chunk: 200 });
const query = { maxLimit: false } as const;
const WATCHED = resource(Memo, 'watched', { query });
UseInterceptors(Watch)(WATCHED.controller);
const RESOURCES = [
  resource(Memo, 'memos', { query }),
  WATCHED,
  resource(Memo, 'route-watched', { query, routes: { getManyBase: { interceptors: [Watch] } } }),
  resource(Memo, 'status', { query, routes: { getManyBase: { decorators: [HttpCode(203)] } } }),
];

describePlatforms('long lists', (platform) =>
  describeDatabases(platform, (db) => {
    let responses: { writes: number; response: ServerResponse }[];
    const noteWrites = (app: INestApplication) =>
      void (app.getHttpServer() as Server).prependListener('request', (_, response: ServerResponse) => {
        const noted = { writes: 0, response };
        const write = response.write.bind(response) as (chunk: unknown, ...rest: never[]) => boolean;
        responses.push(noted);
        response.write = (chunk: unknown, ...rest: never[]) => ((noted.writes += 1), write(chunk, ...rest));
      });
    const main = serving(db, [Memo], RESOURCES, { platform, fill, prepare: noteWrites });
    const answer = async (path: string, init: RequestInit = {}, url = main.url) => {
      responses = [];
      const response = await fetch(url + path, init);
      const { date: _, 'keep-alive': __, ...headers } = Object.fromEntries(response.headers);
      const text = await response.text();
      return { answer: { status: response.status, headers, text }, writes: responses[0]?.writes ?? -1 };
    };
    afterEach(() => configureCrudDatabase(main.source, { fastPaths: true }));

    test.each([true, false])(
      'are sent in pieces as the platform sends them in one; fast paths: %s',
      async (fastPaths) => {
        configureCrudDatabase(main.source, { fastPaths });
        for (const list of LISTS) {
          const { answer: pieces, writes } = await answer(`/memos${list}`);
          const one = await answer(`/watched${list}`);
          expect(pieces).toEqual(one.answer);
          expect(pieces.text).not.toContain('secret');
          expect(pieces.headers['content-length']).toBe(String(Buffer.byteLength(pieces.text)));
          expect([writes > 10, one.writes]).toEqual([true, 0]);
          expect((await answer(`/route-watched${list}`)).answer).toEqual(one.answer);
        }
        const { text } = (await answer('/memos?sort=id,ASC')).answer;
        expect(JSON.parse(text)).toEqual(ROWS.map(({ id, label }) => ({ id, label })));
      },
    );

    test('a client that has the list already gets the same answer, and so does HEAD', async () => {
      const { headers } = (await answer('/watched?sort=id,ASC')).answer;
      const cached = { 'cache-control': 'max-age=0' };
      for (const init of [
        ...[headers['etag'] ?? '*', '"another"'].map((etag) => ({ headers: { ...cached, 'if-none-match': etag } })),
        { method: 'HEAD' },
      ] satisfies RequestInit[]) {
        const pieces = await answer('/memos?sort=id,ASC', init);
        expect(pieces.answer).toEqual((await answer('/watched?sort=id,ASC', init)).answer);
      }
      const init = { headers: { ...cached, 'if-none-match': headers['etag'] ?? '"none"' } };
      expect((await answer('/memos?sort=id,ASC', init)).answer.status).toBe(platform === 'express' ? 304 : 200);
    });

    test('a short list, and one under another status, are sent in one', async () => {
      expect((await answer('/memos?limit=1100&fields=id')).writes).toBe(0);
      const { answer: status, writes } = await answer('/status');
      expect([status.status, writes]).toEqual([203, 0]);
    });

    test('clients that leave amid a list end its sending, and the next one gets all of it', async () => {
      responses = [];
      for (let count = 0; count < 5; count += 1) {
        const outgoing = get(`${main.url}/memos`);
        const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage];
        await once(incoming, 'data');
        outgoing.destroy();
        outgoing.on('error', () => undefined);
        incoming.on('error', () => undefined);
      }
      for (let tries = 0; tries < 300 && !responses.every(({ response }) => response.destroyed); tries += 1)
        await delay(10);
      expect(responses.map(({ response }) => response.destroyed)).toEqual([true, true, true, true, true]);
      expect(JSON.parse((await answer('/memos')).answer.text)).toHaveLength(ROWS.length);
    });

    test('what the application makes of answers is asked for whole ones', async () => {
      const seen: number[] = [];
      const give = (_: unknown, response: ServerResponse, next: () => void) => {
        response.setHeader('content-type', 'application/vnd.api+json');
        response.setHeader('etag', '"given"');
        next();
      };
      const noting: Hook = (_, __, payload, done) => (seen.push(payload.length), done(null, payload));
      const own = ({ length }: Buffer) => (seen.push(length), `"own-${length}"`);
      const tags = [false, 'strong', own].map((etag) => (app: INestApplication) => instanceOf(app).set('etag', etag));
      const prepares: ((app: INestApplication) => void)[] =
        platform === 'express'
          ? [...tags, (app) => app.use(give)]
          : [(app) => instanceOf(app).addHook('onSend', noting)];
      for (const prepare of prepares) {
        const { app, source, url } = await serve(db, [Memo], RESOURCES, { platform, prepare });
        try {
          await fill(source);
          const [pieces, one] = [
            await answer(`/memos${LISTS[0]}`, {}, url),
            await answer(`/watched${LISTS[0]}`, {}, url),
          ];
          expect(pieces.answer).toEqual(one.answer);
        } finally {
          await app.close();
        }
      }
      expect(seen.filter((length) => length > 2 ** 20)).toHaveLength(2);
    });
  }),
);

type Hook = (request: unknown, reply: unknown, payload: string, done: (error: null, payload: string) => void) => void;

/** What is used of Express, and of Fastify. */
interface Instance {
  set(setting: string, value: unknown): void;
  addHook(name: string, hook: Hook): void;
}

const instanceOf = (app: INestApplication) => app.getHttpAdapter().getInstance() as Instance;
