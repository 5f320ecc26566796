/** A definition, a route and the catalog in; the classes that the route's body and response are like out, as plain descriptions; nothing is refused. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import { anyCovers } from '../plan/visibility.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { isExposedToGroups } from '../serialization/class-plan.js';
import { exposedPaths } from '../serialization/exposed-paths.js';
import { bodyRulesOf } from '../validation/body-rules.js';
import { responseShape } from '../serialization/response-shape.js';
import type { ModelShape, RelatedShape } from './document-types.js';

/** What a class documents and validates, as the optional peers know it. */
export interface ClassFacts {
  /** Properties that the document shows. */
  documented(type: Type<unknown>): readonly string[];
  /** Whether validation refuses a body without the property; `undefined` where it cannot be told. */
  demanded(type: Type<unknown>, property: string): boolean | undefined;
}

type BodyKind = 'create' | 'update' | 'replace';

const NONE: ReadonlySet<string> = new Set();

/** What a record looks like in the response of a route. */
export function recordShape(
  definition: ResourceDefinition,
  route: BaseRouteName,
  facts: ClassFacts,
  catalog?: Catalog,
): ModelShape {
  const { model, modelName, options } = definition;
  const { record } = responseShape(definition, route);

  // A class named by the options says itself what it shows.
  if (record && record !== model) return { base: record, omit: NONE, optional: NONE };

  return shownShape(`${modelName}ResponseDto`, model, options.query, facts, catalog);
}

type Shown = Pick<ResourceDefinition['options']['query'], 'allow' | 'exclude' | 'persist' | 'join'>;

/** A class without what may not leave; its relations are shown as their joins let them out. */
function shownShape(
  name: string,
  model: Type<unknown>,
  { exclude = [], allow = [], persist = [], join = {} }: Shown,
  facts: ClassFacts,
  catalog: Catalog | undefined,
): ModelShape {
  const documented = facts.documented(model);
  const shown = exposedPaths(model, documented);
  const inGroups = new Set(documented.filter((property) => !shown.has(property) && isExposedToGroups(model, property)));
  const omit = new Set(
    documented.filter(
      (property) =>
        (!shown.has(property) && !inGroups.has(property)) ||
        exclude.includes(property) ||
        (catalog?.columns.has(property) && !isReturned(catalog.columns.get(property) as CatalogColumn, allow)) ||
        (catalog?.relations.has(property) && !isJoinable(join, property)),
    ),
  );
  // A request's `fields` leave nothing but the primary key and `persist`; what is for groups comes only for these. Without a catalog nobody knows what the service selects.
  const optional = new Set(
    documented.filter(
      (property) =>
        !omit.has(property) && (inGroups.has(property) || (catalog && !isAlwaysSelected(catalog, property, persist))),
    ),
  );
  const related = new Map<string, RelatedShape>();

  for (const property of optional) {
    const relation = catalog?.relations.get(property);
    const target = relation?.target.target;
    if (!relation || typeof target !== 'function') continue;

    const options = { ...join[property], join: joinsUnder(join, property) };
    const shape = shownShape(relatedName(name, property), target as Type<unknown>, options, facts, relation.target);
    related.set(property, { shape, toMany: relation.toMany });
  }

  return { ...named(name, model, omit, optional), ...(related.size > 0 && { related }) };
}

/** `UserResponseDto` and `company` make `UserResponseCompanyDto`. */
export function relatedName(name: string, property: string): string {
  return `${name.replace(/Dto$/, '')}${property.charAt(0).toUpperCase()}${property.slice(1)}Dto`;
}

function joinsUnder(join: NonNullable<Shown['join']>, relation: string): NonNullable<Shown['join']> {
  const under = `${relation}.`;

  return Object.fromEntries(
    Object.entries(join)
      .filter(([path]) => path.startsWith(under))
      .map(([path, option]) => [path.slice(under.length), option]),
  );
}

function isReturned({ selectable, primary, path }: CatalogColumn, allow: readonly string[]): boolean {
  return selectable && (primary || allow.length === 0 || allow.includes(path));
}

/** Whether a column comes with whatever fields a request selects. */
function isAlwaysSelected(catalog: Catalog, property: string, persist: readonly string[]): boolean {
  const column = catalog.columns.get(property);

  // Of an embedded object `fields` may leave a part, whose class tells its own properties.
  return column !== undefined && column.selectable && (column.primary || anyCovers(persist, property));
}

function isJoinable(join: NonNullable<Shown['join']>, relation: string): boolean {
  return Object.entries(join).some(
    ([path, { select }]) => (path === relation && select !== false) || path.startsWith(`${relation}.`),
  );
}

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

  let isScoped = false;

  for (const name of documented) {
    const column = catalog?.columns.get(name);

    if (column && !isWritable(column, kind, countedKey)) omit.add(name);
    else if (kind === 'update') optional.add(name);
    else if (catalog && isOmissible(name, catalog, kind) && !(validation && facts.demanded(model, name)))
      optional.add(name);
    else if (scoped.has(name)) {
      optional.add(name);
      isScoped ||= !column?.primary;
    }
  }

  const shape = named(bodyName(modelName, route, rules.partial), model, omit, optional);

  return isScoped ? { ...shape, scoped: true } : shape;
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
