/** The snippet of docs/migration.md that restores upstream's ways. */
import { expect, test } from '@jest/globals';
import { CrudConfigService } from '@nestwright/crud';
import { IsString } from 'class-validator';
import request from 'supertest';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { describePlatforms } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';
import { serving } from '../support/serving.js';

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
  const app = serving({ connection: { type: 'sqljs' } }, [Note], [notes], { platform });

  test('a property that the DTO does not name is stored', async () => {
    const { status, body } = await request(app.url).post('/notes').send({ text: 'a', tag: 'kept' });
    expect([status, body]).toEqual([201, { id: 1, text: 'a', tag: 'kept' }]);
  });

  test('a PUT merges into the record', async () => {
    const { status, body } = await request(app.url).put('/notes/1').send({ text: 'b' });
    expect([status, body]).toEqual([200, { id: 1, text: 'b', tag: 'kept' }]);
  });

  test('unknown fields are passed over, and no ceiling cuts a list', async () => {
    const bulk = Array.from({ length: 1_001 }, (_, index) => ({ text: `${index}` }));
    expect((await request(app.url).post('/notes/bulk').send({ bulk })).status).toBe(201);
    const { status, body } = await request(app.url).get('/notes?fields=text,nope&join=nobody');
    expect([status, (body as unknown[]).length, (body as unknown[])[0]]).toEqual([200, 1_002, { id: 1, text: 'b' }]);
  });
});
