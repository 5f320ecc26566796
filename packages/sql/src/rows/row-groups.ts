/** Which rows of a to-many relation belong to which rows of its parents. */
import { mapInSlices } from '@nestwright/crud/adapter';
import type { Row, RowFormat, StatementRows } from '../database/rows.js';

/** How the rows of a to-many relation find those of their parents; all names are of values in rows. */
export interface ParentLink {
  /**
   * For each to-one relation on the path from a row's own record to the parent, values that are all null if there is no
   * record.
   */
  readonly presence: readonly (readonly string[])[];
  /** In a parent's row: values that the rows are grouped by. */
  readonly parentNames: readonly string[];
  /** How many of {@link parentNames}, from the first, are parameters of the statement. */
  readonly keyCount: number;
  /** In a row of the relation: the same values as {@link parentNames}. */
  readonly childNames: readonly string[];
}

/** The rows of each parent, by {@link keyText}. */
export type RowGroups = ReadonlyMap<string | undefined, readonly Row[]>;

/**
 * Groups the rows of a relation by their parents.
 *
 * @param proceed See `mapInSlices`.
 */
export async function groupRows(
  { childNames }: ParentLink,
  { rows, format }: StatementRows,
  proceed: () => void,
): Promise<RowGroups> {
  const keys = childNames.map((name) => format.key(name));
  const groups = new Map<string, Row[]>();

  await mapInSlices(
    rows,
    (row) => {
      const key = keyText(row, keys);
      if (key === undefined) return;
      const known = groups.get(key);

      if (known) known.push(row);
      else groups.set(key, [row]);
    },
    proceed,
  );

  return groups;
}

/** The distinct keys of the parents in some rows, a list per column. */
export function parentKeys(link: ParentLink, { rows, format }: StatementRows): unknown[][] {
  const names = link.parentNames.slice(0, link.keyCount).map((name) => format.key(name));
  const isPresent = link.presence.map((presence) => makePresenceCheck(presence, format));
  const keys: unknown[][] = names.map(() => []);
  const seen = new Set<string>();

  for (const row of rows) {
    const key = isPresent.every((present) => present(row)) ? keyText(row, names) : undefined;

    if (key !== undefined && !seen.has(key)) {
      seen.add(key);
      names.forEach((name, index) => keys[index]!.push(row[name as string]));
    }
  }

  return keys;
}

/** Whether a LEFT JOIN found a record, given the values that are all null if not. */
export function makePresenceCheck(presence: readonly string[], format: RowFormat): (row: Row) => boolean {
  const keys = presence.map((name) => format.key(name) as string);
  if (keys.length === 0) return () => true;

  return (row) => {
    for (const key of keys) if (row[key] !== null && row[key] !== undefined) return true;

    return false;
  };
}

/** One text for a key; undefined if a part of it is null, so that nothing belongs to it. */
export function keyText(row: Row, names: readonly (string | number)[]): string | undefined {
  let text = '';

  for (let index = 0; index < names.length; index += 1) {
    const value = row[names[index] as string];
    if (value === null || value === undefined) return undefined;

    text = index === 0 ? partText(value) : `${text}\u0000${partText(value)}`;
  }

  return text;
}

function partText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Date) return String(value.getTime());

  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value);
}
