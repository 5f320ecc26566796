/** Work that may have to wait in, its outcome out: at once where nothing in it is a promise, else a promise of it. */

/** A generator that yields what it has to wait for. */
export type Work<T> = Generator<PromiseLike<unknown>, T, unknown>;

/**
 * Waits for a value within work, if there is anything to wait for.
 *
 * @example
 * const auth = yield* settled(evaluateAuth(options, http));
 */
export function* settled<T>(value: T | PromiseLike<T>): Work<T> {
  return isPromise(value) ? ((yield value) as T) : value;
}

/** Does work, without a turn of the event loop as long as it waits for nothing. Throws, or rejects, what the work throws. */
export function atOnce<T>(work: Work<T>): T | Promise<T> {
  const step = work.next();

  return step.done ? step.value : goOn(work, step);
}

async function goOn<T>(work: Work<T>, step: IteratorResult<PromiseLike<unknown>, T>): Promise<T> {
  while (!step.done) step = work.next(await step.value);

  return step.value;
}

/** Whether a value must be waited for. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
