/** What an application lends to its services: an emitter of events, and the transactions that it has opened itself. */
import { expect, test } from '@jest/globals';
import { emitterOf, outerTransactions, registerTransactionHost, setEmitter } from '../../src/service/change.js';

class Service {}

const emitter = () => ({ emitAsync: () => Promise.resolve([]) });

test('a service has its own emitter, or that of the service it is bound to, or that of its class', () => {
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
  const host = { tx: { id: 1 }, isOpen: false, isTransactionActive: () => host.isOpen };
  const other = { tx: { id: 2 }, isTransactionActive: () => true };
  for (const one of [host, host, other]) registerTransactionHost(one);
  expect(outerTransactions()).toEqual([other.tx]);
  host.isOpen = true;
  expect(outerTransactions()).toEqual([host.tx, other.tx]);
});
