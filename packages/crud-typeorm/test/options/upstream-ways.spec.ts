/** The snippet of docs/migration.md that restores upstream's ways. */
import { expect, test } from '@jest/globals';
import { CrudConfigService } from '@nestwright/crud';
import { IsString } from 'class-validator';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
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

const { send } = serving(
  { connection: { type: 'sqljs' } },
  [Note],
  [resource(Note, 'notes', { dto: { create: NoteDto } })],
);

test('bodies are stored whole, a PUT merges, unknown fields are passed over, and no ceiling cuts a list', async () => {
  const note = { id: 1, text: 'a', tag: 'kept' };
  const bulk = Array.from({ length: 1_001 }, (_, index) => ({ text: `${index}` }));
  expect(await send('post', '/notes', { text: 'a', tag: 'kept' })).toEqual({ status: 201, body: note });
  expect(await send('put', '/notes/1', { text: 'b' })).toEqual({ status: 200, body: { ...note, text: 'b' } });
  expect((await send('post', '/notes/bulk', { bulk })).status).toBe(201);
  const { body } = await send('get', '/notes?fields=text,nope&join=nobody');
  expect([body.length, body[0]]).toEqual([1_002, { id: 1, text: 'b' }]);
});
