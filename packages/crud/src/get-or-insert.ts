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

/**
 * A function that computes its result once for each object.
 *
 * @example
 * const plansOf = oncePerObject((type: object) => makePlans(type));
 */
export function oncePerObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const known = new WeakMap<K, V>();

  return (key) => getOrInsert(known, key, () => make(key));
}

/** As {@link oncePerObject}, of two objects. */
export function oncePerPair<A extends object, B extends object, V>(
  make: (first: A, second: B) => V,
): (first: A, second: B) => V {
  const ofFirst = oncePerObject((first: A) => oncePerObject((second: B) => make(first, second)));

  return (first, second) => ofFirst(first)(second);
}
