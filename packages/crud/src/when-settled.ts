/** A value, or a promise of one. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Continues with a value: synchronously, or when it resolves if it is a promise. `await` would give up the turn of the
 * event loop if there is nothing to wait for, and interceptors that were written for nestjsx/crud expect a parsed
 * request as soon as `super.intercept()` has returned.
 *
 * @example
 * return whenSettled(evaluateAuth(options, http), (auth) => build(auth));
 */
export function whenSettled<T, Result>(
  value: T | PromiseLike<T>,
  next: (value: T) => Result | Promise<Result>,
): Result | Promise<Result> {
  return isPromise(value) ? Promise.resolve(value).then(next) : next(value);
}

/** All values, as `Promise.all` gives them; at once if none of them is a promise. */
export function settleAll<T extends readonly unknown[]>(
  values: readonly [...T],
): { -readonly [K in keyof T]: Awaited<T[K]> } | Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  return values.some(isPromise) ? Promise.all(values) : (values as { -readonly [K in keyof T]: Awaited<T[K]> });
}

/** Whether a value is a promise, of whatever library. */
export function isPromise<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}
