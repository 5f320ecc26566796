/** What operators of the application compare: a client's text as the number, boolean or date that it says, where the column has one. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Controller, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud } from '@nestwright/crud';
import request from 'supertest';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, listen } from '../../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../../src/index.js';
import { connect } from '../support/resources.js';

@Entity('switches')
class Switch {
  @PrimaryColumn({ type: 'int' }) id!: number;
  @Column({ type: Boolean }) on!: boolean;
  @Column({ type: Date, precision: 3 }) at!: Date;
  @Column({ type: 'double precision' }) score!: number;
  @Column({ type: 'varchar', length: 20 }) code!: string;
}

class Switches extends TypeOrmCrudService<Switch> {}

const sameAs = (column: string, param: string) => `${column} = ${param}`;

@Crud({
  model: { type: Switch },
  operators: {
    custom: {
      same: { query: sameAs },
      size: { query: (column: string, param: string) => `ABS(${column}) = ${param}` },
      among: { isArray: true, query: (column: string, param: string) => `${column} IN (${param})` },
    },
  },
})
@Controller('switches')
class SwitchesController {
  constructor(readonly service: Switches) {}
}

describeDatabases('values of custom operators', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    source = await connect(db, [Switch]);
    await source.getRepository(Switch).insert([
      { id: 1, on: true, at: new Date('2020-01-01'), score: 1.5, code: '7' },
      { id: 2, on: false, at: new Date('2020-01-02'), score: -2.5, code: '007' },
    ]);
    const providers = [{ provide: Switches, useFactory: () => new Switches(source.getRepository(Switch)) }];
    const module = await Test.createTestingModule({ controllers: [SwitchesController], providers }).compile();
    ({ app, url } = await listen(module, 'express'));
  });

  afterAll(async () => {
    await app.close();
    await source.destroy();
  });

  test.each([
    ['filter=on||same||true', [1]],
    ['filter=on||same||false', [2]],
    ['filter=on||among||true,false', [1, 2]],
    ['s={"on":{"same":"true"}}', [1]],
    ['filter=at||same||2020-01-02', [2]],
    ['filter=score||size||2.5', [2]],
    ['filter=id||among||1,2', [1, 2]],
    ['filter=code||same||7', [1]],
    ['filter=code||same||007', [2]],
  ])('%s', async (query, ids) => {
    const { body } = await request(url).get(`/switches?${query}`).expect(200);

    expect((body as Switch[]).map(({ id }) => id)).toEqual(ids);
  });
});
