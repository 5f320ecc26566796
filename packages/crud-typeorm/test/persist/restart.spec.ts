/** An application whose server is killed under load and started again: what was acknowledged is stored, what was not is a 503, and it heals by itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Controller, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import { Column, Entity, PrimaryGeneratedColumn, type Repository } from 'typeorm';
import { listen } from '../../../../integration/test-support/index.js';
import { POSTGRES_PROGRAMS, PrivatePostgres } from '../../../../integration/test-support/private-postgres.js';

@Entity()
class Entry {
  @PrimaryGeneratedColumn() id!: number;
  @Column() text!: string;
}

@Crud({ model: { type: Entry } })
@Controller('entries')
class EntriesController {
  constructor(readonly service: TypeOrmCrudService<Entry>) {}
}

const HEAL_MS = 5000;

(POSTGRES_PROGRAMS ? describe : describe.skip)('a server that is killed · postgres programs', () => {
  let server: PrivatePostgres;
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    server = await PrivatePostgres.create();
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ type: 'postgres', url: server.url, entities: [Entry], synchronize: true }),
        TypeOrmModule.forFeature([Entry]),
      ],
      controllers: [EntriesController],
      providers: [
        {
          provide: TypeOrmCrudService,
          useFactory: (entries: Repository<Entry>) => new TypeOrmCrudService(entries),
          inject: [getRepositoryToken(Entry)],
        },
      ],
    }).compile();
    ({ app, url } = await listen(module, 'express', { logger: false }));
  }, 60_000);
  afterAll(async () => {
    await app?.close();
    await server?.remove();
  });

  test('loses no write that it acknowledged, and heals within five seconds', async () => {
    const acknowledged: string[] = [];
    const refusals = new Set<unknown>();
    let running = true;
    let count = 0;
    const worker = async () => {
      while (running) {
        const text = `entry ${(count += 1)}`;
        const { status, body } = await request(url).post('/entries').send({ text });
        if (status === 201) {
          acknowledged.push(text);
        } else {
          refusals.add(`${status} ${body.code}`);
          await sleep(20);
        }
        await request(url).get('/entries?limit=1');
      }
    };
    const workers = Array.from({ length: 6 }, worker);
    const until = async (holds: () => boolean) => {
      while (!holds()) await sleep(10);
    };

    await until(() => acknowledged.length > 20);
    await server.stop();
    await until(() => refusals.size > 0);
    await sleep(200);
    const before = acknowledged.length;
    await server.start();
    const began = Date.now();
    await until(() => acknowledged.length > before || Date.now() - began > HEAL_MS);
    const healed = acknowledged.length > before;
    running = false;
    await Promise.all(workers);

    expect(healed).toBe(true);
    expect([...refusals]).toEqual(['503 CRUD_UNAVAILABLE']);
    const stored = new Set((await server.query<{ text: string }>('SELECT text FROM entry')).map(({ text }) => text));
    expect(acknowledged.filter((text) => !stored.has(text))).toEqual([]);
  });
});
