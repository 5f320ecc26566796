/**
 * The columns of a table of records: one per selected field, those of related records and embedded objects behind dots.
 */
import type { ColumnKind } from '../plan/catalog.js';
import { covers } from '../plan/column-access.js';
import { listEnclosingPaths } from '../definition/plain-objects.js';
import { planRead } from '../plan/read.js';
import type { RelationStep } from '../plan/resolve-names.js';
import type { PlannedSource } from '../plan/read-plan.js';
import { itemAnswer, walkPlace } from '../visibility/index.js';
import type { WriterInput } from './export-writer.js';

export interface Column {
  readonly name: string;
  /** The properties on the path to its values. */
  readonly path: readonly string[];
  /** Kind of the entity's column; undefined if the record's class computes or names it. */
  readonly kind: ColumnKind | undefined;
}

/** What is known of the columns before anything is read. */
export interface ExportColumns {
  /** Columns by their names. */
  named(names: readonly string[]): readonly Column[];
  /** Properties whose objects are split into columns of their own. */
  readonly nested: ReadonlySet<string>;
  /** Paths in records of the columns that are read and not hidden, by their names. */
  readonly read: ReadonlyMap<string, readonly string[]>;
}

/** The columns of a request's list. */
export function exportColumns({ definition, catalog, request }: WriterInput): ExportColumns {
  const kinds = new Map<string, ColumnKind>();
  const nested = new Set<string>();
  const root = catalog && planRead(request, catalog, 'many', { take: null, skip: null }).root;
  if (root) collectKinds(root, '', kinds, nested);
  const answer = itemAnswer(definition, 'getManyBase');
  const find = (place: Place) => walkPlace(root!.catalog, place, answer, request.parsed.classTransformOptions);
  const paths = (root ? listPlaces(root) : [])
    .map(find)
    .flatMap(({ state, names }) => (state === 'hidden' ? [] : [names]));

  return {
    named: (names) => names.map((name) => ({ name, path: name.split('.'), kind: kinds.get(name) })),
    nested,
    read: new Map(paths.map((path) => [path.join('.'), path])),
  };
}

interface Place {
  readonly steps: readonly RelationStep[];
  readonly path?: string;
}

/** The properties of records that have columns of their own: a list of related records is one. */
function listPlaces({ columns, hidden, joins }: PlannedSource, steps: readonly RelationStep[] = []): Place[] {
  const own = columns
    .filter(({ column }) => !hidden.has(column.path))
    .map(({ column }) => ({ steps, path: column.path }));
  const related = joins.flatMap((join) => {
    const inside = [...steps, { path: join.path, relation: join.relation! }];
    if (!join.returned) return [];

    return join.relation!.toMany ? [{ steps: inside }] : listPlaces(join, inside);
  });

  return [...own, ...related];
}

function collectKinds(
  source: PlannedSource,
  prefix: string,
  kinds: Map<string, ColumnKind>,
  nested: Set<string>,
): void {
  for (const { column } of source.columns) {
    kinds.set(prefix + column.path, column.kind);
    for (const parent of listEnclosingPaths(prefix + column.path)) nested.add(parent);
  }
  for (const join of source.joins) {
    const { toMany, path } = join.relation!;
    for (const parent of listEnclosingPaths(prefix + path)) nested.add(parent);
    if (!join.returned || toMany) continue;

    nested.add(prefix + path);
    collectKinds(join, `${prefix}${path}.`, kinds, nested);
  }
}

/** The columns that records have, in their order, and those that are read besides. */
export function collectColumns(records: readonly unknown[], known: ExportColumns): readonly Column[] {
  const paths = new Map<string, readonly string[]>();
  for (const record of records) collect(record, [], known, paths);
  for (const [name, path] of known.read) paths.set(name, path);
  const names = [...paths.keys()];

  return known.named(names).map((column) => ({ ...column, path: paths.get(column.name)! }));
}

function collect(
  value: unknown,
  path: readonly string[],
  known: Pick<ExportColumns, 'nested' | 'read'>,
  paths: Map<string, readonly string[]>,
): void {
  if (typeof value !== 'object' || value === null) return;

  for (const [key, inner] of Object.entries(value)) {
    const inside = [...path, key];
    const name = inside.join('.');
    if (inner === undefined || typeof inner === 'function') continue;
    if (!known.nested.has(name)) paths.set(name, paths.get(name) ?? inside);
    else if (inner !== null) collect(inner, inside, known, paths);
    else for (const [column, columnPath] of known.read) if (covers(name, column)) paths.set(column, columnPath);
  }
}

/** A value in a table; a number stays one, since only texts may be formulas. */
export type Cell = string | number | null;

/** A record's value, null if there is none: a text or a number as it is, anything else as JSON prints it. */
export function readCell(record: unknown, { path, kind }: Column): Cell {
  let value = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  if (typeof value === 'string' && kind !== 'json') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;

  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined || json === 'null') return null;

  return json.startsWith('"') && kind !== 'json' ? (JSON.parse(json) as string) : json;
}
