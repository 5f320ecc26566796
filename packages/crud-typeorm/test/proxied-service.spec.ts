/** Services behind a Proxy, as libraries for tracing, caching and mocking make them: what the Proxy puts before a verb takes effect on every route. */
import { beforeEach, expect, test } from '@jest/globals';
import { Controller, Inject, type Type } from '@nestjs/common';
import { Crud } from '@nestwright/crud';
import request from 'supertest';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { describeDatabases } from '../../../integration/test-support/index.js';
import type { TypeOrmCrudService } from '../src/index.js';
import { resource } from './support/resources.js';
import { serving } from './support/serving.js';

@Entity()
class Memo {
  @PrimaryColumn() id!: number;
  @Column() label!: string;
}

type Verb = (...parameters: unknown[]) => Promise<unknown>;
type Service = TypeOrmCrudService<Memo>;

const VERBS = ['getMany', 'getOne', 'createOne', 'createMany', 'updateOne', 'replaceOne', 'deleteOne'];
const calls: string[] = [];

/** Methods are bound to the service itself, so that the service never sees the Proxy. */
const proxied = (service: Service) =>
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

const memos = resource(Memo, 'memos');

/** Memos of a service that is made of the usual one. */
function controllerOf(path: string, made: (service: Service) => Service): Type {
  @Crud({ model: { type: Memo } })
  @Controller(path)
  class Memos {
    readonly service: Service;

    constructor(@Inject(memos.provider) service: Service) {
      this.service = made(service);
    }
  }

  return Memos;
}

describeDatabases('a service behind a Proxy', (db) => {
  const app = serving(
    db,
    [Memo],
    [
      memos,
      { controller: controllerOf('proxied', proxied) },
      { controller: controllerOf('inherited', (service) => Object.create(proxied(service)) as Service) },
    ],
  );

  beforeEach(async () => {
    await app.source.manager.clear(Memo);
    await app.source.manager.insert(Memo, [{ id: 1, label: 'a' }]);
    calls.length = 0;
  });

  test.each(['proxied', 'inherited'])('is called on every route of /%s', async (path) => {
    const http = request(app.url);
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
