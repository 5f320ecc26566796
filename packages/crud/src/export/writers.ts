/** The formats of exports: how a list becomes a file, part by part. */
import type { ExportFormat } from '../definition/query-options.js';
import { csvWriter } from './csv.js';
import type { ExportWriter, WriterInput } from './export-writer.js';
import { ndjsonWriter } from './ndjson.js';

interface Format {
  /** Content type. */
  readonly type: string;
  writer(input: WriterInput): ExportWriter;
}

/** A row per format. */
export const EXPORT_FORMATS: Readonly<Record<ExportFormat, Format>> = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', writer: ndjsonWriter },
  csv: { type: 'text/csv; charset=utf-8; header=present', writer: csvWriter },
};
