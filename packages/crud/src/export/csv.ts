/** Comma-separated values (RFC 4180): a header, and a line per record. */
import { type Cell, collectColumns, type Column, type ExportColumns, exportColumns, readCell } from './columns.js';
import { type ExportWriter, makeExportShape, type WriterInput } from './export-writer.js';
import { loadCsvStringify } from '../nest/csv-stringify.js';
import type { ColumnKind } from '../plan/catalog.js';
import { type ExportCells, type ExportPart, NeedsRecords } from '../response/result.js';
import type { Serializer } from '../serialization/index.js';
import { mapInSlices } from '../time-slices.js';

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
    if (!formulas) await mapInSlices(table.rows, (row) => defuse(row, table.columns), proceed);
    const header = columns ? '' : await print([table.columns.map(({ name }) => name)]);
    columns ??= table.columns;

    return { text: header + (await print(table.rows)), rows: table.rows.length };
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

/** Null is an empty cell, an empty text a pair of quotation marks. */
async function print(rows: readonly Row[]): Promise<string> {
  if (rows.length === 0) return '';

  // Not the delimiter alone: many readers take a bare CR or LF for the end of a line, whose rest would then begin a
  // cell.
  return (await loadCsvStringify())!(rows as Row[], {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    quoted_match: /^$/,
  });
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
function defuse(row: Cell[], columns: readonly Column[]): void {
  for (let index = 0; index < row.length; index += 1) {
    const text = row[index];
    if (typeof text !== 'string' || !FIRST.has(text.charAt(0))) continue;
    if (!PLAIN.has(columns[index]!.kind) || !NUMERIC.test(text)) row[index] = `'${text}`;
  }
}
