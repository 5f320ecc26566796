/** Comma-separated values (RFC 4180): a header, and a line per record. */
import { type ExportWriter, makeExportShape, type WriterInput } from './export-writer.js';
import type { ColumnKind } from '../plan/catalog.js';
import { type ExportCells, type ExportPart, NeedsRecords } from '../response/result.js';
import type { Serializer } from '../serialization/serialize.js';
import { mapInSlices } from '../time-slices.js';
import { covers } from '../plan/column-access.js';
import { listEnclosingPaths } from '../definition/plain-objects.js';
import { planRead } from '../plan/read.js';
import type { RelationStep } from '../plan/resolve-names.js';
import type { PlannedSource } from '../plan/read-plan.js';
import { itemAnswer, walkPlace } from '../visibility/path-states.js';

type Row = Cell[];

/** A part of the list, as rows of cells. */
interface Table {
  readonly columns: readonly Column[];
  readonly rows: Row[];
}

/** Writes a column per selected field; a list or an object stays JSON. */
export function csvWriter(input: WriterInput): ExportWriter {
  const { definition, request, proceed } = input;
  const { model, shape } = makeExportShape(definition, request);
  const known = exportColumns(input);
  const formulas = request.options.query?.export?.csv?.formulas === true;
  let columns: readonly Column[] | undefined;

  return async (part) => {
    const cells = model instanceof NeedsRecords ? undefined : part.cells?.(model);
    const table =
      cells === undefined || cells instanceof NeedsRecords
        ? await makeRecordTable(part, { known, columns, shape, proceed })
        : await makeCellTable(cells, known);
    const header = columns ? '' : printRow(table.columns.map(({ name }) => name));
    columns ??= table.columns;
    const print = formulas ? printRow : (row: Row) => printRow(defuse(row, table.columns));
    const lines = await mapInSlices(table.rows, print, proceed);

    return { text: header + lines.join(''), rows: lines.length };
  };
}

async function makeCellTable(cells: ExportCells, known: ExportColumns): Promise<Table> {
  return { columns: known.named(cells.columns), rows: await cells.rows() };
}

interface Shaping {
  readonly known: ExportColumns;
  /** The columns of the previous parts; undefined for the first one. */
  readonly columns: readonly Column[] | undefined;
  readonly shape: Serializer;
  readonly proceed: () => void;
}

async function makeRecordTable(part: ExportPart, { known, columns, shape, proceed }: Shaping): Promise<Table> {
  const shaped = await mapInSlices(await part.records(), (record) => shape(record), proceed);
  const all = columns ?? collectColumns(shaped, known);

  return {
    columns: all,
    rows: await mapInSlices(shaped, (record) => all.map((column) => readCell(record, column)), proceed),
  };
}

/** A line. Null is an empty cell, an empty text a pair of quotation marks. */
function printRow(row: Row): string {
  let line = '';
  for (let index = 0; index < row.length; index += 1) {
    const cell = row[index] ?? null;
    line += index === 0 ? '' : ',';
    if (cell !== null) line += typeof cell === 'number' || !QUOTED.test(cell) ? cell : quote(cell);
  }

  return `${line}\r\n`;
}

// Not the delimiter of lines alone: many readers take a bare CR or LF for one, and the rest for another record.
const QUOTED = /^$|[",\r\n]/;

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** First characters of formulas. */
const FIRST: ReadonlySet<string> = new Set(['=', '+', '-', '@', '\t', '\r']);

/** Kinds whose values are not texts, although some are printed as texts. */
const PLAIN: ReadonlySet<ColumnKind | undefined> = new Set<ColumnKind>([
  'integer',
  'bigint',
  'decimal',
  'float',
  'boolean',
  'date',
  'time',
  'datetime',
  'json',
  'array',
  'binary',
]);

/** A number, a duration or a moment, whatever a transformer has made of it. */
const NUMERIC = /^[+-]\d[\d.:]*(?:e[+-]?\d+)?$|^[+-]\d{6}-\d\d-\d\dT[\d:.]+Z$/i;

/** Puts an apostrophe before what a spreadsheet would run as a formula; negative numbers stay as they are. */
function defuse(row: Row, columns: readonly Column[]): Row {
  row.forEach((text, index) => {
    if (typeof text !== 'string' || !FIRST.has(text.charAt(0))) return;
    if (!PLAIN.has(columns[index]!.kind) || !NUMERIC.test(text)) row[index] = `'${text}`;
  });

  return row;
}

// A table of records has a column per selected field, those of related records and embedded objects behind dots.

interface Column {
  readonly name: string;
  /** The properties on the path to its values. */
  readonly path: readonly string[];
  /** Kind of the entity's column; undefined if the record's class computes or names it. */
  readonly kind: ColumnKind | undefined;
}

/** What is known of the columns before anything is read. */
interface ExportColumns {
  /** Columns by their names. */
  named(names: readonly string[]): readonly Column[];
  /** Properties whose objects are split into columns of their own. */
  readonly nested: ReadonlySet<string>;
  /** Paths in records of the columns that are read and not hidden, by their names. */
  readonly read: ReadonlyMap<string, readonly string[]>;
}

/** The columns of a request's list. */
function exportColumns({ definition, catalog, request }: WriterInput): ExportColumns {
  const kinds = new Map<string, ColumnKind>();
  const nested = new Set<string>();
  const root = catalog && planRead(request, catalog, 'many').root;
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
function collectColumns(records: readonly unknown[], known: ExportColumns): readonly Column[] {
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
type Cell = string | number | null;

/** A record's value, null if there is none: a text or a number as it is, anything else as JSON prints it. */
function readCell(record: unknown, { path, kind }: Column): Cell {
  let value = record;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  if (typeof value === 'string' && kind !== 'json') return value;
  if (Number.isFinite(value)) return value as number;

  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined || json === 'null') return null;

  return json.startsWith('"') && kind !== 'json' ? (JSON.parse(json) as string) : json;
}
