/** What an application lends to its services: an emitter of events, and the transactions that it has opened itself. */
import { afterEach, describe, expect, test } from '@jest/globals';
import { Injectable, Scope } from '@nestjs/common';
import { CrudConfigService } from '@nestwright/crud';
import { emitterOf, outerTransactions, setEmitter } from '../../src/service/change.js';
import { resource } from '../core/resource.js';
import { start, stopAll } from '../support/application.js';
import { NotesService } from './notes.js';

const emitter = () => ({ emitAsync: () => Promise.resolve([]) });

test('a service has its own emitter, or that of the service it is bound to, or that of its class', () => {
  class Service {}

  const [own, ofClass] = [emitter(), emitter()];
  const service = new Service();
  const services = [service, Object.create(service) as Service, new Service()];
  setEmitter(Service, ofClass);
  expect(services.map(emitterOf)).toEqual([ofClass, ofClass, ofClass]);
  setEmitter(service, own);
  expect(services.map(emitterOf)).toEqual([own, own, ofClass]);
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
  const startWith = (...provided: object[]) => {
    const values = [closed, ...provided].map((value, index) => ({ provide: `${index}`, useFactory: () => value }));
    return start({ controllers: [resource(NotesService)], providers: [NotesService, Scoped, ...values] });
  };

  class Made extends NotesService {}
  @Injectable({ scope: Scope.REQUEST })
  class Scoped extends NotesService {}

  test('all services of an application are given its emitter, however they are provided', async () => {
    const [plain, service, found] = [{}, new Made(), { ...emitter(), prependAny: () => undefined }];
    CrudConfigService.load({ events: true });
    const api = await startWith(emitter(), plain, found, service);
    const services = [api.resolve(NotesService), new Scoped(), service, new Made(), plain];
    expect(services.map(emitterOf)).toEqual([found, found, found, undefined, undefined]);
  });

  test('transactions are told while the application has them open, once for each host', async () => {
    const host = (tx: number, more: object = { withTransaction: () => undefined }) => {
      const made = { tx, isOpen: true, isTransactionActive: () => made.isOpen, ...more };
      return made;
    };
    const [one, other] = [host(1), host(2)];
    await startWith(host(0, {}), one, one, other, { withTransaction: () => undefined });
    const both = outerTransactions();
    one.isOpen = false;
    const left = outerTransactions();
    other.isOpen = false;
    expect([both, left]).toEqual([[1, 2], [2]]);
  });
});
