/** A record that class-transformer could not take in, a copy out that it can: without the keys `constructor` of stored JSON, by which it is misled; nothing is refused. */

/** Whether a plain object somewhere in the value says of itself what its `constructor` is, as JSON of a client may. */
export function isArmed(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;

  return Object.hasOwn(value, 'constructor') || Object.values(value).some(isArmed);
}

/** A copy of the same classes without such keys. class-transformer leaves them out of its results anyway. */
export function disarm(value: unknown): unknown {
  if (!isArmed(value)) return value;
  if (Array.isArray(value)) return value.map(disarm);

  const entries = Object.entries(value as object).filter(([key]) => key !== 'constructor' && key !== '__proto__');
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;

  return Object.assign(copy, Object.fromEntries(entries.map(([key, item]) => [key, disarm(item)])));
}
