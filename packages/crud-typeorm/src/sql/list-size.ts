/** Lists get a power of two of placeholders, so that lists of different lengths share few statements. */
/** Number of placeholders for a list; the last value fills those that are left over. */
export function listSize(length: number): number {
  let size = 1;

  while (size < length) {
    size *= 2;
  }

  return size;
}

/** Value at a place of a filled-up list. */
export function listItem(list: readonly unknown[], index: number): unknown {
  return list[Math.min(index, list.length - 1)];
}
