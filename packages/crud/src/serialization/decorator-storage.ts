/** class-transformer's own record of its decorators, verified with a class of known decorators before it is used. */
import { classTransformer, classTransformerStorages } from '../nest/optional-peers.js';

export interface ExposeMetadata {
  readonly propertyName: string | undefined;
  readonly options?: { readonly name?: string; readonly groups?: readonly string[] };
}

export interface ExcludeMetadata {
  readonly options?: { readonly toClassOnly?: boolean };
}

export interface TypeMetadata {
  readonly reflectedType: unknown;
  readonly typeFunction?: (...parameters: unknown[]) => unknown;
  readonly options?: { readonly discriminator?: unknown };
}

type ByProperty<T> = ReadonlyMap<string | undefined, T>;

/** What is read of class-transformer's storage; the maps are keyed by class and hold the decorators of that very class. */
export interface DecoratorStorage {
  getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  getExposedProperties(target: unknown, transformation: number): (string | undefined)[];
  getExcludedProperties(target: unknown, transformation: number): (string | undefined)[];
  findExposeMetadata(target: unknown, property: string): ExposeMetadata | undefined;
  findTypeMetadata(target: unknown, property: string): TypeMetadata | undefined;
  readonly _excludeMetadatas: ReadonlyMap<unknown, ByProperty<ExcludeMetadata>>;
  readonly _exposeMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
  readonly _transformMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
  readonly _typeMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
}

/** class-transformer's `TransformationType` from instance to plain object. */
export const TO_PLAIN = 1;

let probed: { readonly storage: DecoratorStorage | undefined } | undefined;

/** The storage, verified once by a class with one decorator of each kind. */
export function decoratorStorage(): DecoratorStorage | undefined {
  return (probed ??= { storage: findStorage() }).storage;
}

function findStorage(): DecoratorStorage | undefined {
  for (const load of classTransformer ? classTransformerStorages : []) {
    const storage = verified(load());

    if (storage) return storage;
  }

  return undefined;
}

function verified(found: unknown): DecoratorStorage | undefined {
  const storage = (found as { defaultMetadataStorage?: DecoratorStorage } | undefined)?.defaultMetadataStorage;
  if (!classTransformer || !storage) return undefined;

  const { Exclude, Expose, Transform, TransformationType, Type } = classTransformer;
  class Probe {}
  class Child extends Probe {}

  Exclude({ toPlainOnly: true })(Probe.prototype, 'excluded');
  Exclude({ toClassOnly: true })(Probe.prototype, 'kept');
  Expose({ name: 'renamed', groups: ['group'] })(Probe.prototype, 'exposed');
  Type(() => Date)(Probe.prototype, 'typed');
  Transform(({ value }: { value: unknown }) => value)(Probe.prototype, 'transformed');
  Exclude()(Child);

  try {
    const says =
      TransformationType.CLASS_TO_PLAIN === TO_PLAIN &&
      storage.getExcludedProperties(Child, TO_PLAIN).join() === 'excluded' &&
      storage.getExposedProperties(Child, TO_PLAIN).join() === 'exposed' &&
      storage.getStrategy(Child) === 'excludeAll' &&
      storage.getStrategy(Probe) === 'none' &&
      storage.findExposeMetadata(Child, 'exposed')?.options?.name === 'renamed' &&
      storage.findTypeMetadata(Child, 'typed')?.typeFunction?.() === Date &&
      storage._excludeMetadatas.get(Probe)?.get('kept')?.options?.toClassOnly === true &&
      storage._excludeMetadatas.get(Child)?.has(undefined) === true &&
      storage._exposeMetadatas.get(Probe)?.has('exposed') === true &&
      storage._typeMetadatas.get(Probe)?.has('typed') === true &&
      storage._transformMetadatas.get(Probe)?.has('transformed') === true;

    return says ? storage : undefined;
  } catch {
    return undefined;
  }
}
