import type { Type } from '@nestjs/common';
import { oncePerObject, oncePerPair } from '../get-or-insert.js';
import { isObject } from '../definition/plain-objects.js';
import { hasDecoratedProperty, listClassChain, PLUGIN, propertyKeys, propertyType } from '../nest/metadata.js';
import type { Catalog } from '../plan/catalog.js';
import { decoratorStorage, findDecoratedProperties } from '../serialization/class-transformer.js';
import { listProperties } from '../visibility/levels.js';
import { rulesInAnyGroup } from './applicable-rules.js';
import { initialisedProperties } from './settable-properties.js';

/**
 * The properties that a class declares: those with a rule of class-validator in any group, with metadata of
 * class-transformer or @nestjs/swagger (that of its CLI plugin and of mapped types included), with an initialiser, and
 * the columns and relations of an entity that it extends. `undefined` if it declares none, so that it is no whitelist.
 * Found once for each class.
 */
export function declaredProperties(type: object, catalog: Catalog | undefined): ReadonlySet<string> | undefined {
  const declared = catalog ? declaredInCatalog(type, catalog) : declaredByItself(type);

  return declared.size > 0 ? declared : undefined;
}

const declaredByItself = oncePerObject(
  (type: object): ReadonlySet<string> =>
    new Set([
      ...propertiesWithRules(type),
      ...listTransformed(type),
      ...listDocumented(type),
      ...initialisedProperties(type),
    ]),
);

const declaredInCatalog = oncePerPair(
  (type: object, catalog: Catalog): ReadonlySet<string> =>
    new Set([...declaredByItself(type), ...ofEntity(type, catalog)]),
);

/** Whether a class knows a property that path or `persist` names. */
export function knowsProperty(type: Type<unknown>, property: string): boolean {
  return hasDecoratedProperty(type.prototype as object, property) || declaredByItself(type).has(property);
}

/** The properties that have a rule of class-validator, in any group; found once for each class. */
export const propertiesWithRules = oncePerObject(
  (type: object): ReadonlySet<string> => new Set(rulesInAnyGroup(type).map(({ propertyName }) => propertyName)),
);

function listTransformed(type: object): string[] {
  const storage = decoratorStorage();
  if (!storage) return [];

  const { _exposeMetadatas, _excludeMetadatas, _typeMetadatas, _transformMetadatas } = storage;
  const kinds = [_exposeMetadatas, _excludeMetadatas, _typeMetadatas, _transformMetadatas];

  return [...findDecoratedProperties(kinds, type)].filter((name) => name !== undefined);
}

function listDocumented(type: object): string[] {
  const { list } = propertyKeys();

  return listClassChain(type).flatMap((owner) => {
    const { prototype, [PLUGIN]: plugin } = owner as { prototype?: object; [PLUGIN]?: () => object };
    const marked = (list !== undefined && prototype && Reflect.getOwnMetadata(list, prototype)) as string[] | undefined;

    return [
      // @nestjs/swagger marks each name with a colon.
      ...(marked || []).map((name) => name.replace(/^:/, '')),
      ...Object.keys(plugin?.() ?? {}),
    ];
  });
}

/** Properties of the entities in reach that a class is, extends, or shares a base class with. */
function ofEntity(type: object, catalog: Catalog): string[] {
  const ancestry = listClassChain(type);

  return entityClasses(catalog).flatMap(({ target, properties }) => {
    const shared = listClassChain(target).filter((base) => ancestry.includes(base)) as { prototype: object }[];
    const isShared = (name: string) => shared.some(({ prototype }) => hasDecoratedProperty(prototype, name));

    return ancestry.includes(target) ? properties : properties.filter(isShared);
  });
}

interface EntityClass {
  readonly target: object;
  readonly properties: readonly string[];
}

/** The classes of all entities within reach of relations, and of their embedded objects. */
const entityClasses = oncePerObject((root: Catalog): readonly EntityClass[] => {
  const reached = new Set([root]);
  for (const { relations } of reached) for (const { target } of relations.values()) reached.add(target);

  return [...reached].flatMap(listClasses);
});

function listClasses(catalog: Catalog): EntityClass[] {
  const { target, recordClasses = [] } = catalog;

  return [
    ...[target, ...recordClasses.map((record) => record.target)].map((type) => [type, ''] as const),
    ...recordClasses.flatMap(({ embedded }) => [...embedded].map(([path, type]) => [type, path] as const)),
  ].flatMap(([type, path]) =>
    typeof type === 'function' ? [{ target: type, properties: listProperties(catalog, path) }] : [],
  );
}

/**
 * Removes what the class of a body, and the classes of the objects in it, do not declare. What a `@Transform()` has
 * made of a value by itself is left as it is.
 *
 * @param isKept Whether a property counts as declared. Default: none does.
 */
export function dropUndeclared(
  made: object,
  catalog: Catalog | undefined,
  isKept: (name: string) => boolean = () => false,
): void {
  const type = made.constructor;
  const declared = declaredProperties(type, catalog);

  for (const [name, value] of Object.entries(made)) {
    if (declared && !declared.has(name) && !isKept(name)) Reflect.deleteProperty(made, name);
    else if (isObject(value)) dropInside(value, { type, name, catalog });
  }
}

interface Holder {
  readonly type: object;
  readonly name: string;
  readonly catalog: Catalog | undefined;
}

function dropInside(value: object, holder: Holder): void {
  if (Array.isArray(value)) {
    for (const item of value) if (isObject(item)) dropInside(item, holder);
  } else if (!isPlain(value) && !ArrayBuffer.isView(value) && describesBody(value, holder)) {
    const discriminator = findDiscriminator(holder);
    dropUndeclared(value, holder.catalog, (name) => name === discriminator);
  }
}

const isPlain = (value: object): boolean => value.constructor === Object || value.constructor === undefined;

/**
 * Whether an instance is of a class that the holder's decorators name for it, rather than one that a `@Transform()`
 * chose.
 */
function describesBody(value: object, { type, name }: Holder): boolean {
  const storage = decoratorStorage();
  if (storage?.findTypeMetadata(type, name)) return true;

  return (
    propertyType((type as { prototype: object }).prototype, name) === value.constructor &&
    !listClassChain(type).some((owner) => storage?._transformMetadatas.get(owner)?.has(name))
  );
}

function findDiscriminator({ type, name }: Holder): string | undefined {
  const metadata = decoratorStorage()?.findTypeMetadata(type, name);

  return (metadata?.options?.discriminator as { readonly property?: string } | undefined)?.property;
}
