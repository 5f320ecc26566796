/** Comma-separated values (RFC 4180): a header, and a line per record. */
import { loadCsvStringify } from '../nest/csv-stringify.js';
import type { ExportCells, ExportPart } from '../response/list-export.js';
import { NeedsRecords } from '../response/result.js';
import type { Serializer } from '../serialization/index.js';
import { mapInSlices } from '../time-slices.js';
import { type Cell, cellOf, type Column, columnsIn, type ExportColumns, exportColumns } from './columns.js';
import { defuse } from './formulas.js';
import { exportShapeOf } from './shape.js';
import type { ExportWriter, WriterInput } from './export-writer.js';

type Row = Cell[];

/** A part of the list, as rows of cells. */
interface Table {
  readonly columns: readonly Column[];
  readonly rows: Row[];
}

/** Writes a column per selected field; a list or an object stays JSON. */
export function csvWriter(input: WriterInput): ExportWriter {
  const { definition, request, proceed } = input;
  const { model, shape } = exportShapeOf(definition, request);
  const known = exportColumns(input);
  const formulas = request.options.query?.export?.csv?.formulas === true;
  let columns: readonly Column[] | undefined;

  return async (part) => {
    const cells = model instanceof NeedsRecords ? undefined : part.cells?.(model);
    const table =
      cells === undefined || cells instanceof NeedsRecords
        ? await tableOfRecords(part, { known, columns, shape, proceed })
        : await tableOfCells(cells, known);
    if (!formulas) await mapInSlices(table.rows, (row) => defuse(row, table.columns), proceed);
    const header = columns ? '' : await print([table.columns.map(({ name }) => name)]);
    columns ??= table.columns;

    return { text: header + (await print(table.rows)), rows: table.rows.length };
  };
}

async function tableOfCells(cells: ExportCells, known: ExportColumns): Promise<Table> {
  return { columns: known.named(cells.columns), rows: await cells.rows() };
}

interface Shaping {
  readonly known: ExportColumns;
  /** The columns of the previous parts; undefined for the first one. */
  readonly columns: readonly Column[] | undefined;
  readonly shape: Serializer;
  readonly proceed: () => void;
}

async function tableOfRecords(part: ExportPart, { known, columns, shape, proceed }: Shaping): Promise<Table> {
  const shaped = await mapInSlices(await part.records(), (record) => shape(record), proceed);
  const all = columns ?? columnsIn(shaped, known);

  return {
    columns: all,
    rows: await mapInSlices(shaped, (record) => all.map((column) => cellOf(record, column)), proceed),
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
