import { mapInSlices } from '@nestwright/crud/adapter';
import type { Row } from '../database/rows.js';
import { getHydrator } from './hydrator.js';
import type { ReadRows } from './read-rows.js';
import type { Entity } from '../database/database.js';

/**
 * The records of a read. A record with two parents is created twice, so that none is shared.
 *
 * @param proceed See `mapInSlices`.
 */
export function hydrateRecords(read: ReadRows, proceed: () => void): Entity[] | Promise<Entity[]> {
  return mapInSlices(read.rows, compile(read), proceed);
}

function compile({ statement, format, related }: ReadRows): (row: Row) => Entity {
  const hydrate = getHydrator(statement, format);
  const lists = related.map((list) => {
    const make = compile(list);

    return (key: string | undefined) => (list.groups.get(key) ?? []).map((row) => make(row));
  });

  return (row) => hydrate(row, lists)!;
}
