/** A table as a user sees it: related records out of the user's reach count as not related. */
import type { Entry, Table } from './tables.js';

/** Which related records are in reach, by table and relation: `Exhibit.room`. */
export type Reach = Readonly<Record<string, (related: Entry) => boolean>>;

const narrowed = new WeakMap<Reach, Map<Table, Table>>();

/** The table in which every relation leads to what is in reach, however it is come by. */
export function inReach(table: Table, reach: Reach | undefined): Table {
  if (!reach) return table;
  const known = narrowed.get(reach) ?? new Map<Table, Table>();
  narrowed.set(reach, known);

  const before = known.get(table);
  if (before) return before;

  const relations = table.relations.map((relation) => ({
    ...relation,
    target: () => inReach(relation.target(), reach),
    of: (entry: Entry) => relation.of(entry).filter(reach[`${table.name}.${relation.name}`] ?? (() => true)),
  }));
  const own = { ...table, relations };
  known.set(table, own);

  return own;
}
