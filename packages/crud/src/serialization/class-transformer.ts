/**
 * What class-transformer's decorators say of a class: its own record of them, verified with a class of known decorators
 * before it is used.
 */
import { isDeepStrictEqual } from 'node:util';
import { listClassChain } from '../nest/metadata.js';
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

interface TypeMetadata {
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
    const found = [
      TransformationType.CLASS_TO_PLAIN,
      storage.getExcludedProperties(Child, TO_PLAIN).join(),
      storage.getExposedProperties(Child, TO_PLAIN).join(),
      storage.getStrategy(Child),
      storage.getStrategy(Probe),
      storage.findExposeMetadata(Child, 'exposed')!.options!.name,
      storage.findTypeMetadata(Child, 'typed')!.typeFunction!(),
      storage.findTransformMetadatas(Child, 'transformed', TO_PLAIN)[0]!.options!.groups!.join(),
      storage.findTransformMetadatas(Child, 'kept', TO_PLAIN).length,
      storage._excludeMetadatas.get(Probe)!.get('kept')!.options!.toClassOnly,
      storage._excludeMetadatas.get(Child)!.has(undefined),
      storage._exposeMetadatas.get(Probe)!.has('exposed'),
      storage._typeMetadatas.get(Probe)!.has('typed'),
      storage._transformMetadatas.get(Probe)!.has('transformed'),
    ];
    const names = ['excluded', 'exposed', 'excludeAll', 'none', 'renamed'];

    return isDeepStrictEqual(found, [TO_PLAIN, ...names, Date, 'group', 0, true, true, true, true, true]);
  } catch {
    return false;
  }
}

/** How the properties of instances are serialized. */
export interface ClassPlan {
  /** Whether the instance's own properties are returned, or only {@link exposed} ones. */
  readonly exposesAll: boolean;
  /** Properties that are never returned. */
  readonly hidden: ReadonlySet<string>;
  /** Properties that are returned although they may not be the instance's own (getters), in order. */
  readonly exposed: readonly string[];
  /** Names of renamed properties. */
  readonly names: ReadonlyMap<string, string>;
  /** Classes of values, by property. */
  readonly types: ReadonlyMap<string, () => unknown>;
  /** Whether exactly the instance's own properties are returned, under their own names. */
  readonly keepsAll: boolean;
  /** Properties that any decorator applies to. */
  readonly decorated: ReadonlySet<string>;
}

const plans = new WeakMap<object, ClassPlan | string>();

/** The plan of a class, or the reason why there is none. */
export function getClassPlan(target: object): ClassPlan | string {
  const known = plans.get(target);
  if (known !== undefined) return known;

  const storage = decoratorStorage();
  const plan = storage ? makePlan(target, storage) : 'the storage of class-transformer is out of reach';
  plans.set(target, plan);

  return plan;
}

function makePlan(target: object, storage: DecoratorStorage): ClassPlan | string {
  if (findDecoratedProperties([storage._transformMetadatas], target).size > 0) return '@Transform()';

  const types = new Map<string, () => unknown>();
  for (const property of [...findDecoratedProperties([storage._typeMetadatas], target)].filter(isName)) {
    const metadata = storage.findTypeMetadata(target, property);
    const { typeFunction, reflectedType, options } = metadata ?? {};

    if (options?.discriminator) return `a discriminator on ${property}`;
    if (reflectedType === Map) return `a Map in ${property}`;
    if (typeFunction?.length || readType(metadata) === UNKNOWN_TYPE)
      return `the type of ${property} depends on its object`;
    types.set(property, typeFunction ? () => typeFunction() : () => reflectedType);
  }

  const hidden = new Set(storage.getExcludedProperties(target, TO_PLAIN).filter(isName));
  const names = new Map<string, string>();
  for (const property of [...findDecoratedProperties([storage._exposeMetadatas], target)].filter(isName)) {
    const { name, groups } = storage.findExposeMetadata(target, property)?.options ?? {};

    // Without groups in the options of a response, whatever is for groups stays in.
    if (groups?.length) hidden.add(property);
    if (name) names.set(property, name);
  }

  const exposesAll = storage.getStrategy(target) !== 'excludeAll';
  const exposed = [...new Set(storage.getExposedProperties(target, TO_PLAIN).filter(isName))].filter(
    (name) => !hidden.has(name),
  );

  return {
    exposesAll,
    hidden,
    exposed,
    names,
    types,
    keepsAll: exposesAll && hidden.size === 0 && exposed.length === 0 && names.size === 0,
    decorated: new Set([...hidden, ...names.keys(), ...types.keys()]),
  };
}

/**
 * The properties to which decorators of some kinds apply, in a class or its ancestors; undefined for decorators of a
 * class itself.
 */
export function findDecoratedProperties(
  kinds: readonly DecoratorStorage['_typeMetadatas'][],
  target: object,
): ReadonlySet<string | undefined> {
  const keys = listClassChain(target).flatMap((type) => kinds.flatMap((kind) => [...(kind.get(type)?.keys() ?? [])]));

  return new Set(keys);
}

function isName(property: string | undefined): property is string {
  return property !== undefined;
}

export const UNKNOWN_TYPE = Symbol('depends on the record');

const fail = () => {
  throw new Error('not to be read');
};
/** Stands for the record that a type is asked about: whatever looks at it fails. */
const UNREADABLE: object = new Proxy({}, new Proxy({}, { get: fail }));

/** What `@Type()` has the values of a property taken for; undefined: for what they are. */
export function readType({ typeFunction, reflectedType, options }: Partial<TypeMetadata> = {}): unknown {
  if (options?.discriminator || reflectedType === Map) return UNKNOWN_TYPE;

  try {
    return typeFunction ? typeFunction(UNREADABLE) : reflectedType;
  } catch {
    return UNKNOWN_TYPE;
  }
}
