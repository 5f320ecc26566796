/** The keys of the metadata that decorators of @nestjs/swagger and Nest define, found by applying the decorators to a probe. */
import { HttpCode } from '@nestjs/common';
import * as swagger from '@nestjs/swagger';
import { getOrInsert } from '../get-or-insert.js';

const DECORATORS = {
  operation: () => swagger.ApiOperation({}),
  parameters: () => swagger.ApiQuery({ name: 'probe' }),
  responses: () => swagger.ApiResponse({ status: 200 }),
  extraModels: () => swagger.ApiExtraModels(),
  consumes: () => swagger.ApiConsumes(),
  produces: () => swagger.ApiProduces(),
  httpCode: () => HttpCode(200),
} as const satisfies Record<string, () => MethodDecorator>;

/** Static method in which the CLI plugin of @nestjs/swagger, and mapped types, store what they know of a class. */
export const PLUGIN = '_OPENAPI_METADATA_FACTORY';

/** A kind of metadata on a handler. */
export type HandlerMetadata = keyof typeof DECORATORS;

const keys = new Map<HandlerMetadata, unknown>();

/** Key of the metadata on a handler, or on a class for decorators that take both. */
export function metadataKey(kind: HandlerMetadata): unknown {
  return getOrInsert(keys, kind, () => probe(DECORATORS[kind]()));
}

function probe(decorate: MethodDecorator): unknown {
  const handler = (): void => undefined;

  decorate({}, 'probe', { value: handler });

  return Reflect.getMetadataKeys(handler)[0];
}

interface PropertyKeys {
  /** On the prototype: names of the properties. */
  readonly list: unknown;
  /** On each property of the prototype: its description. */
  readonly one: unknown;
}

let known: PropertyKeys | undefined;

/** Keys of the metadata of `@ApiProperty()`. */
export function propertyKeys(): PropertyKeys {
  if (known) return known;

  const prototype = {};
  swagger.ApiProperty({ type: String })(prototype, 'probe');
  known = { list: Reflect.getMetadataKeys(prototype)[0], one: Reflect.getMetadataKeys(prototype, 'probe')[0] };

  return known;
}
