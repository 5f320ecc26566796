/** What an application lends to its services: an emitter of events, and the transactions that it has opened itself. */
import { expect, test } from '@jest/globals';
import { emitterOf, outerTransactions, registerTransactionHost, setEmitter } from '../../src/service/change.js';

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
  expect(emitterOf(service)).toBe(own);
  expect(emitterOf(bound)).toBe(own);
  expect(emitterOf(new Service())).toBe(ofClass);
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
