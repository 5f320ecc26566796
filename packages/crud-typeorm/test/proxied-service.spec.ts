/** Services behind a Proxy, as libraries for tracing, caching and mocking make them: what the Proxy puts before a verb takes effect on every route. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Controller, type INestApplication } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Crud } from '@nestwright/crud';
import request from 'supertest';
import { Column, DataSource, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases, listen } from '../../../integration/test-support/index.js';
import { TypeOrmCrudService } from '../src/index.js';
import { connect } from './support/resources.js';

@Entity()
class Memo {
  @PrimaryColumn() id!: number;
  @Column() label!: string;
}

class MemoService extends TypeOrmCrudService<Memo> {}

type Verb = (...parameters: unknown[]) => Promise<unknown>;

const VERBS = ['getMany', 'getOne', 'createOne', 'createMany', 'updateOne', 'replaceOne', 'deleteOne'];

describeDatabases('a service behind a Proxy', (db) => {
  let source: DataSource;
  let app: INestApplication;
  let url: string;
  const calls: string[] = [];

  /** Methods are bound to the service itself, so that the service never sees the Proxy. */
  const proxied = (service: MemoService) =>
    new Proxy(service, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as Verb;

        return VERBS.includes(String(name))
          ? (...parameters: unknown[]) => (calls.push(String(name)), method(...parameters))
          : method;
      },
    });

  @Crud({ model: { type: Memo } })
  @Controller('proxied')
  class Proxied {
    constructor(readonly service: MemoService) {}
  }

  @Crud({ model: { type: Memo } })
  @Controller('inherited')
  class Inherited {
    readonly service: MemoService;

    constructor(service: MemoService) {
      this.service = Object.create(service) as MemoService;
    }
  }

  beforeAll(async () => {
    source = await connect(db, [Memo]);
    const service = proxied(new MemoService(source.getRepository(Memo)));
    const module = await Test.createTestingModule({
      controllers: [Proxied, Inherited],
      providers: [{ provide: MemoService, useValue: service }],
    }).compile();
    ({ app, url } = await listen(module, 'express'));
  });
  beforeEach(async () => {
    await source.manager.clear(Memo);
    await source.manager.insert(Memo, [{ id: 1, label: 'a' }]);
    calls.length = 0;
  });
  afterAll(async () => {
    await app.close();
    await source.destroy();
  });

  test.each(['proxied', 'inherited'])('is called on every route of /%s', async (path) => {
    const http = request(url);
    await http.get(`/${path}`).expect(200, [{ id: 1, label: 'a' }]);
    await http.get(`/${path}/1`).expect(200, { id: 1, label: 'a' });
    await http.post(`/${path}`).send({ id: 2, label: 'b' }).expect(201, { id: 2, label: 'b' });
    await http
      .post(`/${path}/bulk`)
      .send({ bulk: [{ id: 3, label: 'c' }] })
      .expect(201, [{ id: 3, label: 'c' }]);
    await http.patch(`/${path}/2`).send({ label: 'B' }).expect(200, { id: 2, label: 'B' });
    await http.put(`/${path}/3`).send({ label: 'C' }).expect(200, { id: 3, label: 'C' });
    await http.delete(`/${path}/3`).expect(200);

    expect(calls).toEqual(VERBS);
  });
});
