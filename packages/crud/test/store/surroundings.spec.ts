/** What an application lends to its services: an emitter of events, and the transactions that it has opened itself. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { Injectable, type Provider, Scope } from '@nestjs/common';
import { CrudConfigService } from '@nestwright/crud';
import { emitterOf, outerTransactions, registerTransactionHost, setEmitter } from '../../src/service/change.js';
import { resource } from '../core/resource.js';
import { start, stopAll } from '../support/application.js';
import { NotesService } from './notes.js';

const emitter = () => ({ emitAsync: () => Promise.resolve([]) });

test('a service has its own emitter, or that of the service it is bound to, or that of its class', () => {
  class Service {}

  const [own, ofClass] = [emitter(), emitter()];
  const service = new Service();
  const bound = Object.create(service) as Service;
  expect(emitterOf(service)).toBeUndefined();
  setEmitter(Service, ofClass);
  expect([emitterOf(service), emitterOf(bound)]).toEqual([ofClass, ofClass]);
  setEmitter(service, own);
  expect([emitterOf(service), emitterOf(bound), emitterOf(new Service())]).toEqual([own, own, ofClass]);
});

test('transactions are told while they are open, once for each host', () => {
  const host = (id: number) => {
    const made = { tx: { id }, isOpen: false, isTransactionActive: () => made.isOpen };
    return made;
  };
  const [one, other] = [host(1), host(2)];
  for (const each of [one, one, other]) registerTransactionHost(each);
  expect(outerTransactions()).toEqual([]);
  other.isOpen = true;
  expect(outerTransactions()).toEqual([other.tx]);
  one.isOpen = true;
  expect(outerTransactions()).toEqual([one.tx, other.tx]);
  one.isOpen = other.isOpen = false;
});

describe('at the start', () => {
  afterEach(async () => {
    CrudConfigService.load({ events: false });
    await stopAll();
  });

  /** Is of use within a request alone. */
  const closed = new Proxy(Object.create(null) as object, {
    get(_, name) {
      if (['emitAsync', 'isTransactionActive'].includes(String(name))) throw new Error('No request');
    },
  });
  const made = (...values: object[]) =>
    [closed, ...values].map((value, index) => ({ provide: `${index}`, useFactory: () => value }));
  const startWith = (...providers: Provider[]) =>
    start({ controllers: [resource(NotesService)], providers: [NotesService, ...providers] });

  test('all services of an application are given its emitter, however they are provided', async () => {
    class Made extends NotesService {}
    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends NotesService {}
    const [plain, service, found] = [{}, new Made(), { ...emitter(), prependAny: () => undefined }];
    CrudConfigService.load({ events: true });
    const api = await startWith(Scoped, ...made(emitter(), plain, found, service));
    const services = [api.resolve(NotesService), new Scoped(), service];
    expect(services.map((one) => emitterOf(one) === found)).toEqual([true, true, true]);
    expect([new Made(), plain].map(emitterOf)).toEqual([undefined, undefined]);
  });

  test('transactions are asked for where the application opens them', async () => {
    const host = { tx: 1, isOpen: true, isTransactionActive: () => host.isOpen };
    const whole = { ...host, tx: 2, withTransaction: () => undefined };
    await startWith(...made(host, whole, { withTransaction: () => undefined }));
    expect(outerTransactions()).toEqual([2]);
    host.isOpen = false;
  });
});
