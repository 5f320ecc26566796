/**
 * Values that the application sets in every body, overriding the client's: path values, and `persist` over them.
 * Validation and storing both set them by {@link applyScope}.
 */
import { isRecord } from '../definition/plain-objects.js';
import type { Catalog, CatalogColumn } from './catalog.js';
import { type OwnedRelation, requireRelation } from './relation-scope.js';

type Body = Record<string, unknown>;

/** One value that the application, not the client, decides. */
export interface ScopeValue {
  /** Property path. */
  readonly field: string;
  readonly value: unknown;
  readonly origin: 'path' | 'persist';
  /** `false` if a body may override it (`allowParamsOverride`). */
  readonly forced: boolean;
}

/** Values that the application sets in the records of a relation. */
export interface RelatedValues extends OwnedRelation {
  readonly values: Readonly<Record<string, unknown>>;
}

/** The values of one request, and the entity of its resource. */
export interface BodyScope {
  /** What is put into a body, in this order. */
  readonly values: readonly ScopeValue[];
  /** The entity; undefined if none is known. */
  readonly catalog: Catalog | undefined;
  /** What is put into related records that cascades store. Default: nothing. */
  readonly related?: readonly RelatedValues[];
}

/** No values: a body is stored as sent. */
export const NO_SCOPE: BodyScope = { values: [], catalog: undefined };

/** Where the values of a scope come from. */
export interface BodyScopeSource {
  /** Path values by field. */
  readonly path: readonly (readonly [field: string, value: unknown])[];
  /** What `@CrudAuth({ persist })` has returned. Default: nothing. */
  readonly persist?: object | undefined;
  /** What `persist` of `@CrudAuth.relations` has returned, by relation path. Default: nothing. */
  readonly related?: Readonly<Record<string, object>> | undefined;
  /** Whether a body may override path values other than the key's. Default: `false`. */
  readonly allowParamsOverride?: boolean | undefined;
  /** Fields that are a key beside the primary one. Default: none. */
  readonly keys?: ReadonlySet<string>;
}

/**
 * The scope of a request's bodies.
 *
 * @example
 * bodyScope({ path: [['companyId', 1]], persist: { ownerId: 7 } }, users);
 */
export function bodyScope(
  { path, persist = {}, related = {}, allowParamsOverride = false, keys }: BodyScopeSource,
  catalog: Catalog | undefined,
): BodyScope {
  const inRelations = Object.entries(catalog ? related : {}).map(([name, values]): RelatedValues => ({
    ...requireRelation(catalog!, name),
    values: { ...values },
  }));
  const isKey = (field: string) =>
    keys?.has(field) === true || catalog?.primary.some((column) => column.path === field) === true;
  const ofPath = path.map(([field, value]): ScopeValue => ({
    field,
    value,
    origin: 'path',
    forced: !allowParamsOverride || isKey(field),
  }));
  const persisted = Object.entries(persist).map(([field, value]): ScopeValue => ({
    field,
    value,
    origin: 'persist',
    forced: true,
  }));
  // The path's key wins over `persist`.
  const own = persisted.length > 0 ? ofPath.filter(({ field }) => isKey(field)) : [];

  return {
    catalog,
    values: [...ofPath, ...persisted, ...own],
    ...(inRelations.length > 0 && { related: inRelations }),
  };
}

/** Whether a field of a scope names a part of the key. */
export function isOfKey(field: string, catalog: Catalog | undefined): boolean {
  return catalog?.primary.some((column) => namesColumn(field, column, catalog)) === true;
}

/** Whether a field of `persist` is a column, an embedded object around it, or the relation that holds it. */
export function namesColumn(field: string, column: CatalogColumn, { relations }: Catalog): boolean {
  if (column.path === field || column.path.startsWith(`${field}.`)) return true;

  return [...relations.values()].some(
    ({ path, references }) =>
      (path === field || field.startsWith(`${path}.`)) && references.some((reference) => reference.column === column),
  );
}

/** Options of {@link applyScope}. */
export interface ApplyOptions {
  /** The body as the client sent it, which wins over values that are not forced. Default: the body. */
  readonly sent?: Body;
  /** Whether to set a property. Default: all are set. */
  readonly knows?: (property: string) => boolean;
  /**
   * Whether the client's nested record stays in the body when the scope sets its key; it is validated, but not stored.
   * Default: `false`.
   */
  readonly keepsRelated?: boolean;
}

/**
 * Sets the values of a scope on a body. Columns and relations of one foreign key agree afterwards.
 *
 * @returns The properties that were set and that the client did not send.
 * @example
 * applyScope({ name: 'x', companyId: 9 }, scope); // the body: { name: 'x', companyId: 1 }
 */
export function applyScope(
  body: Body,
  { values, catalog }: BodyScope,
  { sent = body, knows, keepsRelated = false }: ApplyOptions = {},
): ReadonlySet<string> {
  const added = new Set<string>();
  const given = new Set<string>();

  for (const { field, value, forced } of values) {
    const [property = field] = field.split('.');
    if ((!forced && namesField(sent, field, catalog)) || knows?.(property) === false) continue;

    if (!Object.hasOwn(sent, property)) added.add(property);
    // Defined as an own property, since lazy relations have accessors on the entity's prototype.
    if (catalog?.relations.has(property) && (!Object.hasOwn(body, property) || !(keepsRelated || given.has(property))))
      Object.defineProperty(body, property, { value: undefined, enumerable: true, writable: true, configurable: true });
    given.add(property);
    put(body, field, value);
    if (catalog) align(body, field, value, catalog);
  }

  return added;
}

/** Whether a body names a column, itself or by the relation whose foreign key it is. */
function namesField(body: Body, field: string, catalog: Catalog | undefined): boolean {
  if (Object.hasOwn(body, field)) return true;

  return [...(catalog?.relations.values() ?? [])].some(
    ({ path, references }) => Object.hasOwn(body, path) && references.some(({ column }) => column.path === field),
  );
}

function put(body: Body, path: string, value: unknown): void {
  const segments = path.split('.');
  const last = segments.pop() as string;
  let holder = body;

  for (const segment of segments) {
    const inner = Object.hasOwn(holder, segment) ? holder[segment] : undefined;
    holder = holder[segment] = isRecord(inner) ? copyOf(inner) : {};
  }
  holder[last] = value;
}

/** A copy keeps its class, which validation gave it. */
export function copyOf(object: object): Body {
  return Object.assign(Object.create(Object.getPrototypeOf(object) as object | null) as Body, object);
}

// Column and relation must name the same record, whichever of them the scope sets.
function align(body: Body, field: string, value: unknown, catalog: Catalog): void {
  const [property = field] = field.split('.');

  for (const relation of catalog.relations.values()) {
    const related = Object.hasOwn(body, relation.path) ? body[relation.path] : undefined;

    for (const { column, references } of relation.references) {
      // Without a property of its own, a column has the relation's path, and the value may be the related record.
      const isRelated = relation.path === field && isRecord(value);
      if (column.path === field && Object.hasOwn(body, relation.path) && !isRelated) {
        const kept = relation.references.length > 1 && isRecord(related) ? related : {};
        body[relation.path] = value === null ? null : { ...kept, [references.path]: value };
      }
      if (relation.path === property && catalog.columns.has(column.path)) {
        const key = isRecord(related) ? (related as Body)[references.path] : related;
        // A key that the client gave would win over the relation.
        if (key !== undefined) body[column.path] = key;
        else Reflect.deleteProperty(body, column.path);
      }
    }
  }
}
