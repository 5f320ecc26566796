/** Lists and slow work on their items → the results and what else the process does meanwhile. */
import { expect, test } from '@jest/globals';
import { mapInSlices } from '../src/time-slices.js';

function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

const items = Array.from({ length: 200 }, (_, index) => index);

test('a short list is mapped at once', () => {
  expect(mapInSlices([1, 2, 3], (item, index) => item * 10 + index)).toEqual([10, 21, 32]);
  expect(mapInSlices(items.slice(0, 16), (item) => (spend(2), item))).toEqual(items.slice(0, 16));
});

test('a list that takes long is mapped in order, while timers go on and many lists take turns', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const made = mapInSlices(items, (item) => (spend(1), item * 2));
  expect(made).toBeInstanceOf(Promise);
  expect(await made).toEqual(items.map((item) => item * 2));
  const alone = ticks;
  await Promise.all([1, 2, 3, 4].map(async () => mapInSlices(items, () => spend(0.5))));
  clearInterval(timer);
  expect(alone).toBeGreaterThanOrEqual(3);
  expect(ticks - alone).toBeGreaterThanOrEqual(8);
});

test('what is thrown between slices, or by the work itself, ends the work', async () => {
  let seen = 0;
  const work = () => (spend(1), (seen += 1));
  const left = () => {
    throw new Error('nobody waits');
  };
  await expect(mapInSlices(items, work, left)).rejects.toThrow('nobody waits');
  expect(seen).toBeLessThan(items.length);
  const broken = mapInSlices(items, (item) => (item === 150 ? left() : spend(1)));
  await expect(broken).rejects.toThrow('nobody waits');
});
