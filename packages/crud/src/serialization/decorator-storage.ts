/** class-transformer's own record of its decorators, verified with a class of known decorators before it is used. */
import { Exclude, Expose, Transform, TransformationType, Type } from 'class-transformer';
// @ts-expect-error No path of it is declared. This is the one that @nestjs/mapped-types takes.
// eslint-disable-next-line no-restricted-imports
import { defaultMetadataStorage } from 'class-transformer/cjs/storage.js';

/** For whom a decorator holds. */
export interface Audience {
  readonly groups?: readonly string[];
  readonly since?: number;
  readonly until?: number;
}

export interface ExposeMetadata {
  readonly propertyName: string | undefined;
  readonly options?: Audience & { readonly name?: string };
}

export interface TransformMetadata {
  readonly options?: Audience;
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

/**
 * What is read of class-transformer's storage; the maps are keyed by class and hold the decorators of that very class.
 */
export interface DecoratorStorage {
  getStrategy(target: unknown): 'excludeAll' | 'exposeAll' | 'none';
  getExposedProperties(target: unknown, transformation: number): (string | undefined)[];
  getExcludedProperties(target: unknown, transformation: number): (string | undefined)[];
  findExposeMetadata(target: unknown, property: string): ExposeMetadata | undefined;
  findTypeMetadata(target: unknown, property: string): TypeMetadata | undefined;
  findTransformMetadatas(target: unknown, property: string, transformation: number): readonly TransformMetadata[];
  readonly _excludeMetadatas: ReadonlyMap<unknown, ByProperty<ExcludeMetadata>>;
  readonly _exposeMetadatas: ReadonlyMap<unknown, ByProperty<ExposeMetadata>>;
  readonly _transformMetadatas: ReadonlyMap<unknown, ByProperty<readonly TransformMetadata[]>>;
  readonly _typeMetadatas: ReadonlyMap<unknown, ByProperty<unknown>>;
}

/** class-transformer's `TransformationType` from plain object to instance, and from instance to plain object. */
export const TO_CLASS = 0;
export const TO_PLAIN = 1;

let isReadable: boolean | undefined;

/** The storage, verified once by a class with one decorator of each kind. */
export function decoratorStorage(): DecoratorStorage | undefined {
  const storage = defaultMetadataStorage as DecoratorStorage;
  isReadable ??= isVerified(storage);

  return isReadable ? storage : undefined;
}

function isVerified(storage: DecoratorStorage): boolean {
  class Probe {}
  class Child extends Probe {}

  Exclude({ toPlainOnly: true })(Probe.prototype, 'excluded');
  Exclude({ toClassOnly: true })(Probe.prototype, 'kept');
  Expose({ name: 'renamed', groups: ['group'] })(Probe.prototype, 'exposed');
  Type(() => Date)(Probe.prototype, 'typed');
  Transform(({ value }: { value: unknown }) => value, { groups: ['group'] })(Probe.prototype, 'transformed');
  Transform(({ value }: { value: unknown }) => value, { toClassOnly: true })(Probe.prototype, 'kept');
  Exclude()(Child);

  try {
    return (
      TransformationType.CLASS_TO_PLAIN === TO_PLAIN &&
      storage.getExcludedProperties(Child, TO_PLAIN).join() === 'excluded' &&
      storage.getExposedProperties(Child, TO_PLAIN).join() === 'exposed' &&
      storage.getStrategy(Child) === 'excludeAll' &&
      storage.getStrategy(Probe) === 'none' &&
      storage.findExposeMetadata(Child, 'exposed')?.options?.name === 'renamed' &&
      storage.findTypeMetadata(Child, 'typed')?.typeFunction?.() === Date &&
      storage.findTransformMetadatas(Child, 'transformed', TO_PLAIN)[0]?.options?.groups?.join() === 'group' &&
      storage.findTransformMetadatas(Child, 'kept', TO_PLAIN).length === 0 &&
      storage._excludeMetadatas.get(Probe)?.get('kept')?.options?.toClassOnly === true &&
      storage._excludeMetadatas.get(Child)?.has(undefined) === true &&
      storage._exposeMetadatas.get(Probe)?.has('exposed') === true &&
      storage._typeMetadatas.get(Probe)?.has('typed') === true &&
      storage._transformMetadatas.get(Probe)?.has('transformed') === true
    );
  } catch {
    return false;
  }
}
