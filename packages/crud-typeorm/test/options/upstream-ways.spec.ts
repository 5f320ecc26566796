/** The snippet of docs/migration.md that restores upstream's ways. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CrudConfigService } from '@nestwright/crud';
import { IsString } from 'class-validator';
import request from 'supertest';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describePlatforms, listen } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';

CrudConfigService.load({
  query: { unknown: 'ignore', maxLimit: false },
  routes: { replaceOneBase: { merge: true }, createManyBase: { maxBulk: false } },
  validation: { whitelist: false },
});

@Entity()
class Note {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'varchar' }) text!: string;
  @Column({ type: 'varchar', default: 'none' }) tag!: string;
}

class NoteDto {
  @IsString() text!: string;
}

const notes = resource(Note, 'notes', { dto: { create: NoteDto } });

describePlatforms('a configuration with upstream’s ways', (platform) => {
  let app: Awaited<ReturnType<typeof listen>>['app'];
  let url: string;

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ type: 'sqljs', entities: [Note], synchronize: true }),
        TypeOrmModule.forFeature([Note]),
      ],
      controllers: [notes.controller],
      providers: [notes.provider],
    }).compile();
    ({ app, url } = await listen(module, platform));
  });
  afterAll(() => app?.close());

  test('a property that the DTO does not name is stored', async () => {
    const { status, body } = await request(url).post('/notes').send({ text: 'a', tag: 'kept' });
    expect([status, body]).toEqual([201, { id: 1, text: 'a', tag: 'kept' }]);
  });

  test('a PUT merges into the record', async () => {
    const { status, body } = await request(url).put('/notes/1').send({ text: 'b' });
    expect([status, body]).toEqual([200, { id: 1, text: 'b', tag: 'kept' }]);
  });

  test('unknown fields are passed over, and no ceiling cuts a list', async () => {
    const bulk = Array.from({ length: 1_001 }, (_, index) => ({ text: `${index}` }));
    expect((await request(url).post('/notes/bulk').send({ bulk })).status).toBe(201);
    const { status, body } = await request(url).get('/notes?fields=text,nope&join=nobody');
    expect([status, (body as unknown[]).length, (body as unknown[])[0]]).toEqual([200, 1_002, { id: 1, text: 'b' }]);
  });
});
