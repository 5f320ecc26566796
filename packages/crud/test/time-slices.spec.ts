/** Lists and slow work on their items → the results and what else the process does meanwhile. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, jest, test } from '@jest/globals';
import { mapInSlices, nextTurn } from '../src/time-slices.js';

function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const items = Array.from({ length: 200 }, (_, index) => index);

test('a short list is mapped at once', () => {
  expect(mapInSlices([1, 2, 3], (item, index) => item * 10 + index)).toEqual([10, 21, 32]);
  expect(mapInSlices(items, (item) => item)).toEqual(items);
  expect(mapInSlices(items.slice(0, 16), (item) => (spend(2), item))).toEqual(items.slice(0, 16));
});

test('one waiter goes on in each turn of the event loop, which is left alone then', async () => {
  const turns = jest.spyOn(globalThis, 'setImmediate');
  const seen = [1, 2, 3].map(async () => {
    await nextTurn();

    return turns.mock.calls.length;
  });
  // The turn of the next one is asked for before one goes on.
  expect(await Promise.all(seen)).toEqual([2, 3, 3]);
  await delay(5);
  expect(turns).toHaveBeenCalledTimes(3);
  turns.mockRestore();
});

test('a list that takes long is mapped in order, while timers go on', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const made = mapInSlices(items, (item) => (spend(1), item * 2));
  expect(made).toBeInstanceOf(Promise);
  expect(await made).toEqual(items.map((item) => item * 2));
  clearInterval(timer);
  expect(ticks).toBeGreaterThanOrEqual(3);
});

test('many lists at a time take turns', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  await Promise.all([1, 2, 3, 4].map(async () => mapInSlices(items, () => spend(0.5))));
  clearInterval(timer);
  expect(ticks).toBeGreaterThanOrEqual(8);
});

test('what is thrown between slices, or by the work itself, ends the work', async () => {
  let seen = 0;
  const work = mapInSlices(
    items,
    () => (spend(1), (seen += 1)),
    () => {
      throw new Error('nobody waits');
    },
  );
  await expect(work).rejects.toThrow('nobody waits');
  expect(seen).toBeLessThan(items.length);
  await delay(5);
  await expect(
    mapInSlices(items, (item) => {
      spend(1);
      if (item === 150) throw new Error('broken');
    }),
  ).rejects.toThrow('broken');
});
