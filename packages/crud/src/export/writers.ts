/** The formats of exports: how a list becomes a file, part by part. */
import type { CrudRequest } from '../crud-request.js';
import type { ExportFormat } from '../definition/query-options.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { ExportPart } from '../response/list-export.js';
import { csvWriter } from './csv.js';
import { ndjsonWriter } from './ndjson.js';

/** What the writer of a file is made of. */
export interface WriterInput {
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly request: CrudRequest;
  /** Called between slices of time; what it throws ends the work. */
  readonly proceed: () => void;
}

/** Writes a part of a list; the first one begins the file. */
export type ExportWriter = (part: ExportPart) => Promise<string>;

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
