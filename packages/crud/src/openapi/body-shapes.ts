/** A definition, a route and the catalog in; the class that the route's body is like out, as plain descriptions; nothing is refused. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { bodyRulesOf } from '../validation/body-rules.js';
import type { ClassFacts, ModelShape, RelatedShape } from './document-types.js';
import { relatedName } from './record-shapes.js';

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
  const { model, modelName, options, validation } = definition;
  const rules = bodyRulesOf(definition, route, declared);

  if (!rules?.isModel) return { base: rules?.type ?? model, omit: NONE, optional: NONE };

  const kind = bodyKindOf(route, rules.partial);
  const documented = facts.documented(model);
  const omit = new Set<string>();
  const optional = new Set<string>();
  const scoped = scopedFields(options.params, ROUTES[route].single);
  const countedKey = options.routes.createOneBase?.allowGeneratedKey === true;

  const related = new Map<string, RelatedShape>();
  const bodyOf = bodyName(modelName, route, rules.partial);

  let isScoped = false;

  for (const name of documented) {
    const column = catalog?.columns.get(name);

    if (column && !isWritable(column, kind, countedKey)) omit.add(name);
    else if (kind === 'update') {
      optional.add(name);
      const part = catalog && partShape(relatedName(bodyOf, name), model, name, catalog, facts);
      if (part) related.set(name, { shape: part, toMany: false });
    } else if (catalog && isOmissible(name, catalog, kind) && !(validation && facts.demanded(model, name)))
      optional.add(name);
    else if (scoped.has(name)) {
      optional.add(name);
      isScoped ||= !column?.primary;
    }
  }

  const shape = named(bodyOf, model, omit, optional);

  return { ...shape, ...(related.size > 0 && { related }), ...(isScoped && { scoped: true }) };
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
  string
>;

function bodyKindOf(route: BaseRouteName, partial: boolean): BodyKind {
  return partial ? 'update' : route === 'replaceOneBase' ? 'replace' : 'create';
}

/** `CreateUserBodyDto`: the name of a body that is no class of the application. */
export function bodyName(modelName: string, route: BaseRouteName, partial: boolean): string {
  return `${BODY_NAMES[bodyKindOf(route, partial)]}${modelName}BodyDto`;
}

/** Fields that the route's path fills in. */
function scopedFields(params: ResourceDefinition['options']['params'], single: boolean): ReadonlySet<string> {
  return new Set(
    Object.entries(params)
      .filter(([, { disabled, primary }]) => !disabled && (single || !primary))
      .map(([name, { field }]) => field ?? name),
  );
}

function isWritable(column: CatalogColumn, kind: BodyKind, countedKey: boolean): boolean {
  // A version in a body is the one that the client expects to find.
  if (column.source === 'version') return kind !== 'create';
  if (column.source !== 'client') return false;
  if (kind !== 'create') return column.updatable || column.primary;

  return column.insertable && (!column.counted || countedKey);
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
