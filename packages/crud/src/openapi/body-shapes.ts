import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { ruleTimingOf, rootPlace } from '../validation/settable-properties.js';
import { type BodyRules, bodyRulesOf } from '../validation/body-rules.js';
import type { ClassFacts, ModelShape, RelatedShape } from './document-types.js';
import { isManyRoute, type ManyRoute } from '../definition/route-behaviour.js';
import { itemKeyFields } from '../plan/item-keys.js';
import { type BulkVerb, schemaNamesOf, schemaSubjectOf } from './resource-names.js';
import { relatedName } from './shape-names.js';

type BodyKind = 'create' | 'update' | 'replace';

const NONE: ReadonlySet<string> = new Set();

/**
 * What the body of a route looks like: a class of `dto`, or the model without what the server fills in.
 *
 * @param declared Class of the body parameter in an overriding handler.
 */
export function bodyShape(
  definition: ResourceDefinition,
  route: BaseRouteName,
  facts: ClassFacts,
  catalog?: Catalog,
  declared?: unknown,
): ModelShape {
  const { model, options } = definition;
  const rules = bodyRulesOf(definition, route, declared);

  if (!rules) return { base: model, omit: NONE, optional: NONE };

  const kind = bodyKindOf(route, rules.partial);
  if (!rules.isModel) {
    const extendsModel = rules.isDto && rules.type.prototype instanceof model;
    const omit = catalog && extendsModel ? unwritable(facts.documented(rules.type), catalog, kind, rules) : NONE;

    return named(bodyName(definition, route, rules.partial), rules.type, omit, NONE);
  }

  const documented = facts.documented(model);
  const omit = new Set<string>();
  const optional = new Set<string>();
  const version = rules.needsVersion ? catalog?.version?.path : undefined;
  const asked = new Set(rules.keyedBy && itemKeyFields(rules.keyedBy, catalog));
  if (version !== undefined) asked.add(version);
  const scoped = scopedFields(options.params, ROUTES[route].single);
  const generatedKey = options.routes.createOneBase?.allowGeneratedKey === true;

  const place = rootPlace(rules, catalog);
  const isAsked = (name: string) => rules.validation !== false && ruleTimingOf(place, name) === 'whole';

  const sent = new Set<string>();
  const related = new Map<string, RelatedShape>();
  const bodyOf = bodyName(definition, route, rules.partial);

  let isScoped = false;

  for (const name of documented) {
    const column = catalog?.columns.get(name);

    if (asked.has(name)) {
      if (name === version || facts.isReadOnly(model, name)) sent.add(name);
      continue;
    }
    if ((column && !isWritable(column, kind, generatedKey)) || rules.keysAlone) omit.add(name);
    else if (kind === 'update') {
      optional.add(name);
      const part = catalog && partShape(relatedName(bodyOf, name), model, name, catalog, facts);
      if (part) related.set(name, { shape: part, toMany: false });
    } else if (facts.isReadOnly(model, name)) optional.add(name);
    else if (catalog && isOmissible(name, catalog, kind) && !(isAsked(name) && facts.demanded(model, name)))
      optional.add(name);
    else if (scoped.has(name)) {
      optional.add(name);
      isScoped ||= !column?.primary;
    }
  }

  const shape = named(bodyOf, model, omit, optional);

  return {
    ...shape,
    ...(sent.size > 0 && { name: bodyOf, sent }),
    ...(related.size > 0 && { related }),
    ...(isScoped && { scoped: true }),
  };
}

/** What is set on all records that a condition matches: a body of PATCH without key, version and relations of many. */
export function setShape(
  definition: ResourceDefinition,
  route: BaseRouteName,
  facts: ClassFacts,
  catalog?: Catalog,
  declared?: unknown,
): ModelShape {
  const { sent: _, ...shape } = bodyShape(definition, route, facts, catalog, declared);
  const keys = new Set([...itemKeyFields(definition.options.params, catalog), ...(catalog?.primary ?? []).map(pathOf)]);
  const unset = facts.documented(shape.base).filter((name) => {
    const relation = catalog?.relations.get(name);

    return keys.has(name) || catalog?.version?.path === name || relation?.references.length === 0;
  });
  const omit = new Set([...shape.omit, ...unset]);
  const optional = new Set([...shape.optional].filter((name) => !omit.has(name)));

  return { ...shape, ...named(schemaNamesOf(definition).set(schemaSubjectOf(definition)), shape.base, omit, optional) };
}

function pathOf({ path }: CatalogColumn): string {
  return path;
}

