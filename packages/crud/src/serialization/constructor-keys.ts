/** Keys `constructor` in stored JSON mislead class-transformer. */

/** Whether any object in the value has an own key `constructor`, as a client's JSON may. */
export function hasConstructorKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;

  return Object.hasOwn(value, 'constructor') || Object.values(value).some(hasConstructorKey);
}

/** A copy of the same classes without such keys. class-transformer leaves them out of its results anyway. */
export function withoutConstructorKeys(value: unknown): unknown {
  if (!hasConstructorKey(value)) return value;
  if (Array.isArray(value)) return value.map(withoutConstructorKeys);

  const entries = Object.entries(value as object).filter(([key]) => key !== 'constructor' && key !== '__proto__');
  const copy: object = Object.create(Object.getPrototypeOf(value) as object | null) as object;

  return Object.assign(copy, Object.fromEntries(entries.map(([key, item]) => [key, withoutConstructorKeys(item)])));
}
