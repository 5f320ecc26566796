/** The keys under which @nestjs/swagger and Nest keep what their decorators note, found by applying the decorators to a handler made for it. */
import { HttpCode } from '@nestjs/common';
import { getOrInsert } from '../get-or-insert.js';
import { swagger } from './optional-peers.js';

const DECORATORS = {
  operation: () => swagger?.ApiOperation({}),
  parameters: () => swagger?.ApiQuery({ name: 'probe' }),
  responses: () => swagger?.ApiResponse({ status: 200 }),
  extraModels: () => swagger?.ApiExtraModels(),
  httpCode: () => HttpCode(200),
} as const satisfies Record<string, () => MethodDecorator | undefined>;

/** What is noted on a handler. */
export type HandlerNote = keyof typeof DECORATORS;

const keys = new Map<HandlerNote, unknown>();

/** Key of the metadata on a handler, or on a class for decorators that take both. */
export function metadataKey(note: HandlerNote): unknown {
  return getOrInsert(keys, note, () => probe(DECORATORS[note]()));
}

function probe(decorate: MethodDecorator | undefined): unknown {
  const handler = (): void => undefined;

  decorate?.({}, 'probe', { value: handler });

  return Reflect.getMetadataKeys(handler)[0];
}

interface PropertyKeys {
  /** On the prototype: names of the properties. */
  readonly list: unknown;
  /** On each property of the prototype: what is noted of it. */
  readonly one: unknown;
}

let known: PropertyKeys | undefined;

/** Keys of what `@ApiProperty()` notes. */
export function propertyKeys(): PropertyKeys {
  if (known) return known;

  const prototype = {};
  swagger?.ApiProperty({ type: String })(prototype, 'probe');
  known = { list: Reflect.getMetadataKeys(prototype)[0], one: Reflect.getMetadataKeys(prototype, 'probe')[0] };

  return known;
}
