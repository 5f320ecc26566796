/** How the records of an export are shaped: as those of the list. */
import type { Type } from '@nestjs/common';
import type { CrudRequest } from '../crud-request.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import { NeedsRecords } from '../response/result.js';
import { recordSerializerOf, responseShape, type Serializer } from '../serialization/index.js';

/** How records leave. */
export interface ExportShape {
  /** Class that shapes records of which no other is asked for, or why records must be made. */
  readonly model: Type<unknown> | NeedsRecords;
  /** Shapes one record. */
  readonly shape: Serializer;
}

/** How the records of a request leave. */
export function exportShapeOf(definition: ResourceDefinition, { parsed }: CrudRequest): ExportShape {
  const { record } = responseShape(definition, 'getManyBase');
  const options = parsed.classTransformOptions;
  const shape = recordSerializerOf(record, options);
  if (!record) return { model: new NeedsRecords('serialization that is turned off'), shape };
  const isPlain = !options || Object.values(options).every((value) => value === undefined);

  return { model: isPlain ? record : new NeedsRecords('options of class-transformer (@CrudAuth)'), shape };
}
