/** A class in, a function that makes its instances of JSON bodies as class-transformer does out; refuses (answers `undefined`) bodies in which decorators of class-transformer, methods, accessors or instances have a say. */
import type { Type } from '@nestjs/common';
import { ancestryOf } from '../serialization/class-plan.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';

type Body = Record<string, unknown>;

/** Makes an instance that shares its nested values with the body, which must belong to nobody else. */
export type MakesInstance = (body: Body) => Body | undefined;

/** `undefined` where a decorator speaks of the whole class, or of properties that no body need carry. */
export function instancesOf(type: Type<unknown>): MakesInstance | undefined {
  const decorated = type === Object ? undefined : decoratedProperties(type);
  if (!decorated) return undefined;

  return (body) => {
    const instance = new type() as Body;
    if (instance.constructor !== type) return undefined;

    for (const name of Object.keys(body)) {
      const value = body[name];
      if (decorated.has(name) || !isJson(value) || !takes(instance, name)) return undefined;
      instance[name] = value;
    }

    return instance;
  };
}

// A property that is exposed is looked for even where the body does not carry it.
function decoratedProperties(type: object): ReadonlySet<string> | undefined {
  const storage = decoratorStorage();
  if (!storage) return undefined;

  const ancestry = ancestryOf(type);
  const notes = [storage._excludeMetadatas, storage._transformMetadatas, storage._typeMetadatas];
  const names = notes.flatMap((kind) => ancestry.flatMap((ancestor) => [...(kind.get(ancestor)?.keys() ?? [])]));
  const exposes = ancestry.some((ancestor) => (storage._exposeMetadatas.get(ancestor)?.size ?? 0) > 0);

  return exposes || names.includes(undefined) ? undefined : new Set(names as string[]);
}

/** Whether a name is free, or a plain property: methods are not overwritten, and setters not left out. */
function takes(instance: Body, name: string): boolean {
  return !(name in instance) || (Object.hasOwn(instance, name) && typeof instance[name] !== 'function');
}

/** Whether class-transformer's copy of a value would be its equal: no instances, and no names of Object's methods, which it drops. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (Array.isArray(value)) return Object.getPrototypeOf(value) === Array.prototype && value.every(isJson);
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;

  return Object.keys(value).every((name) => !(name in Object.prototype) && isJson((value as Body)[name]));
}
