/** What `query.export` adds to the answers of lists: their media types. */
import { CONTENT_TYPES } from '../definition/media-types.js';
import type { ExportFormat } from '../definition/query-options.js';
import type { DocumentOperation } from './document-operations.js';

/** What the body of a format is. */
const BODIES: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'The whole list: the JSON text of a record per line',
  csv: 'The whole list: a header and a line per record, a column per selected field',
};

/** Adds the formats of whole lists to the successful answers of the operations that have them. */
export function addExportMedia(operations: readonly DocumentOperation[]): void {
  for (const { handler, operation } of operations) {
    const { definition, route } = handler?.description ?? {};
    const formats = route === 'getManyBase' ? definition?.options.query.export?.formats : undefined;
    const content = operation.responses?.['200']?.content;
    if (!formats || !content) continue;

    // With their parameters, as they are sent: orval reads any list with the bare type of NDJSON as a stream.
    for (const format of formats)
      content[CONTENT_TYPES[format]] ??= { schema: { type: 'string', description: BODIES[format] } };
  }
}
