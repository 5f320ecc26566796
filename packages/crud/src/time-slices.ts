/** Longest slice, in milliseconds. */
const SLICE_MS = 20;
/** Items between two checks of the clock. */
const ITEMS_PER_CHECK = 16;

const waiting: (() => void)[] = [];

/** Yields to the event loop. One waiter resumes per turn, so that many concurrent lists block it no longer than one. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(wake);
  });
}

function wake(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(wake);
}

/**
 * `items.map(make)`, synchronously for short lists; long lists give a promise and are mapped in time slices.
 *
 * @param proceed Called between slices; what it throws ends the work. Default: nothing.
 * @example
 * const texts = await mapInSlices(rows, (row) => JSON.stringify(row));
 */
export function mapInSlices<T, R>(
  items: readonly T[],
  make: (item: T, index: number, items: readonly T[]) => R,
  proceed?: () => void,
): R[] | Promise<R[]> {
  const made: R[] = [];

  return slice(items, make, made) ? made : rest(items, make, made, proceed);
}

async function rest<T, R>(
  items: readonly T[],
  make: (item: T, index: number, items: readonly T[]) => R,
  made: R[],
  proceed: (() => void) | undefined,
): Promise<R[]> {
  do {
    await nextTurn();
    proceed?.();
  } while (!slice(items, make, made));

  return made;
}

/** Runs one slice; returns whether all items are done. */
function slice<T, R>(
  items: readonly T[],
  make: (item: T, index: number, items: readonly T[]) => R,
  made: R[],
): boolean {
  const end = performance.now() + SLICE_MS;

  while (made.length < items.length) {
    const next = Math.min(made.length + ITEMS_PER_CHECK, items.length);
    for (let index = made.length; index < next; index += 1) made.push(make(items[index]!, index, items));
    if (performance.now() >= end && next < items.length) return false;
  }

  return true;
}
