/** One application over two data sources whose tables have the same names: every resource reads and writes its own. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, Inject, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { getDataSourceToken, getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { Crud } from '@nestwright/crud';
import { TypeOrmCrudService } from '@nestwright/crud-typeorm';
import request from 'supertest';
import { Column, type DataSource, Entity, PrimaryColumn, type Repository } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';

@Entity('notes')
class Note {
  @PrimaryColumn() id!: number;
  @Column({ type: 'varchar', length: 40 }) text!: string;
}

const OPTIONS = { model: { type: Note }, query: { alwaysPaginate: true } };

@Crud(OPTIONS)
@Controller('first')
class FirstController {
  constructor(@Inject('first') readonly service: TypeOrmCrudService<Note>) {}
}

@Crud(OPTIONS)
@Controller('second')
class SecondController {
  constructor(@Inject('second') readonly service: TypeOrmCrudService<Note>) {}
}

describeDatabases('two data sources', (db) => {
  let app: INestApplication;
  let url: string;

  const service = (name: string) => ({
    provide: name,
    useFactory: (notes: Repository<Note>) => new TypeOrmCrudService(notes),
    inject: [getRepositoryToken(Note, name)],
  });
  const texts = async (path: string) => {
    const { body } = await request(url).get(`/${path}?sort=id`).expect(200);
    return (body.data as Note[]).map(({ text }) => text);
  };

  beforeAll(async () => {
    const module = await Test.createTestingModule({
      imports: [
        TypeOrmModule.forRoot({ ...db.connection, name: 'first', entities: [Note], synchronize: true }),
        // Another kind of database than two of the three.
        TypeOrmModule.forRoot({ type: 'sqljs', name: 'second', entities: [Note], synchronize: true }),
        TypeOrmModule.forFeature([Note], 'first'),
        TypeOrmModule.forFeature([Note], 'second'),
      ],
      controllers: [FirstController, SecondController],
      providers: [service('first'), service('second')],
    }).compile();
    ({ app, url } = await listen(module, 'express'));
  });
  afterAll(() => app.close());

  test('reads and writes stay with their own', async () => {
    await request(url).post('/first').send({ id: 1, text: 'one' }).expect(201);
    await request(url)
      .post('/second/bulk')
      .send({ bulk: [1, 2].map((id) => ({ id, text: `two ${id}` })) })
      .expect(201);
    expect(await texts('first')).toEqual(['one']);
    expect(await texts('second')).toEqual(['two 1', 'two 2']);

    await request(url).patch('/first/1').send({ text: 'changed' }).expect(200);
    await request(url).get('/first/2').expect(404);
    await request(url).delete('/second/2').expect(200);
    expect(await texts('first')).toEqual(['changed']);
    expect(await texts('second')).toEqual(['two 1']);
    expect(await app.get<DataSource>(getDataSourceToken('second')).getRepository(Note).find()).toEqual([
      { id: 1, text: 'two 1' },
    ]);
  });
});
