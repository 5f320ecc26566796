/** The evaluator's own picture of a database: tables of records in memory, their columns and their relations; nothing of the packages is in it. */

/** What a column holds. `decimal` comes as a number, `datetime` as milliseconds since 1970, `date` and `time` as text, `list` as texts, `json` as JSON. */
export type ColumnType =
  'text' | 'enum' | 'uuid' | 'boolean' | 'list' | 'json' | NumberType | 'date' | 'time' | 'datetime';
type NumberType = 'integer' | 'bigint' | 'float' | 'decimal';

/** A stored value; of a JSON column, any JSON. */
export type Value = unknown;

export interface Column {
  /** Property path, embedded objects joined by dots. */
  readonly path: string;
  readonly type: ColumnType;
  /** Members of an enum, in the order of their declaration. */
  readonly members?: readonly string[];
  /** Whether a decimal arrives as the driver gives it, with all digits of its scale where that is a text. */
  readonly raw?: boolean;
}

/** One record: values by property path; a column that is missing is null. */
export type Entry = ReadonlyMap<string, Value>;

export interface Relation {
  readonly name: string;
  readonly target: () => Table;
  readonly many: boolean;
  /** Records related to one, soft-deleted ones among them. */
  readonly of: (entry: Entry) => readonly Entry[];
}

export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  /** Paths of the primary key. */
  readonly key: readonly string[];
  /** Path of the delete date. */
  readonly deleteDate?: string;
  readonly relations: readonly Relation[];
  readonly entries: readonly Entry[];
}

/** A value of a record; undefined reads as null. */
export const valueOf = (entry: Entry | undefined, path: string): Value => entry?.get(path) ?? null;

/** The column of a path. */
export function columnOf(table: Table, path: string): Column {
  const column = table.columns.find((candidate) => candidate.path === path);
  if (!column) throw new Error(`${table.name} has no column ${path}`);
  return column;
}

export function relationOf(table: Table, name: string): Relation {
  const relation = table.relations.find((candidate) => candidate.name === name);
  if (!relation) throw new Error(`${table.name} has no relation ${name}`);
  return relation;
}

/** Names of the relations along a path. */
const stepsOf = (path: string): string[] => (path === '' ? [] : path.split('.'));

/** The table at the end of a path of relations; the empty path is the table itself. */
export const tableAt = (root: Table, path: string): Table =>
  stepsOf(path).reduce((table, name) => relationOf(table, name).target(), root);

/** A path and all that lead to it, the shortest first: `a.b` is reached by `a`. */
export const waysTo = (path: string): string[] =>
  stepsOf(path).map((_, index, steps) => steps.slice(0, index + 1).join('.'));

/** Whether a record is soft-deleted. */
export const isDeleted = (table: Table, entry: Entry): boolean =>
  table.deleteDate !== undefined && valueOf(entry, table.deleteDate) !== null;

type Json = Record<string, unknown>;

/** Makes a record of an object: embedded objects become paths as far as columns say. */
export function entryOf(columns: readonly Column[], record: object): Entry {
  const read = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, name) => (value as Json | null)?.[name] ?? null, record);
  return new Map(columns.map(({ path }) => [path, read(path)]));
}
