/**
 * Number of placeholders for a list: a power of two, so that lists of different lengths share few statements. The last
 * value fills those that are left over.
 */
export function listSize(length: number): number {
  let size = 1;

  while (size < length) size *= 2;

  return size;
}

/** Value at a place of a filled-up list. */
export function listItem(list: readonly unknown[], index: number): unknown {
  return list[Math.min(index, list.length - 1)];
}

/** Splits keys into pages that fit into one statement. */
export function keyPages(
  keys: readonly (readonly unknown[])[],
  listLimit: number,
  listParameter: boolean,
): { readonly part: readonly (readonly unknown[])[]; readonly size: number }[] {
  const length = keys[0]?.length ?? 0;
  const whole = listParameter && keys.length === 1;
  // A composite key takes several placeholders, of which a statement has only so many.
  const limit = whole ? length : Math.floor(Math.min(listLimit, 8192) / keys.length);
  const pages = [];

  for (let start = 0; start < length; start += limit) {
    const part = keys.map((column) => column.slice(start, start + limit));

    pages.push({ part, size: whole ? 1 : listSize(part[0]!.length) });
  }

  return pages;
}
