import { type Catalog, type CatalogRelation, copyOf, getOrInsert } from '@nestwright/crud/adapter';
import { setOwnProperty } from '@nestwright/sql';

/**
 * A copy of a body, of its class, in which lazy relations are own properties. TypeORM puts accessors for them on the
 * entity's prototype, which keep what is set under names of their own.
 *
 * @example
 * withPlainRelations(user, users); // { id: 1, company: Promise } of what was { id: 1, __company__: Promise }
 */
export function withPlainRelations<T extends object>(body: T, catalog: Catalog): T & Record<string, unknown> {
  const copy = copyOf(body);

  for (const { relation, path, valueName, flagName } of listAccessors(catalog)) {
    if (Object.hasOwn(copy, valueName)) {
      setOwnProperty(copy, path, copy[valueName]);
      Reflect.deleteProperty(copy, valueName);
      Reflect.deleteProperty(copy, flagName);
    }

    const value = Object.hasOwn(copy, path) ? copy[path] : undefined;

    if (isInstance(value)) copy[path] = withPlainRelations(value, relation.target);
    else if (Array.isArray(value))
      copy[path] = value.map((item: unknown) => (isInstance(item) ? withPlainRelations(item, relation.target) : item));
  }

  return copy as T & Record<string, unknown>;
}

/** A relation and the names under which TypeORM's accessors keep it. */
interface Accessor {
  readonly relation: CatalogRelation;
  readonly path: string;
  readonly valueName: string;
  readonly flagName: string;
}

const accessors = new WeakMap<Catalog, readonly Accessor[]>();

function listAccessors(catalog: Catalog): readonly Accessor[] {
  return getOrInsert(accessors, catalog, () =>
    Array.from(catalog.relations.values(), (relation) => {
      const { path } = relation;

      return { relation, path, valueName: `__${path}__`, flagName: `__has_${path}__` };
    }),
  );
}

/** Whether a value is of a class, which may be an entity's. */
function isInstance(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;

  const prototype: unknown = Object.getPrototypeOf(value);

  return prototype !== Object.prototype && prototype !== null;
}
