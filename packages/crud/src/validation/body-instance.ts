/**
 * Makes an instance of a body as class-transformer does, but keeps properties that the model only hides from responses.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import { isPlainObject } from '../definition/plain-objects.js';
import { ancestryOf } from '../nest/metadata.js';
import { classTransformer } from '../nest/optional-peers.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';
import { type Body, isNestedRecord } from './plain-body.js';

type TransformOptions = object | undefined;

/** What to make of a body. */
export interface InboundOptions {
  readonly transformOptions: TransformOptions;
  /** Whether values of initialisers that the body does not carry are dropped. */
  readonly partial: boolean;
  /** Whether properties that the class excludes both ways are kept. */
  readonly keepExcluded: boolean;
}

/** Makes an instance of a class from a body. Without class-transformer the body itself is returned. */
export function toInstance(type: Type<unknown>, body: Body, options: InboundOptions): Body {
  if (!classTransformer) return body;

  const instance = classTransformer.plainToInstance(type, body, options.transformOptions) as Body;
  reconcile(instance, body, options);

  return instance;
}

// Walks instance and body in parallel, so that the same rules apply to nested objects.
function reconcile(instance: Body, body: Body, options: InboundOptions): void {
  dropUnsent(instance, body, options);
  if (isPlainObject(instance)) restoreMethodNames(instance, body);
  else if (options.keepExcluded) restoreExcluded(instance, body, options);

  for (const [key, sent] of Object.entries(body)) {
    const made = Object.hasOwn(instance, key) ? instance[key] : undefined;

    if (isPlainObject(sent) && isNestedRecord(made) && made !== sent) reconcile(made, sent, options);
    if (Array.isArray(sent) && Array.isArray(made) && sent.length === made.length) {
      sent.forEach((item: unknown, index) => {
        const record: unknown = made[index];
        if (isPlainObject(item) && isNestedRecord(record)) reconcile(record, item, options);
      });
    }
  }
}

/** Drops class fields without a value and, for a partial body, values of initialisers. */
export function dropUnsent(instance: Body, body: Body, { partial }: Pick<InboundOptions, 'partial'>): void {
  const unsent = Object.keys(instance).filter(
    (key) => !Object.hasOwn(body, key) || (instance[key] === undefined && body[key] !== undefined),
  );
  if (unsent.length === 0) return;

  const type = instance.constructor as new () => Body;
  const initial = partial && type !== (Object as unknown) ? new type() : {};
  for (const key of unsent) {
    const value = instance[key];
    if (value === undefined || (Object.hasOwn(initial, key) && isInitialiser(value, initial[key], type, key)))
      delete instance[key];
  }
}

// An initialiser may give another value each time: a date, a random key.
function isInitialiser(value: unknown, initial: unknown, type: new () => Body, key: string): boolean {
  return value instanceof Date || isDeepStrictEqual(value, initial) || !isDeepStrictEqual(initial, new type()[key]);
}

// class-transformer drops properties named like a method of Object; JSON data may have them.
function restoreMethodNames(copy: Body, body: Body): void {
  for (const key of Object.keys(body)) if (key in Object.prototype && !Object.hasOwn(copy, key)) copy[key] = body[key];
}

function restoreExcluded(instance: Body, body: Body, { transformOptions }: InboundOptions): void {
  const missing = Object.keys(body).filter((key) => !Object.hasOwn(instance, key) && body[key] !== undefined);
  if (missing.length === 0) return;

  const type = instance.constructor as Type<unknown>;
  for (const key of missing) {
    if (isExcludedFromBodies(type, key) || !isHiddenBothWays(type, key, body[key], transformOptions)) continue;
    const bare = classTransformer?.plainToInstance(
      type,
      { [key]: body[key] },
      { ...transformOptions, ignoreDecorators: true },
    );

    // Not for a class with the strategy `excludeAll`, which takes exposed properties only.
    instance[key] = (bare as Body)[key] === undefined ? body[key] : (bare as Body)[key];
  }
}

/** Whether an `@Exclude()` means bodies by `toClassOnly: true`, alone or with `toPlainOnly: true`. */
function isExcludedFromBodies(type: Type<unknown>, key: string): boolean {
  const excluded = decoratorStorage()?._excludeMetadatas;

  return ancestryOf(type).some((owner) => excluded?.get(owner)?.get(key)?.options?.toClassOnly === true);
}

// `@Exclude()` without options is meant for responses and has no effect here, and a renamed property is not lost.
function isHiddenBothWays(
  type: Type<unknown>,
  key: string,
  value: unknown,
  transformOptions: TransformOptions,
): boolean {
  const probe = Object.assign(new type() as Body, { [key]: value });
  // Class fields exist from the start, but `@Transform()` is only called for values that were sent.
  for (const field of Object.keys(probe)) if (probe[field] === undefined) delete probe[field];
  const outbound = classTransformer?.instanceToPlain(probe, transformOptions) as Body;
  if (Object.hasOwn(outbound, key)) return false;

  const before = classTransformer?.plainToInstance(type, {}, transformOptions) as Body;
  const after = classTransformer?.plainToInstance(type, { [key]: value }, transformOptions) as Body;

  return Object.keys(after).every((own) => after[own] === undefined || before[own] !== undefined);
}

/** What class-transformer made of plain objects, plain again; dates, buffers and what `@Transform()` made stay. */
export function toPlainBody(made: unknown, sent: unknown): unknown {
  if (Array.isArray(made) && Array.isArray(sent))
    return made.map((item: unknown, index) => toPlainBody(item, sent[index]));
  if (!isNestedRecord(made) || (sent !== undefined && !isPlainObject(sent))) return made;
  if (sent === undefined && !isPlainObject(made)) return made;

  const source = (sent ?? {}) as Body;

  return Object.fromEntries(Object.entries(made).map(([key, value]) => [key, toPlainBody(value, source[key])]));
}
