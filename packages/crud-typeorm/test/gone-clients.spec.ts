/** Requests over HTTP whose clients close the connection while they wait for one of the database's → what is sent to the database and stored all the same. */
import { request as send, type Server } from 'node:http';
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

const codes: unknown[] = [];

@Catch(HttpException)
class Refusals implements ExceptionFilter {
  catch(exception: HttpException): void {
    codes.push((exception.getResponse() as { code?: string }).code);
  }
}

const CALLS: readonly [method: string, path: string, body?: object][] = [
  ...['/notes', '/notes?page=1&limit=1', '/notes/1'].map((path): [string, string] => ['GET', path]),
  ['POST', '/notes', { text: 'second' }],
  ['POST', '/notes/bulk', { bulk: [{ text: 'third' }, { text: 'fourth' }] }],
  ['PATCH', '/notes/1', { text: 'changed' }],
  ['PUT', '/notes/1', { text: 'replaced' }],
  ['DELETE', '/notes/1'],
];

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
      beforeAll(async () => {
        server().on('connection', (socket: Socket) => sockets.push(socket));
        await app.source.manager.insert(Note, { text: 'first' });
      });
      beforeEach(() => {
        codes.length = 0;
        sockets = [];
      });
      const begin = (method: string, path: string, body?: object) => {
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
      const texts = async () => {
        const find = () => app.source.getRepository(Note).find({ order: { id: 'ASC' } });
        return (await serialized(toDatabase(app.source), find)).map(({ text }) => text);
      };

      test('have nothing read or written for them if nothing has begun', async () => {
        let free!: () => void;
        const gate = new Promise<void>((resolve) => (free = resolve));
        // Nobody else can have a connection of the database's.
        const runner = app.source.createQueryRunner();
        if (db.kind !== 'sqlite') await runner.connect();
        const held = serialized(toDatabase(app.source), () => gate);
        const before = statements.all.length;
        const clients = CALLS.map((call) => begin(...call));
        await until(() => sockets.length === CALLS.length);
        await delay(100);
        clients.forEach((client) => client.destroy());
        await until(() => sockets.every((socket) => socket.destroyed));
        free();
        await held;
        await runner.release();
        await until(() => codes.length === CALLS.length);
        expect(new Set(codes)).toEqual(new Set(['CRUD_CLIENT_CLOSED']));
        expect(statements.all.slice(before).filter(({ sql }) => sql.includes('gone_note'))).toEqual([]);
        expect(await texts()).toEqual(['first']);
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
        for (let round = 0; round < 100 && (await texts()).length < 2; round += 1) await delay(20);
        expect([await texts(), codes]).toEqual([['first', 'begun'], []]);
      });
    });
  }),
);
