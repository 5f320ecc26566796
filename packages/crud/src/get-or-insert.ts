/**
 * The value of a key in a map; made and inserted if there is none.
 *
 * @example
 * getOrInsert(plans, type, () => makePlan(type));
 */
export function getOrInsert<K, V>(
  map: { get(key: K): V | undefined; set(key: K, value: V): unknown },
  key: K,
  make: () => V,
): V {
  const known = map.get(key);
  if (known !== undefined) return known;

  const made = make();
  map.set(key, made);

  return made;
}
