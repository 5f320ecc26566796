/** A JSON text per line. */
import type { ExportPart } from '../response/list-export.js';
import { NeedsRecords } from '../response/result.js';
import { mapInSlices } from '../time-slices.js';
import { exportShapeOf } from './shape.js';
import type { ExportWriter, WriterInput } from './export-writer.js';

/** Writes a record per line, as the list has it. */
export function ndjsonWriter({ definition, request, proceed }: WriterInput): ExportWriter {
  const { model, shape } = exportShapeOf(definition, request);

  return async (part: ExportPart) => {
    const texts = model instanceof NeedsRecords ? model : await part.texts?.(model);
    const lines =
      texts === undefined || texts instanceof NeedsRecords
        ? await mapInSlices(await part.records(), (record) => JSON.stringify(shape(record)) ?? 'null', proceed)
        : texts;

    return { text: lines.length === 0 ? '' : `${lines.join('\n')}\n`, rows: lines.length };
  };
}
