import { type DecoratorStorage, decoratorStorage, type ExposeNote, TO_PLAIN } from './decorator-storage.js';

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
export function planOf(target: object): ClassPlan | string {
  const known = plans.get(target);
  if (known !== undefined) return known;

  const storage = decoratorStorage();
  const plan = storage ? makePlan(target, storage) : 'the storage of class-transformer is out of reach';
  plans.set(target, plan);

  return plan;
}

function makePlan(target: object, storage: DecoratorStorage): ClassPlan | string {
  const ancestry = ancestryOf(target);
  if (ancestry.some((type) => (storage._transformMetadatas.get(type)?.size ?? 0) > 0)) return '@Transform()';

  const types = new Map<string, () => unknown>();
  for (const property of decorated(storage._typeMetadatas, ancestry)) {
    const note = storage.findTypeMetadata(target, property);
    const { typeFunction, reflectedType, options } = note ?? {};

    if (options?.discriminator) return `a discriminator on ${property}`;
    if (reflectedType === Map) return `a Map in ${property}`;
    if (typeFunction && typeFunction.length > 0) return `the type of ${property} depends on its object`;
    types.set(property, typeFunction ? () => typeFunction() : () => reflectedType);
  }

  const hidden = new Set(storage.getExcludedProperties(target, TO_PLAIN).filter(isName));
  const names = new Map<string, string>();
  for (const property of decorated(storage._exposeMetadatas, ancestry)) {
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

/** Whether the class hides a property, whatever the values of others. */
export function isKeptBack(target: object, property: string): boolean {
  const storage = decoratorStorage();
  if (!storage) return false;
  const exposed = storage.getExposedProperties(target, TO_PLAIN).includes(property);

  return (
    storage.getExcludedProperties(target, TO_PLAIN).includes(property) ||
    (!exposed && storage.getStrategy(target) === 'excludeAll')
  );
}

/** The name under which a property leaves, where `@Expose()` gives it one. */
export function exposedName(target: object, property: string): string | undefined {
  return decoratorStorage()?.findExposeMetadata(target, property)?.options?.name;
}

/** Every group that a class of the application exposes a property to. */
export function exposeGroups(): string[] {
  const notes = [...(decoratorStorage()?._exposeMetadatas.values() ?? [])].flatMap((byProperty) => [
    ...(byProperty as ReadonlyMap<unknown, ExposeNote>).values(),
  ]);

  return [...new Set(notes.flatMap(({ options }) => options?.groups ?? []))];
}

/** The class and its ancestors. */
export function ancestryOf(target: object): readonly object[] {
  const ancestry: object[] = [];

  for (
    let type: unknown = target;
    typeof type === 'function' && type !== Function.prototype;
    type = Object.getPrototypeOf(type)
  ) {
    ancestry.push(type);
  }

  return ancestry;
}

function decorated(
  notes: ReadonlyMap<unknown, ReadonlyMap<string | undefined, unknown>>,
  ancestry: readonly object[],
): ReadonlySet<string> {
  return new Set(ancestry.flatMap((type) => [...(notes.get(type)?.keys() ?? [])]).filter(isName));
}

// Decorators of the class itself stand under no property.
function isName(property: string | undefined): property is string {
  return property !== undefined;
}
