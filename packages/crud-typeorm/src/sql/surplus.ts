/** Columns that a builder selects for its own sake are taken off its records again. */
/** Properties by their path from the root, for each builder that was made here. */
const surpluses = new WeakMap<object, readonly (readonly string[])[]>();

/** Remembers what a builder selects for its own sake. */
export function rememberSurplus(builder: object, surplus: readonly (readonly string[])[]): void {
  surpluses.set(builder, surplus);
}

/** Takes that off the records of the builder. */
export function trimRecords<T>(builder: object, records: T[]): T[] {
  surpluses.get(builder)?.forEach((path) => removeSurplus(records, path));

  return records;
}

/** Takes a property off a record, or off each of several. */
function removeSurplus(record: unknown, [name, ...rest]: readonly string[]): void {
  if (Array.isArray(record)) {
    record.forEach((item) => removeSurplus(item, [name!, ...rest]));

    return;
  }

  if (typeof record !== 'object' || record === null || name === undefined) {
    return;
  }

  const [property, ...inner] = name.split('.');
  const way = [...inner, ...rest];

  if (way.length === 0) {
    delete (record as Record<string, unknown>)[property!];
  } else {
    removeSurplus((record as Record<string, unknown>)[property!], way);
  }
}
