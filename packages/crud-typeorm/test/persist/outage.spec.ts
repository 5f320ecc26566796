/** Writes under load while the way to the server is cut and mended → 503s, no lost acknowledged write, and recovery by itself. */
import { type AddressInfo, connect as connectTo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Logger } from '@nestjs/common';
import { Column, type DataSource, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describeDatabases } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { requestOf } from '../support/requests.js';
import { connect } from '../support/resources.js';

@Entity('entries')
class Entry {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar', length: 20 }) name!: string;
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Stands between the application and its server, and can be taken away. */
class Wire {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  port = 0;

  constructor(private readonly target: { readonly host: string; readonly port: number }) {}

  async mend(): Promise<void> {
    this.server = createServer((client) => {
      const upstream = connectTo(this.target.port, this.target.host);
      for (const socket of [client, upstream]) this.sockets.add(socket.on('error', () => socket.destroy()));
      client.pipe(upstream).pipe(client);
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

beforeAll(() => Logger.overrideLogger(false));
afterAll(() => Logger.overrideLogger(true));

describeDatabases(
  'an outage',
  (db) => {
    let source: DataSource;
    let wire: Wire;
    let entries: TypeOrmCrudService<Entry>;

    beforeAll(async () => {
      const url = new URL(db.url);
      wire = new Wire({ host: url.hostname, port: Number(url.port) || (db.kind === 'postgres' ? 5432 : 3306) });
      await wire.mend();
      url.hostname = '127.0.0.1';
      url.port = String(wire.port);
      source = await connect({ connection: { ...db.connection, url: url.href } as never }, [Entry], { poolSize: 10 });
      entries = new TypeOrmCrudService(source.getRepository(Entry));
    });

    afterAll(async () => {
      await source.destroy();
      await wire.cut();
    });

    test('is a 503 until it ends; no write that was acknowledged is lost', async () => {
      const acknowledged: string[] = [];
      const codes = new Set<unknown>();
      let running = true;
      let count = 0;
      const worker = async () => {
        while (running) {
          const name = `e${(count += 1)}`;
          try {
            await entries.createOne(requestOf(), { name });
            acknowledged.push(name);
          } catch (error) {
            codes.add((error as { getResponse?: () => { code?: unknown } }).getResponse?.().code ?? error);
            await pause(10);
          }
        }
      };
      const workers = Array.from({ length: 10 }, worker);
      while (acknowledged.length === 0) await pause(10);
      await wire.cut();
      await pause(300);
      const before = acknowledged.length;
      await wire.mend();
      const mended = Date.now();
      while (acknowledged.length === before && Date.now() - mended < 5000) await pause(10);
      const healed = Date.now() - mended;
      await pause(100);
      running = false;
      await Promise.all(workers);
      const stored = new Set((await source.getRepository(Entry).find()).map(({ name }) => name));

      expect([...codes]).toEqual(['CRUD_UNAVAILABLE']);
      expect(before).toBeGreaterThan(0);
      expect(healed).toBeLessThan(5000);
      expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
    });
  },
  ['postgres', 'mysql'],
);
