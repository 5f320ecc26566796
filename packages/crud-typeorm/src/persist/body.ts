/** A body and what its request puts into it go in, a copy comes out that says what path and `persist` say; refuses nothing. */
import { type Catalog, type CatalogRelation, isOwnEntity, type RelatedScope } from '@nestwright/crud';

type Body = Record<string, unknown>;

/** What a request puts into every body, field by field. */
export interface BodyScope {
  /** Path values. */
  readonly path: Readonly<Body>;
  readonly persist?: Readonly<Body>;
}

/** How far a body may differ from the request's path. */
export interface BodyOptions {
  /** Whether the body may override path values other than the key's. Default: `false`. */
  readonly allowParamsOverride?: boolean;
}

/**
 * Puts path values and `persist` into a copy of a body, `persist` last. A copy keeps its class. The interceptor has done so before; handlers of the application and requests
 * made by hand rely on the service alone.
 *
 * @example
 * scopedBody({ name: 'x', companyId: 9 }, { path: { companyId: 1 } }, catalog); // { name: 'x', companyId: 1 }
 */
export function scopedBody<T extends object>(
  body: T,
  { path, persist = {} }: BodyScope,
  catalog: Catalog,
  { allowParamsOverride = false }: BodyOptions = {},
): T {
  const copy = unveiled(sameClass(body), catalog);
  const isKey = (field: string) => catalog.primary.some(({ path }) => path === field);

  for (const [field, value] of Object.entries(path)) {
    if (!allowParamsOverride || isKey(field) || !speaksOf(copy, field, catalog)) {
      put(copy, field, value, catalog);
    }
  }

  for (const [field, value] of Object.entries(persist)) {
    put(copy, field, value, catalog);
  }

  return copy as T;
}

/**
 * What a request puts into records of its own entity that a cascade stores: `persist`, and path values where they are new; never a part of a key.
 *
 * @example
 * planWrite(catalog, body, 'update', { related: relatedScope(scope, catalog) });
 */
export function relatedScope({ path, persist = {} }: BodyScope, catalog: Catalog): RelatedScope {
  return {
    isOwn: (entity) => isOwnEntity(catalog, entity),
    values: (mode) =>
      scopedBody(
        {},
        { path: mode === 'insert' ? withoutKey(path, catalog) : {}, persist: withoutKey(persist, catalog) },
        catalog,
      ),
  };
}

function withoutKey(values: Readonly<Body>, { primary, relations }: Catalog): Body {
  const isOfKey = (field: string) =>
    primary.some(
      (column) =>
        column.path === field || relations.get(field)?.references.some((reference) => reference.column === column),
    );

  return Object.fromEntries(Object.entries(values).filter(([field]) => !isOfKey(field)));
}

/** TypeORM puts accessors for lazy relations on the entity's prototype, which keep what is set under a name of their own: here it is read under the relation's. */
function unveiled(copy: Body, catalog: Catalog): Body {
  for (const { relation, path, kept, has } of veilsOf(catalog)) {
    if (Object.hasOwn(copy, kept)) {
      Object.defineProperty(copy, path, { value: copy[kept], enumerable: true, writable: true, configurable: true });
      Reflect.deleteProperty(copy, kept);
      Reflect.deleteProperty(copy, has);
    }

    const value = Object.hasOwn(copy, path) ? copy[path] : undefined;

    if (isInstance(value)) {
      copy[path] = unveiled(sameClass(value), relation.target);
    } else if (Array.isArray(value) && value.some(isInstance)) {
      copy[path] = value.map((item: unknown) => (isInstance(item) ? unveiled(sameClass(item), relation.target) : item));
    }
  }

  return copy;
}

/** A relation and the names under which TypeORM's accessors keep it. */
interface Veil {
  readonly relation: CatalogRelation;
  readonly path: string;
  readonly kept: string;
  readonly has: string;
}

const veils = new WeakMap<Catalog, readonly Veil[]>();

function veilsOf(catalog: Catalog): readonly Veil[] {
  let known = veils.get(catalog);

  if (!known) {
    known = Array.from(catalog.relations.values(), (relation) => {
      const { path } = relation;

      return { relation, path, kept: `__${path}__`, has: `__has_${path}__` };
    });
    veils.set(catalog, known);
  }

  return known;
}

/** Whether a value is of a class, which may be an entity's. */
function isInstance(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return false;
  }

  const prototype: unknown = Object.getPrototypeOf(value);

  return prototype !== Object.prototype && prototype !== null;
}

/** Whether a body names a column, itself or by the relation whose foreign key it is. */
function speaksOf(body: Body, field: string, catalog: Catalog): boolean {
  return (
    Object.hasOwn(body, field) ||
    [...catalog.relations.values()].some(
      ({ path, references }) => Object.hasOwn(body, path) && references.some(({ column }) => column.path === field),
    )
  );
}

function put(body: Body, path: string, value: unknown, catalog: Catalog): void {
  const [property = path, ...rest] = path.split('.');
  const relation = catalog.relations.get(property);

  if (rest.length === 0) {
    body[property] = value;
  } else {
    const inner = body[property];
    const holder = sameClass(typeof inner === 'object' && inner !== null && !relation ? inner : {});

    put(holder, rest.join('.'), value, relation?.target ?? EMPTY);
    body[property] = holder;
  }

  // The foreign key's own column would win over the relation.
  for (const { column, references } of relation?.references ?? []) {
    if (catalog.columns.has(column.path)) {
      const related = body[property];

      body[column.path] =
        typeof related === 'object' && related !== null ? (related as Body)[references.path] : related;
    }
  }
}

/** Where there are no relations: inside an embedded object. */
const EMPTY = { relations: new Map(), columns: new Map() } as unknown as Catalog;

function sameClass(value: object): Body {
  return Object.assign(Object.create(Object.getPrototypeOf(value) as object | null) as Body, value);
}
