/** Columns that a builder selects only for paging: property paths from the root, by builder. */
const surpluses = new WeakMap<object, readonly (readonly string[])[]>();

export function rememberSurplus(builder: object, surplus: readonly (readonly string[])[]): void {
  surpluses.set(builder, surplus);
}

/** Removes the columns from the builder's records that were only selected for paging. */
export function trimRecords<T>(builder: object, records: T[]): T[] {
  surpluses.get(builder)?.forEach((path) => removeSurplus(records, path));

  return records;
}

/** Deletes a property of a record, or of each of several. */
function removeSurplus(record: unknown, [name, ...rest]: readonly string[]): void {
  if (Array.isArray(record)) {
    record.forEach((item) => removeSurplus(item, [name!, ...rest]));

    return;
  }

  if (typeof record !== 'object' || record === null || name === undefined) return;

  const [property, ...inner] = name.split('.');
  const path = [...inner, ...rest];

  if (path.length === 0) delete (record as Record<string, unknown>)[property!];
  else removeSurplus((record as Record<string, unknown>)[property!], path);
}
