/** Requests over HTTP whose clients close the connection while they wait for one of the database's → what is sent to the database and stored all the same. */
import { request as send, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Catch, type ExceptionFilter, HttpException } from '@nestjs/common';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases, describePlatforms } from '../../../integration/test-support/index.js';
import { serialized } from '../../sql/src/connections/queue.js';
import { Statements } from './support/statements.js';
import { toDatabase } from '../src/typeorm/database.js';
import { resource } from './support/resources.js';
import { serving } from './support/serving.js';

@Entity('gone_note')
class Note {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 100 }) text!: string;
}

type Sent = [method: string, path: string, body?: object | undefined];

const codes: unknown[] = [];

@Catch(HttpException)
class Refusals implements ExceptionFilter {
  catch(exception: HttpException): void {
    codes.push((exception.getResponse() as { code?: string }).code);
  }
}

describePlatforms('clients that have gone', (platform) =>
  describeDatabases(platform, (db) => {
    // A logger looks on, so that rows come by TypeORM's runner; without one they come by the shorter way.
    describe.each(db.kind === 'postgres' ? [true, false] : [true])('statements logged: %s', (logged) => {
      const statements = new Statements();
      const app = serving(db, [Note], [resource(Note, 'notes')], {
        platform,
        source: { dropSchema: true, poolSize: 1, ...(logged && { logger: statements, logging: true }) },
        prepare: (nest) => void nest.useGlobalFilters(new Refusals()),
      });
      let sockets: Socket[];
      const server = () => app.app.getHttpServer() as Server;
      beforeAll(() => void server().on('connection', (socket: Socket) => sockets.push(socket)));

      beforeEach(async () => {
        codes.length = 0;
        sockets = [];
        await app.source.manager.clear(Note);
        await app.source.manager.insert(Note, { text: 'first' });
      });
      const begin = (...[method, path, body]: Sent): ClientRequest => {
        const { port } = server().address() as AddressInfo;
        const request = send({ port, path, method, headers: body && { 'content-type': 'application/json' } });
        request.on('error', () => undefined);
        request.end(body && JSON.stringify(body));
        return request;
      };
      const until = async (holds: () => boolean) => {
        for (let round = 0; round < 100 && !holds(); round += 1) await delay(10);
        expect(holds()).toBe(true);
      };
      /** Closes the connections of some requests while nobody else can have one of the database's. */
      const abandon = async (requests: Sent[]) => {
        let free!: () => void;
        const gate = new Promise<void>((resolve) => (free = resolve));
        const runner = app.source.createQueryRunner();
        if (db.kind !== 'sqlite') await runner.connect();
        const held = serialized(toDatabase(app.source), () => gate);
        const clients = requests.map((sent) => begin(...sent));
        await until(() => sockets.length === requests.length);
        await delay(100);
        clients.forEach((client) => client.destroy());
        await until(() => sockets.every((socket) => socket.destroyed));
        free();
        await held;
        await runner.release();
      };

      test.each<[done: string, calls: Sent[]]>([
        ['read', ['/notes', '/notes?page=1&limit=1', '/notes/:id'].map((path) => ['GET', path])],
        [
          'written',
          [
            ['POST', '/notes', { text: 'second' }],
            ['POST', '/notes/bulk', { bulk: [{ text: 'third' }, { text: 'fourth' }] }],
            ['PATCH', '/notes/:id', { text: 'changed' }],
            ['PUT', '/notes/:id', { text: 'replaced' }],
            ['DELETE', '/notes/:id'],
          ],
        ],
      ])('are not %s for, if nothing has begun', async (_, calls) => {
        const { id } = await app.source.getRepository(Note).findOneByOrFail({});
        const before = statements.all.length;
        await abandon(calls.map(([method, path, body]) => [method, path.replace(':id', String(id)), body]));
        await until(() => codes.length === calls.length);
        expect(codes).toEqual(calls.map(() => 'CRUD_CLIENT_CLOSED'));
        expect(statements.all.slice(before).filter(({ sql }) => sql.includes('gone_note'))).toEqual([]);
        expect(await app.source.getRepository(Note).find()).toEqual([{ id, text: 'first' }]);
      });

      test('lose no write that has begun', async () => {
        let begun = false;
        let free!: () => void;
        const gate = new Promise<void>((resolve) => (free = resolve));
        app.source.subscribers.push({
          afterInsert: async () => {
            begun = true;
            await gate;
          },
        });
        const client = begin('POST', '/notes', { text: 'begun' });
        await until(() => begun);
        client.destroy();
        await until(() => sockets.every((socket) => socket.destroyed));
        app.source.subscribers.pop();
        free();
        const find = () => app.source.getRepository(Note).find({ order: { id: 'ASC' } });
        const texts = async () => (await serialized(toDatabase(app.source), find)).map(({ text }) => text);
        for (let round = 0; round < 100 && (await texts()).length < 2; round += 1) await delay(20);
        expect(await texts()).toEqual(['first', 'begun']);
        expect(codes).toEqual([]);
      });
    });
  }),
);