/** An embedded object in a body of PATCH, which may hold a part of it; undefined where the property is none, or of no known class. */
function partShape(
  name: string,
  owner: Type<unknown>,
  path: string,
  catalog: Catalog,
  facts: ClassFacts,
): ModelShape | undefined {
  const property = path.slice(path.lastIndexOf('.') + 1);
  const base = facts.classOf(owner, property);
  const isEmbedded = [...catalog.columns.keys()].some((column) => column.startsWith(`${path}.`));
  if (!base || !isEmbedded) return undefined;

  const related = new Map<string, RelatedShape>();
  const omit = new Set<string>();
  const optional = new Set<string>();

  for (const inner of facts.documented(base)) {
    const at = `${path}.${inner}`;
    const column = catalog.columns.get(at);
    if (column && !isWritable(column, 'update', false)) {
      omit.add(inner);
      continue;
    }
    optional.add(inner);
    const part = partShape(relatedName(name, inner), base, at, catalog, facts);
    if (part) related.set(inner, { shape: part, toMany: false });
  }

  return { ...named(name, base, omit, optional), ...(related.size > 0 && { related }) };
}

const BODY_NAMES = { create: 'Create', update: 'Update', replace: 'Replace' } as const satisfies Record<
  BodyKind,
  'Create' | 'Update' | 'Replace'
>;

const MANY_VERBS = {
  updateManyBase: 'Update',
  replaceManyBase: 'Replace',
  deleteManyBase: 'Delete',
  recoverManyBase: 'Recover',
} as const satisfies Record<ManyRoute, BulkVerb>;

/** What a route does to many records. */
export const BULK_VERBS: Readonly<Record<ManyRoute | 'createManyBase', BulkVerb>> = {
  createManyBase: 'Create',
  ...MANY_VERBS,
};

function bodyKindOf(route: BaseRouteName, partial: boolean): BodyKind {
  return partial ? 'update' : route === 'replaceOneBase' || route === 'replaceManyBase' ? 'replace' : 'create';
}

/** `CreateUserBodyDto`, or short `CreateUser`: the name of a body that is no class of the application. */
export function bodyName(definition: ResourceDefinition, route: BaseRouteName, partial: boolean): string {
  const names = schemaNamesOf(definition);
  const one = schemaSubjectOf(definition);
  if (isManyRoute(route)) return names.item(BULK_VERBS[route], one);

  return names.body(BODY_NAMES[bodyKindOf(route, partial)], one);
}

/** Fields that the route's path fills in. */
function scopedFields(params: ResourceDefinition['options']['params'], single: boolean): ReadonlySet<string> {
  return new Set(
    Object.entries(params)
      .filter(([, { disabled, primary }]) => !disabled && (single || !primary))
      .map(([name, { field }]) => field ?? name),
  );
}

/** Columns that a class inherits from the entity, though no body can set them. */
function unwritable(
  documented: readonly string[],
  { columns }: Catalog,
  kind: BodyKind,
  { acceptsGeneratedKey }: BodyRules,
): ReadonlySet<string> {
  return new Set(
    documented.filter((name) => {
      const column = columns.get(name);

      return column && !isWritable(column, kind, acceptsGeneratedKey);
    }),
  );
}

function isWritable(column: CatalogColumn, kind: BodyKind, generatedKey: boolean): boolean {
  // A version in a body is the expected version.
  if (column.source === 'version') return kind !== 'create';
  if (column.source !== 'client') return false;
  if (kind !== 'create') return column.updatable || column.primary;

  return column.insertable && (!column.autoIncrement || generatedKey);
}

/** Whether the database takes a record without the property. */
function isOmissible(name: string, catalog: Catalog, kind: BodyKind): boolean {
  const column = catalog.columns.get(name);

  if (column) return omissible(column) || (column.primary && kind !== 'create') || column.source === 'version';
  if (catalog.relations.has(name)) return true;

  // What is neither column nor relation is an embedded object, or nothing that is stored.
  return [...catalog.columns.values()].filter(({ path }) => path.startsWith(`${name}.`)).every(omissible);
}

function omissible({ nullable, hasDefault, generated }: CatalogColumn): boolean {
  return nullable || hasDefault || generated;
}

function named(
  name: string,
  base: Type<unknown>,
  omit: ReadonlySet<string>,
  optional: ReadonlySet<string>,
): ModelShape {
  return omit.size === 0 && optional.size === 0 ? { base, omit, optional } : { name, base, omit, optional };
}
