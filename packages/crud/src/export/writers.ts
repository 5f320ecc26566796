/** How a list becomes a file, part by part. */
import type { ExportFormat } from '../definition/query-options.js';
import { csvWriter } from './csv.js';
import { type ExportWriter, makeExportShape, type WriterInput } from './export-writer.js';
import { type ExportPart, NeedsRecords } from '../response/result.js';
import { mapInSlices } from '../time-slices.js';

/** The writer of each format. */
export const EXPORT_WRITERS: Readonly<Record<ExportFormat, (input: WriterInput) => ExportWriter>> = {
  ndjson: ndjsonWriter,
  csv: csvWriter,
};

/** Writes a record per line, as the list has it. */
function ndjsonWriter({ definition, request, proceed }: WriterInput): ExportWriter {
  const { model, shape } = makeExportShape(definition, request);

  return async (part: ExportPart) => {
    const texts = model instanceof NeedsRecords ? model : await part.texts?.(model);
    const lines =
      texts === undefined || texts instanceof NeedsRecords
        ? await mapInSlices(await part.records(), (record) => JSON.stringify(shape(record)) ?? 'null', proceed)
        : texts;

    return { text: lines.length === 0 ? '' : `${lines.join('\n')}\n`, rows: lines.length };
  };
}
