/** Records as an adapter would make them: instances of the entities' classes, with related records and embedded objects. */
import type { Type } from '@nestjs/common';
import type { Catalog, RecordClass } from '../plan/catalog.js';
import type { PlannedSource } from '../plan/read-plan.js';
import { findRelation, type Names, type RelationStep } from '../plan/resolve-names.js';
import { samplesOf } from './sample-values.js';

/** One record on the path to a value: its class, and the property that holds the next record or the value. */
export interface ChainRecord {
  /** Path from the root; empty for the root. */
  readonly path: string;
  readonly catalog: Catalog;
  readonly recordClass: RecordClass;
  /** The column, or the relation to the next record. */
  readonly property: string;
  /** Whether it is an item of a to-many relation. */
  readonly isMany: boolean;
}

/** The classes of a catalog's records. */
export function recordClassesOf({ recordClasses, target, columns, relations }: Catalog): readonly RecordClass[] {
  return recordClasses ?? [{ target, paths: new Set([...columns.keys(), ...relations.keys()]), embedded: new Map() }];
}

/** Makes a record with a value at the end of a chain of records. */
export type MakeRecord = (names: Names, chain: readonly ChainRecord[], value: unknown) => object;

/** With the value only, like a record with few selected fields. */
export const sparseRecord: MakeRecord = (_, chain, value) =>
  nest(chain, value, ({ recordClass }) => instanceOf(recordClass.target));

/** With every column of the records on the path, and no other relations. */
export const wideRecord: MakeRecord = (_, chain, value) =>
  nest(chain, value, ({ catalog, recordClass }) => withColumns(catalog, recordClass));

/** The records of a chain, each in the property of the one before it, and the value in the last one. */
function nest(
  chain: readonly ChainRecord[],
  value: unknown,
  make: (link: ChainRecord) => Record<string, unknown>,
): object {
  return chain.reduceRight<unknown>((inner, link) => {
    const record = make(link);
    put(record, link.property, inner, link.recordClass);

    return link.isMany ? [record] : record;
  }, value) as object;
}

/** With every column, and every relation that can be returned. */
export const fullRecord: MakeRecord = (names, chain, value) =>
  full(names, chain, value, { path: '', catalog: names.root });

function full(
  names: Names,
  chain: readonly ChainRecord[],
  value: unknown,
  { path, catalog }: Pick<ChainRecord, 'path' | 'catalog'>,
): object {
  const index = chain.findIndex((link) => link.path === path);
  const recordClass = chain[index]?.recordClass ?? recordClassesOf(catalog)[0]!;
  const record = withColumns(catalog, recordClass);

  for (const { path: under, relation } of stepsUnder(names, path)) {
    if (!recordClass.paths.has(relation.path)) continue;
    const related = full(names, chain, value, { path: under, catalog: relation.target });
    put(record, relation.path, relation.toMany ? [related] : related, recordClass);
  }
  if (index >= 0 && index === chain.length - 1) put(record, chain[index]!.property, value, recordClass);

  return record;
}

/** With every column and relation that a plan returns. */
export function plannedRecord({ catalog, columns, hidden, joins }: PlannedSource): object {
  const recordClass = recordClassesOf(catalog)[0]!;
  const record = instanceOf(recordClass.target);

  for (const { column } of columns)
    if (!hidden.has(column.path)) put(record, column.path, samplesOf(column)[0], recordClass);

  for (const join of joins) {
    if (!join.returned) continue;
    const related = plannedRecord(join);
    const { path, toMany } = join.relation!;
    put(record, path, toMany ? [related] : related, recordClass);
  }

  return record;
}

function withColumns(catalog: Catalog, recordClass: RecordClass): Record<string, unknown> {
  const record = instanceOf(recordClass.target);

  for (const column of catalog.columns.values()) {
    if (recordClass.paths.has(column.path) && column.selectable)
      put(record, column.path, samplesOf(column)[0], recordClass);
  }

  return record;
}

/** The relations of a record that are returned with it. */
function stepsUnder(names: Names, path: string): RelationStep[] {
  return [...names.order.keys()].flatMap((under) => {
    const steps = findRelation(names, under);
    const step = steps?.at(-1);

    return step && step.path === under && (steps?.at(-2)?.path ?? '') === path && isReturned(names, under)
      ? [step]
      : [];
  });
}

/** Whether a relation is returned at all, so far as its own option says. */
export function isReturned({ configured }: Names, relation: string): boolean {
  return configured.get(relation)?.select !== false;
}

function instanceOf(target: unknown): Record<string, unknown> {
  if (typeof target !== 'function') return {};

  try {
    return new (target as Type<Record<string, unknown>>)();
  } catch {
    // The constructor requires parameters; adapters create records without calling it, too.
    return Object.create(target.prototype as object) as Record<string, unknown>;
  }
}

function put(record: Record<string, unknown>, path: string, value: unknown, { embedded }: RecordClass): void {
  const segments = path.split('.');
  let holder = record;

  for (const [index, segment] of segments.slice(0, -1).entries()) {
    const inner = holder[segment];
    const isObject = typeof inner === 'object' && inner !== null;
    holder = (
      isObject ? inner : (holder[segment] = instanceOf(embedded.get(segments.slice(0, index + 1).join('.'))))
    ) as Record<string, unknown>;
  }

  holder[segments.at(-1)!] = value;
}
