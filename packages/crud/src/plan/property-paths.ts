/** Reads own properties only, by path, so that nothing on a prototype is ever taken for data. */

/** The value at a path, or undefined; a `null` embedded object means null for all of its columns. */
export function readOwnPath(body: object, path: string): unknown {
  if (!path.includes('.')) return Object.hasOwn(body, path) ? (body as Record<string, unknown>)[path] : undefined;

  let value: unknown = body;
  for (const name of path.split('.')) {
    if (value === null) return null;
    if (typeof value !== 'object' || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }

  return value;
}

/** The value at a path of own properties, or undefined. */
export function valueAtPath(value: unknown, path: readonly string[]): unknown {
  return path.reduce(ownProperty, value);
}

/** An own property of an object, or undefined; also of what is no object. */
export function ownProperty(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

/** Whether a value is a record: no list, no date, no primitive. */
export function isRecord(value: unknown): value is object {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array)
  );
}

/** Embedded objects around a path, outermost first: `name` for `name.first`. */
export function listEnclosingPaths(path: string): string[] {
  const segments = path.split('.');

  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
}
