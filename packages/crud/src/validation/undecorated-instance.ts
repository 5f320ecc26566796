/**
 * Makes instances of JSON bodies as class-transformer does, for classes without its decorators, methods and accessors.
 */
import type { Type } from '@nestjs/common';
import { propertiesDecoratedBy } from '../serialization/class-plan.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';
import type { Body } from './plain-body.js';

/**
 * Makes an instance that shares nested values with the body (which must not be used elsewhere), or returns why it
 * cannot.
 */
export type MakeInstance = (body: Body) => Body | string;

/** Whether a body may carry a property. */
export type PropertyFilter = (property: string) => boolean;

/**
 * Returns the reason if a decorator affects the whole class, or properties that are not in the body.
 *
 * @param isAllowed Which properties of the body are copied. Default: all of them.
 */
export function instancesOf(type: Type<unknown>, isAllowed: PropertyFilter = () => true): MakeInstance | string {
  const decorated = type === Object ? 'no class' : decoratedProperties(type);
  if (typeof decorated === 'string') return decorated;

  return (body) => {
    const instance = new type() as Body;
    if (instance.constructor !== type) return 'a constructor that makes something else';

    for (const name of Object.keys(body)) {
      if (!isAllowed(name)) continue;

      const value = body[name];
      if (decorated.has(name)) return `a decorator of class-transformer on ${name}`;
      if (!isJson(value)) return 'a value that is no plain JSON';
      if (!isAssignable(instance, name)) return 'a property in the place of a method or an accessor';
      instance[name] = value;
    }

    return instance;
  };
}

// A property that is exposed is looked for even if the body does not carry it.
function decoratedProperties(type: object): ReadonlySet<string> | string {
  const storage = decoratorStorage();
  if (!storage) return 'the storage of class-transformer is out of reach';

  if (propertiesDecoratedBy([storage._exposeMetadatas], type).size > 0) return '@Expose()';

  const { _excludeMetadatas, _transformMetadatas, _typeMetadatas } = storage;
  const names = propertiesDecoratedBy([_excludeMetadatas, _transformMetadatas, _typeMetadatas], type);

  return names.has(undefined) ? '@Exclude() on the class' : (names as ReadonlySet<string>);
}

/** Whether a name is free, or a plain property: methods are not overwritten, and setters not left out. */
function isAssignable(instance: Body, name: string): boolean {
  return !(name in instance) || (Object.hasOwn(instance, name) && typeof instance[name] !== 'function');
}

/** Whether class-transformer's copy of a value would be its equal: no instances, and no names of Object's methods, which it drops. */
function isJson(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'function';
  if (Array.isArray(value)) return Object.getPrototypeOf(value) === Array.prototype && value.every(isJson);
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;

  return Object.keys(value).every((name) => !(name in Object.prototype) && isJson((value as Body)[name]));
}
