/** One application over two data sources whose tables have the same names: every resource reads and writes its own. */
import { afterAll, expect, test } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { TypeOrmModule } from '@nestjs/typeorm';
import request from 'supertest';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { resource } from '../support/resources.js';

@Entity('notes')
class Note {
  @PrimaryColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) text!: string;
}

const RESOURCES = ['first', 'second'].map((source) => resource(Note, source, { source }));

describeDatabases('two data sources', (db) => {
  let app: INestApplication | undefined;
  afterAll(() => app?.close());

  test('reads and writes stay with their own', async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, name: 'first', entities: [Note], synchronize: true }),
        // Another kind of database than two of the three.
        TypeOrmModule.forRoot({ type: 'sqljs', name: 'second', entities: [Note], synchronize: true }),
        TypeOrmModule.forFeature([Note], 'first'),
        TypeOrmModule.forFeature([Note], 'second'),
      ],
      controllers: RESOURCES.map(({ controller }) => controller),
      providers: RESOURCES.map(({ provider }) => provider),
    }).compile();
    const { url, ...served } = await listen(module, 'express');
    app = served.app;
    const texts = async (path: string) =>
      ((await request(url).get(`/${path}?sort=id`).expect(200)).body as Note[]).map(({ text }) => text);
    const bulk = [1, 2].map((id) => ({ id, text: `two ${id}` }));
    await request(url).post('/first').send({ id: 1, text: 'one' }).expect(201);
    await request(url).post('/second/bulk').send({ bulk }).expect(201);
    expect([await texts('first'), await texts('second')]).toEqual([['one'], ['two 1', 'two 2']]);
    await request(url).patch('/first/1').send({ text: 'changed' }).expect(200);
    await request(url).get('/first/2').expect(404);
    await request(url).delete('/second/2').expect(200);
    expect([await texts('first'), await texts('second')]).toEqual([['changed'], ['two 1']]);
  });
});
