/** Lists of more than a megabyte over HTTP, sent in pieces, beside the same list that the platform sends as one: status, headers and bytes are the same. */
import { get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { type CallHandler, type ExecutionContext, UseInterceptors } from '@nestjs/common';
import type { INestApplication, NestInterceptor } from '@nestjs/common';
import { Exclude } from 'class-transformer';
import { Column, type DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../../integration/test-support/index.js';
import { configureCrudDatabase } from '../../src/index.js';
import { resource } from '../support/resources.js';
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
    const answer = async (path: string) => {
      responses = [];
      const response = await fetch(main.url + path);
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
  }),
);
