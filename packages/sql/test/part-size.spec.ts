/** How many records the next part of an export has. */
import { expect, test } from '@jest/globals';
import { PartSize } from '../src/export/part-size.js';

test('parts grow and shrink towards the same size in bytes', () => {
  const size = new PartSize();
  const sizes = (
    [
      [0, 0],
      [100, 2 ** 18],
      [100, 2 ** 17],
      [200, 1],
      [1000, 0],
      [1, 2 ** 20],
    ] as const
  ).map(([records, bytes]) => (size.note(records, bytes), size.next));
  expect(sizes).toEqual([100, 100, 200, 1000, 2000, 1]);
});
