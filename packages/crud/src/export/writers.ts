/** How a list becomes a file, part by part. */
import type { ExportFormat } from '../definition/query-options.js';
import { csvWriter } from './csv.js';
import type { ExportWriter, WriterInput } from './export-writer.js';
import { ndjsonWriter } from './ndjson.js';

/** The writer of each format. */
export const EXPORT_WRITERS: Readonly<Record<ExportFormat, (input: WriterInput) => ExportWriter>> = {
  ndjson: ndjsonWriter,
  csv: csvWriter,
};
