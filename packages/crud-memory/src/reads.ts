/** Reads: which records match a plan, in which order, and what of them is answered. */
import {
  type Edges,
  NeedsRecords,
  type PlannedSlice,
  type PlannedSort,
  type PlannedSource,
  type ReadPlan,
  type ReadUse,
  readValue,
  type Rows as Answered,
} from '@nestwright/crud/adapter';
import { type Choice, choices, holds, pathTo, type Reading, relatedTo, sourcesOf } from './conditions.js';
import { type Rows, tableOf } from './tables.js';
import { compareValues, given, type Row } from './values.js';

/** A record, with the choices of related ones for which it matches. */
export interface Match {
  readonly row: Row;
  readonly choices: readonly Choice[];
}

export const readingOf = ({ values, withDeleted }: ReadPlan, rows: Rows): Reading => ({ rows, values, withDeleted });

/** The records that match a plan, whatever its page. */
export function findMatches(plan: ReadPlan, rows: Rows): Match[] {
  const { root, where, withDeleted } = plan;
  const reading = readingOf(plan, rows);
  const sources = [...new Set([...requiredSources(root).flatMap(pathTo), ...sourcesOf(where)])];
  const { path: deleted } = root.catalog.deleteDate ?? {};

  return [...rows.of(tableOf(root.catalog))]
    .filter((row) => withDeleted || deleted === undefined || row[deleted] === null)
    .map((row) => ({
      row,
      choices: choices(new Map([[root.alias, row]]), sources, reading).filter(
        (choice) => where === undefined || holds(where, choice, reading) === true,
      ),
    }))
    .filter((match) => match.choices.length > 0);
}

function requiredSources({ joins }: PlannedSource): PlannedSource[] {
  return joins.flatMap((join) => [...(join.required ? [join] : []), ...requiredSources(join)]);
}

/** Reads a page. */
export function readRows<T>(plan: ReadPlan, rows: Rows, { most = Infinity, refusedValue }: ReadUse): Answered<T> {
  const { sort, slice, offset = 0, limit = Infinity } = plan;
  const reading = readingOf(plan, rows);
  const keyed = findMatches(plan, rows).map((match) => ({
    ...match,
    key: sort.map((one) => sortValue(one, match, reading)),
  }));
  const from = slice?.from && readStart(slice.from, plan, refusedValue);
  const page = keyed
    .filter(({ key }) => !from || isAfter(compareKeys(sort, key, from.key), from.including))
    .sort((one, other) => compareKeys(sort, one.key, other.key))
    .slice(offset, offset + limit);
  const kept = page.slice(0, most);
  const [first, last] = [kept[0], kept.at(-1)];
  const print = ({ key }: { key: unknown[] }) => key.map(printSortValue);

  return {
    length: kept.length,
    cut: page.length > most,
    ...(slice && first && last && { edges: { first: print(first), last: print(last) } satisfies Edges }),
    records: () => kept.map((match) => makeRecord(plan, match, reading) as T),
    texts: () => new NeedsRecords('records in memory'),
  };
}

function isAfter(order: number, including: boolean): boolean {
  return including ? order >= 0 : order > 0;
}

function compareKeys(sort: readonly PlannedSort[], one: readonly unknown[], other: readonly unknown[]): number {
  for (const [at, { column, order }] of sort.entries()) {
    const compared = compareValues(column.column.kind, one[at], other[at]);
    if (compared !== 0) return order === 'ASC' ? compared : -compared;
  }

  return 0;
}

/** The value that a record is sorted by; sorts follow relations to one record only. */
export function sortValue(
  { column }: Pick<PlannedSort, 'column'>,
  { row }: Pick<Match, 'row'>,
  reading: Reading,
): unknown {
  const path = pathTo(column.source);
  const root = path[0]?.parent ?? column.source;
  const [choice] = choices(new Map([[root.alias, row]]), path, reading);

  return choice?.get(column.source.alias)?.[column.column.path] ?? null;
}

function printSortValue(value: unknown): string | null {
  if (value === null) return null;

  return value instanceof Date ? value.toISOString() : String(value);
}

/** Where a slice begins. */
function readStart(
  { slots, including }: NonNullable<PlannedSlice['from']>,
  { sort, values }: ReadPlan,
  refusedValue: ReadUse['refusedValue'],
): { readonly key: unknown[]; readonly including: boolean } {
  try {
    const key = slots.map((slot, at) => (slot === undefined ? null : readValue(sort[at]!.column.column, values[slot])));

    return { key, including };
  } catch (error) {
    throw refusedValue ? refusedValue(error) : error;
  }
}

/** A record as a plan answers it, with its joined relations. */
export function makeRecord(plan: ReadPlan, { row, choices: chosen }: Match, reading: Reading): object {
  const decided = new Set(chosen.flatMap((choice) => [...choice.keys()]));
  const make = (source: PlannedSource, own: Row, left: readonly Choice[], here: Choice): object => {
    const record = newRecord(source);
    for (const { column } of source.columns)
      if (!source.hidden.has(column.path)) setPath(record, column.path, given(own[column.path]));

    for (const join of source.joins.filter(({ returned }) => returned)) {
      const related = relatedTo(here, join, reading).flatMap((next) => {
        const still = decided.has(join.alias) ? left.filter((choice) => choice.get(join.alias) === next) : left;

        // A record of a relation to one is there whatever was chosen.
        return still.length > 0 || !join.relation!.toMany
          ? [make(join, next, still, new Map([...here, [join.alias, next]]))]
          : [];
      });
      setPath(record, join.relation!.path, join.relation!.toMany ? related : (related[0] ?? null));
    }

    return record;
  };

  return make(plan.root, row, chosen, new Map([[plan.root.alias, row]]));
}

function newRecord({ catalog }: PlannedSource): object {
  return new (catalog.target as new () => object)();
}

/** Sets the value at a path, with the objects around it. */
export function setPath(record: object, path: string, value: unknown): void {
  const names = path.split('.');
  let object = record as Record<string, unknown>;
  for (const name of names.slice(0, -1)) object = (object[name] ??= {}) as Record<string, unknown>;
  object[names.at(-1)!] = value;
}

/** The value at a path; undefined if anything on it is missing. */
export function getPath(record: object, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], record);
}
