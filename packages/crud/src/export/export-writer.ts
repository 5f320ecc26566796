import type { CrudRequest } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { ExportPart } from '../response/list-export.js';

/** What the writer of a file is made of. */
export interface WriterInput {
  readonly definition: ResourceDefinition;
  readonly catalog: Catalog | undefined;
  readonly request: CrudRequest;
  /** Called between slices of time; what it throws ends the work. */
  readonly proceed: () => void;
}

/** A piece of a file. */
export interface ExportPiece {
  readonly text: string;
  /** How many records it holds. */
  readonly rows: number;
}

/** Writes a part of a list; the first one begins the file. */
export type ExportWriter = (part: ExportPart) => Promise<ExportPiece>;
