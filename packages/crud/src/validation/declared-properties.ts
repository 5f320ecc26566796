import type { Type } from '@nestjs/common';
import { getOrInsert } from '../get-or-insert.js';
import { ancestryOf, hasDecoratedProperty } from '../nest/metadata.js';
import { classValidator } from '../nest/optional-peers.js';
import { PLUGIN, propertyKeys } from '../nest/swagger-metadata.js';
import type { Catalog } from '../plan/catalog.js';
import { propertiesDecoratedBy } from '../serialization/class-plan.js';
import { decoratorStorage } from '../serialization/decorator-storage.js';

/** Where there is no catalog. */
const NO_CATALOG = {};
const known = new WeakMap<object, WeakMap<object, ReadonlySet<string>>>();

/**
 * The properties that a class declares: those with a rule of class-validator in any group, with metadata of
 * class-transformer or @nestjs/swagger (that of its CLI plugin and of mapped types included), with an initialiser, and
 * the columns and relations of an entity that it extends. `undefined` if it declares none, so that it is no whitelist.
 * Found once for each class.
 */
export function declaredProperties(type: object, catalog: Catalog | undefined): ReadonlySet<string> | undefined {
  const byType = getOrInsert(known, catalog ?? NO_CATALOG, () => new WeakMap<object, ReadonlySet<string>>());
  const declared = getOrInsert(byType, type, () => new Set(SOURCES.flatMap((namesIn) => namesIn(type, catalog))));

  return declared.size > 0 ? declared : undefined;
}

/** Whether a class knows a property that path or `persist` names. */
export function knowsProperty(type: Type<unknown>, property: string): boolean {
  return (
    hasDecoratedProperty(type.prototype as object, property) ||
    propertiesWithRules(type).has(property) ||
    initialisedProperties(type).has(property)
  );
}

const ruled = new WeakMap<object, ReadonlySet<string>>();

/** The properties that have a rule of class-validator, in any group; found once for each class. */
export function propertiesWithRules(type: object): ReadonlySet<string> {
  return getOrInsert(ruled, type, () => {
    const storage = classValidator?.getMetadataStorage();
    const rules = storage?.getTargetValidationMetadatas(type as never, '', true, false) ?? [];

    return new Set(rules.map(({ propertyName }) => propertyName));
  });
}

const initialised = new WeakMap<object, ReadonlySet<string>>();

/** The properties that an instance has a value in from the start. */
export function initialisedProperties(type: object): ReadonlySet<string> {
  return getOrInsert(initialised, type, () => {
    try {
      const instance = new (type as new () => object)();

      // Includes class fields without a value, if the compiler emits them.
      return new Set(Object.entries(instance).flatMap(([name, value]) => (value === undefined ? [] : name)));
    } catch {
      // The constructor may require parameters.
      return new Set();
    }
  });
}

type NamesIn = (type: object, catalog: Catalog | undefined) => readonly string[];

const SOURCES: readonly NamesIn[] = [
  (type) => [...propertiesWithRules(type)],
  transformed,
  documented,
  (type) => [...initialisedProperties(type)],
  ofEntity,
];

function transformed(type: object): string[] {
  const storage = decoratorStorage();
  if (!storage) return [];

  const { _exposeMetadatas, _excludeMetadatas, _typeMetadatas, _transformMetadatas } = storage;
  const kinds = [_exposeMetadatas, _excludeMetadatas, _typeMetadatas, _transformMetadatas];

  return [...propertiesDecoratedBy(kinds, type)].filter((name) => name !== undefined);
}

function documented(type: object): string[] {
  const { list } = propertyKeys();

  return ancestryOf(type).flatMap((owner) => {
    const { prototype, [PLUGIN]: plugin } = owner as { prototype?: object; [PLUGIN]?: () => object };
    const marked = (list !== undefined && prototype && Reflect.getOwnMetadata(list, prototype)) as string[] | undefined;

    return [
      // @nestjs/swagger marks each name with a colon.
      ...(marked || []).map((name) => name.replace(/^:/, '')),
      ...(Object.hasOwn(owner, PLUGIN) && plugin ? Object.keys(plugin()) : []),
    ];
  });
}

/** Properties of the entities in reach that a class is, extends, or shares a base class with. */
function ofEntity(type: object, catalog: Catalog | undefined): string[] {
  const ancestry = ancestryOf(type);

  return entityClasses(catalog).flatMap(({ target, properties }) => {
    if (ancestry.includes(target)) return properties;

    const shared = ancestryOf(target).filter((base) => ancestry.includes(base));

    return properties.filter((name) =>
      shared.some((base) => hasDecoratedProperty((base as { prototype: object }).prototype, name)),
    );
  });
}

interface EntityClass {
  readonly target: object;
  readonly properties: readonly string[];
}

const classes = new WeakMap<Catalog, readonly EntityClass[]>();

/** The classes of all entities within reach of relations, and of their embedded objects. */
function entityClasses(root: Catalog | undefined): readonly EntityClass[] {
  if (!root) return [];

  return getOrInsert(classes, root, () => {
    const reached = new Set([root]);
    for (const { relations } of reached) for (const { target } of relations.values()) reached.add(target);

    return [...reached].flatMap(classesOf);
  });
}

function classesOf(catalog: Catalog): EntityClass[] {
  const { target, recordClasses = [] } = catalog;
  const paths = [...catalog.columns.keys(), ...catalog.relations.keys()];
  const below = (prefix: string) => [
    ...new Set(
      paths.filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length).split('.')[0] as string),
    ),
  ];

  return [
    ...[target, ...recordClasses.map((record) => record.target)].map((type) => [type, ''] as const),
    ...recordClasses.flatMap(({ embedded }) => [...embedded].map(([path, type]) => [type, `${path}.`] as const)),
  ].flatMap(([type, prefix]) => (typeof type === 'function' ? [{ target: type, properties: below(prefix) }] : []));
}
