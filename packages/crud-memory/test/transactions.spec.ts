/** Transactions of databases in memory → who is in which. */
import { expect, jest, test } from '@jest/globals';
import { AsyncLocalStorage } from 'node:async_hooks';
import { MemoryDatabase } from '../src/index.js';

class Book {
  id!: number;
}

const books = { model: Book, columns: { id: { kind: 'integer', primary: true, counter: true } } } as const;
const databaseOf = () => new MemoryDatabase({ books });

test('within transactions of two databases, each knows its own', async () => {
  const [first, second] = [databaseOf(), databaseOf()];
  await first.transaction(async (outer) => {
    expect([first.current(), second.current()]).toEqual([outer, undefined]);
    await second.transaction(async (inner) => {
      expect(first.current()).toBe(outer);
      expect(second.current()).toBe(inner);
    });
    expect(second.current()).toBeUndefined();
  });
  expect(first.current()).toBeUndefined();
});

test('any number of databases share one storage, since each makes every promise of the process slower', async () => {
  const run = jest.spyOn(AsyncLocalStorage.prototype, 'run');
  try {
    for (const database of [databaseOf(), databaseOf(), databaseOf()]) await database.transaction(async () => {});
    expect(new Set(run.mock.contexts).size).toBe(1);
  } finally {
    run.mockRestore();
  }
});
