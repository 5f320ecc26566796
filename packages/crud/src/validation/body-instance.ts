/**
 * Makes instances of bodies as class-transformer does, but keeps properties that the model only hides from responses.
 */
import type { Type } from '@nestjs/common';
import { type ClassTransformOptions, plainToInstance } from 'class-transformer';
import { isPlainObject } from '../definition/plain-objects.js';
import { listClassChain } from '../nest/metadata.js';
import { decoratorStorage, findDecoratedProperties, TO_CLASS } from '../serialization/class-transformer.js';
import { isExposed, nameInAnswer, readOptions, readRule } from '../visibility/property-rule.js';
import { type Body, isNestedRecord } from './plain-body.js';
import { findInitialised } from './settable-properties.js';

type TransformOptions = ClassTransformOptions | undefined;

/** What to make of a body. */
export interface InboundOptions {
  readonly transformOptions: TransformOptions;
  /** Whether values of initialisers that the body does not carry are dropped. */
  readonly partial: boolean;
  /** Whether properties that the class excludes both ways are kept. */
  readonly keepExcluded: boolean;
}

/** Makes an instance of a class from a body. */
export function toInstance(type: Type<unknown>, body: Body, options: InboundOptions): Body {
  const instance = plainToInstance(type, body, options.transformOptions) as Body;
  reconcile(instance, body, options);

  return instance;
}

/** Gives an instance what the body has, and takes what only initialisers put into it; nested ones in the same way. */
export function reconcile(instance: Body, body: Body, options: InboundOptions): void {
  dropUnsent(instance, body, options);
  if (isPlainObject(instance)) restoreMethodNames(instance, body);
  else if (options.keepExcluded) restoreExcluded(instance, body, options);

  for (const [key, sent] of Object.entries(body))
    reconcileValue(Object.hasOwn(instance, key) ? instance[key] : undefined, sent, options);
}

function reconcileValue(made: unknown, sent: unknown, options: InboundOptions): void {
  if (made === sent) return;
  if (Array.isArray(sent) && Array.isArray(made) && sent.length === made.length)
    sent.forEach((item: unknown, index) => reconcileValue(made[index], item, options));
  else if (isPlainObject(sent) && isNestedRecord(made)) reconcile(made, sent, options);
}

/** Drops class fields without a value and, for a partial body, properties that the class initialises. */
export function dropUnsent(instance: Body, body: Body, { partial }: Pick<InboundOptions, 'partial'>): void {
  let initial: ReadonlySet<string> | undefined;

  for (const key of Object.keys(instance)) {
    const isUnsent = !Object.hasOwn(body, key) || (instance[key] === undefined && body[key] !== undefined);
    if (!isUnsent) continue;

    const isEmpty = instance[key] === undefined;
    if (partial && !isEmpty) initial ??= findInitialised(instance.constructor);
    if (isEmpty || initial?.has(key)) delete instance[key];
  }
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
    if (isExcludedFromBodies(type, key) || !isHidden(type, key, transformOptions)) continue;
    const bare = plainToInstance(type, { [key]: body[key] }, { ...transformOptions, ignoreDecorators: true }) as Body;

    // Not for a class with the strategy `excludeAll`, which takes exposed properties only.
    instance[key] = bare[key] === undefined ? body[key] : bare[key];
  }
}

/** Whether an `@Exclude()` means bodies by `toClassOnly: true`, alone or with `toPlainOnly: true`. */
function isExcludedFromBodies(type: Type<unknown>, key: string): boolean {
  const excluded = decoratorStorage()?._excludeMetadatas;

  return listClassChain(type).some((owner) => excluded?.get(owner)?.get(key)?.options?.toClassOnly === true);
}

// `@Exclude()` without options is meant for responses and has no effect here. A renamed property is not lost.
function isHidden(type: Type<unknown>, key: string, options: TransformOptions): boolean {
  // Only strategies are left then, and they take all or nothing.
  if (options?.ignoreDecorators) return true;

  const { state, name } = readRule(type, { key, others: undefined, isFormat: false }, readOptions(options));
  const isExtraneous = options?.excludeExtraneousValues === true && !isExposed(type, key);
  const exposed = decoratorStorage()?.getExposedProperties(type, TO_CLASS) ?? [];

  return (
    (state === 'hidden' || name !== key || isExtraneous) &&
    !exposed.some((other) => other !== undefined && other !== key && nameInAnswer(type, other) === key)
  );
}

/** What was made of plain objects, plain again; dates, buffers and what `@Transform()` made stay. */
export function toPlainBody(made: unknown, sent: unknown): unknown {
  if (made === sent) return made;
  if (Array.isArray(made) && Array.isArray(sent))
    return made.map((item: unknown, index) => toPlainBody(item, sent[index]));
  if (!isNestedRecord(made) || (sent !== undefined && !isPlainObject(sent))) return made;
  if (sent === undefined && !isPlainObject(made)) return made;

  const source = (sent ?? {}) as Body;

  const plain = { ...made };
  for (const key of Object.keys(plain))
    if (plain[key] !== source[key]) plain[key] = toPlainBody(plain[key], source[key]);

  return plain;
}

/**
 * Makes instances of JSON bodies without class-transformer, for classes without its decorators, methods and accessors.
 * They share nested values with the body.
 */
export type MakeQuickly = (body: Body) => Body | undefined;

/** Which properties of a body are copied. */
export type PropertyFilter = (property: string) => boolean;

/** @param isAllowed Default: all properties. */
export function makeInstanceMaker(
  type: Type<unknown>,
  { partial, transformOptions = {} }: InboundOptions,
  isAllowed: PropertyFilter = () => true,
): MakeQuickly | undefined {
  const decorated = Object.keys(transformOptions).length === 0 ? decoratedProperties(type) : undefined;
  if (!decorated) return undefined;

  return (body) => {
    try {
      const instance = new type() as Body;
      if (instance.constructor !== type) return undefined;

      for (const name of Object.keys(body)) {
        if (!isAllowed(name)) continue;
        if (decorated.has(name) || !isJson(body[name]) || !isAssignable(instance, name)) return undefined;
        instance[name] = body[name];
      }
      dropUnsent(instance, body, { partial });

      return instance;
    } catch {
      return undefined;
    }
  };
}

// A property that is exposed is looked for even if the body does not carry it.
function decoratedProperties(type: object): ReadonlySet<unknown> | undefined {
  const storage = decoratorStorage();
  if (type === Object || !storage || findDecoratedProperties([storage._exposeMetadatas], type).size > 0)
    return undefined;

  const { _excludeMetadatas, _transformMetadatas, _typeMetadatas } = storage;
  const names = findDecoratedProperties([_excludeMetadatas, _transformMetadatas, _typeMetadatas], type);

  // Without a name: `@Exclude()` on the class.
  return names.has(undefined) ? undefined : names;
}

/** Whether a name is free, or a plain property: methods are not overwritten, and setters not left out. */
function isAssignable(instance: Body, name: string): boolean {
  return !(name in instance) || (Object.hasOwn(instance, name) && typeof instance[name] !== 'function');
}

/**
 * Whether class-transformer's copy of a value would be its equal: no instances, and no names of Object's methods, which
 * it drops.
 */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (Array.isArray(value)) return Object.getPrototypeOf(value) === Array.prototype && value.every(isJson);
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;

  return Object.keys(value).every((name) => !(name in Object.prototype) && isJson((value as Body)[name]));
}
