import type { Type } from '@nestjs/common';
import type { CrudRequest } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import { type ExportPart, NeedsRecords } from '../response/result.js';
import { mapInSlices } from '../time-slices.js';
import { makeRecordSerializer, responseShape, type Serializer } from '../serialization/serialize.js';

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

/** How records leave. */
export interface ExportShape {
  /** Class that shapes records of which no other is asked for, or why records must be made. */
  readonly model: Type<unknown> | NeedsRecords;
  /** Shapes one record. */
  readonly shape: Serializer;
}

/** How the records of a request leave. */
export function makeExportShape(definition: ResourceDefinition, { parsed }: CrudRequest): ExportShape {
  const { record } = responseShape(definition, 'getManyBase');
  const options = parsed.classTransformOptions;
  const shape = makeRecordSerializer(record, options);
  if (!record) return { model: new NeedsRecords('serialization that is turned off'), shape };
  const isPlain = !options || Object.values(options).every((value) => value === undefined);

  return { model: isPlain ? record : new NeedsRecords('options of class-transformer (@CrudAuth)'), shape };
}

/** Writes a record per line, as the list has it. */
export function ndjsonWriter({ definition, request, proceed }: WriterInput): ExportWriter {
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
