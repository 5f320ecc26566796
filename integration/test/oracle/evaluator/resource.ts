/** A resource as its owner describes it, in the evaluator's own words: its table, what of it is open, what may be joined, whom it answers. */
import type { Entry, Table } from './tables.js';

/** Which columns of a table leave. */
export interface Visibility {
  /** Columns that are open; all by default. The key always is. */
  readonly allow?: readonly string[];
  /** Columns that never leave. */
  readonly exclude?: readonly string[];
  /** Columns that are returned whatever is selected. */
  readonly persist?: readonly string[];
}

export interface JoinRule extends Visibility {
  /** A second name for clients. */
  readonly alias?: string;
  readonly eager?: boolean;
  readonly required?: boolean;
  /** `false`: for conditions only. */
  readonly select?: boolean;
}

/** One way to ask for a resource: its address and who asks. */
export interface Scope {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Records that the path and the authorization leave. Default: all. */
  readonly admits?: (entry: Entry) => boolean;
  /** Records that the authorization lets through whatever the client's condition says. Default: none. */
  readonly widens?: (entry: Entry) => boolean;
  /** Related records that are shown, and that the client's conditions and sorts see. Default: all. */
  readonly reach?: Reach;
}

export interface Resource extends Visibility {
  readonly name: string;
  readonly table: Table;
  readonly joins: Readonly<Record<string, JoinRule>>;
  readonly scopes: readonly Scope[];
  /** The default condition of the resource, beside the client's. */
  readonly filter?: (entry: Entry) => boolean;
  readonly sort?: readonly { readonly path: string; readonly descending: boolean }[];
  readonly limit?: number;
  /** Default: 1000, or `limit` where that is larger. */
  readonly maxLimit?: number;
  readonly alwaysPaginate?: boolean;
  readonly softDelete?: boolean;
}

/** Columns that leave when nobody selects. */
export function visibleColumns({ allow, exclude = [] }: Visibility, table: Table): Set<string> {
  const isOpen = (path: string) => !allow || allow.includes(path) || table.key.includes(path);
  return new Set(table.columns.map(({ path }) => path).filter((path) => !exclude.includes(path) && isOpen(path)));
}

/** Columns that are returned for a selection, the empty one meaning all. */
export function selectedColumns(visibility: Visibility, table: Table, fields: readonly string[]): Set<string> {
  const visible = visibleColumns(visibility, table);
  const { persist = [] } = visibility;
  const wanted = (path: string): boolean =>
    fields.length === 0 || fields.includes(path) || persist.includes(path) || table.key.includes(path);
  return new Set([...[...visible].filter(wanted), ...persist]);
}

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
