/** In which values two answers differ. */
import { isDeepStrictEqual } from 'node:util';

type Json = Readonly<Record<string, unknown>>;

/** A line for each difference: `data[2].name: "Ann" → "Anne"`. */
export function findDifferences(before: unknown, after: unknown, path = ''): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return compareLists(before, after, path);
  if (isObject(before) && isObject(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => {
      const place = path === '' ? name : `${path}.${name}`;
      if (!Object.hasOwn(before, name)) return [`${place}: added, ${print(after[name])}`];
      if (!Object.hasOwn(after, name)) return [`${place}: missing, was ${print(before[name])}`];
      return findDifferences(before[name], after[name], place);
    });
  }

  return [`${path || 'body'}: ${print(before)} → ${print(after)}`];
}

/** Items are compared by their `id`, or else by their place, and their order by itself. */
function compareLists(before: readonly unknown[], after: readonly unknown[], path: string): string[] {
  const old = before.map(readId);
  const current = after.map(readId);
  const isKeyed = [old, current].every((list) => !list.includes(undefined) && new Set(list).size === list.length);
  if (!isKeyed) return comparePlaces(before, after, path);

  const place = (id: string | undefined): string => `${path}[id ${id}]`;
  const common = old.filter((id) => current.includes(id));
  const sorted = current.filter((id) => old.includes(id));

  return [
    ...old.filter((id) => !current.includes(id)).map((id) => `${place(id)}: missing`),
    ...current.filter((id) => !old.includes(id)).map((id) => `${place(id)}: added`),
    ...(isDeepStrictEqual(common, sorted)
      ? []
      : [`${path || 'body'}: other order, ${common.join(', ')} → ${sorted.join(', ')}`]),
    ...common.flatMap((id) => findDifferences(before[old.indexOf(id)], after[current.indexOf(id)], place(id))),
  ];
}

function comparePlaces(before: readonly unknown[], after: readonly unknown[], path: string): string[] {
  const place = path || 'body';
  if (before.length !== after.length) return [`${place}: ${before.length} → ${after.length} items`];
  const sort = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  if (isDeepStrictEqual(sort(before), sort(after))) return [`${place}: other order`];

  return before.flatMap((item, at) => findDifferences(item, after[at], `${path}[${at}]`));
}

function readId(item: unknown): string | undefined {
  const id = isObject(item) ? item['id'] : undefined;

  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** A value without some properties, at any depth. */
export function omitProperties(value: unknown, names: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((item) => omitProperties(item, names));
  if (!isObject(value)) return value;

  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !names.has(name))
      .map(([name, each]) => [name, omitProperties(each, names)]),
  );
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function print(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';

  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
