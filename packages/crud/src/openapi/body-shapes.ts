import type { Type } from '@nestjs/common';
import { paramsOfPath } from '../definition/path-params.js';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn } from '../plan/catalog.js';
import type { WriteMode } from '../plan/write-plan.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import { ruleTimingOf, rootPlace } from '../validation/settable-properties.js';
import type { BodyRules } from '../validation/body-rules.js';
import {
  classOfProperty,
  documentedProperties,
  isDocumentedAsRequired,
  isReadOnly,
  isRequiredByRules,
} from './class-properties.js';
import { type ModelShape, modelShape, type RelatedShape } from './model-shape.js';
import { isManyRoute, type ManyRoute } from '../definition/route-behaviour.js';
import { itemKeyFields } from '../plan/item-keys.js';
import { type BulkVerb, schemaNamesOf, schemaSubjectOf } from './resource-names.js';
import { relatedName } from './shape-names.js';

/** What the body of a route looks like: a class of `dto`, or the model without what the server fills in. */
export function bodyShape(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
  catalog: Catalog | undefined,
): ModelShape {
  const { model, options } = definition;
  const { mode } = rules;
  const bodyOf = bodyName(definition, route, mode);
  if (!rules.isModel) {
    const { type } = rules;
    const extendsModel = rules.isDto && type.prototype instanceof model;
    const omit = catalog && extendsModel ? unwritable(documentedProperties(type), catalog, rules) : new Set<string>();
    const filled = paramsOfPath(options.params, false).map(({ field }) => field);
    const optional = new Set(
      documentedProperties(type).filter(
        (name) => filled.includes(name) && !omit.has(name) && isDocumentedAsRequired(type, name),
      ),
    );

    return modelShape(type, bodyOf, { omit, optional }, optional.size > 0);
  }

  const documented = documentedProperties(model);
  const omit = new Set<string>();
  const optional = new Set<string>();
  const version = rules.needsVersion ? catalog?.version?.path : undefined;
  const asked = new Set(rules.keyedBy && itemKeyFields(rules.keyedBy, catalog));
  if (version !== undefined) asked.add(version);
  const scoped = new Set(paramsOfPath(options.params, ROUTES[route].single).map(({ field }) => field));

  const place = rootPlace(rules, catalog);
  const isAsked = (name: string) =>
    rules.validation !== false && ruleTimingOf(place, name) === 'always' && !place.initialised.has(name);

  const sent = new Set<string>();
  const related = new Map<string, RelatedShape>();

  let isScoped = false;

  for (const name of documented) {
    const column = catalog?.columns.get(name);

    if (asked.has(name)) {
      if (name === version || isReadOnly(model, name)) sent.add(name);
      continue;
    }
    if ((column && !isWritable(column, rules)) || rules.keysAlone) {
      omit.add(name);
    } else if (mode === 'update') {
      optional.add(name);
      const part = catalog && partShape(relatedName(bodyOf, name), model, name, catalog);
      if (part) related.set(name, { shape: part, toMany: false });
    } else if (isReadOnly(model, name)) {
      optional.add(name);
    } else if (catalog && isOmissible(name, catalog, mode) && !(isAsked(name) && isRequiredByRules(model, name))) {
      optional.add(name);
    } else if (scoped.has(name)) {
      optional.add(name);
      isScoped ||= !column?.primary;
    }
  }

  return modelShape(model, bodyOf, { omit, optional, sent, related }, isScoped);
}

/** What is set on all records that a condition matches: a body of PATCH without key, version and relations of many. */
export function setShape(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
  catalog: Catalog | undefined,
): ModelShape {
  const shape = bodyShape(definition, route, rules, catalog);
  const keys = new Set([
    ...itemKeyFields(definition.options.params, catalog),
    ...(catalog?.primary ?? []).map(({ path }) => path),
  ]);
  const unset = documentedProperties(shape.base).filter((name) => {
    const relation = catalog?.relations.get(name);

    return keys.has(name) || catalog?.version?.path === name || relation?.references.length === 0;
  });
  const omit = new Set([...shape.omit, ...unset]);
  const optional = new Set([...shape.optional].filter((name) => !omit.has(name)));

  const name = schemaNamesOf(definition).set(schemaSubjectOf(definition));

  return modelShape(shape.base, name, { omit, optional, related: shape.related }, shape.isScoped);
}

/** An embedded object in a body of PATCH, which may hold a part of it; undefined if the property is none, or of no known class. */
function partShape(name: string, owner: Type<unknown>, path: string, catalog: Catalog): ModelShape | undefined {
  const property = path.slice(path.lastIndexOf('.') + 1);
  const base = classOfProperty(owner, property);
  const isEmbedded = [...catalog.columns.keys()].some((column) => column.startsWith(`${path}.`));
  if (!base || !isEmbedded) return undefined;

  const related = new Map<string, RelatedShape>();
  const omit = new Set<string>();
  const optional = new Set<string>();

  for (const inner of documentedProperties(base)) {
    const at = `${path}.${inner}`;
    const column = catalog.columns.get(at);
    if (column && !isWritable(column, { mode: 'update', acceptsGeneratedKey: false })) {
      omit.add(inner);
      continue;
    }
    optional.add(inner);
    const part = partShape(relatedName(name, inner), base, at, catalog);
    if (part) related.set(inner, { shape: part, toMany: false });
  }

  return modelShape(base, name, { omit, optional, related });
}

const BODY_NAMES = { insert: 'Create', update: 'Update', replace: 'Replace' } as const;

/** What a route does to many records. */
export const BULK_VERBS: Readonly<Record<ManyRoute | 'createManyBase', BulkVerb>> = {
  createManyBase: 'Create',
  updateManyBase: 'Update',
  replaceManyBase: 'Replace',
  deleteManyBase: 'Delete',
  recoverManyBase: 'Recover',
};

/** `CreateUserBodyDto`, or short `CreateUser`: the name of a body that is no class of the application. */
export function bodyName(definition: ResourceDefinition, route: BaseRouteName, mode: WriteMode): string {
  const names = schemaNamesOf(definition);
  const one = schemaSubjectOf(definition);

  return isManyRoute(route) ? names.item(BULK_VERBS[route], one) : names.body(BODY_NAMES[mode], one);
}

/** Columns that a class inherits from the entity, though no body can set them. */
function unwritable(documented: readonly string[], { columns }: Catalog, rules: BodyRules): ReadonlySet<string> {
  return new Set(
    documented.filter((name) => {
      const column = columns.get(name);

      return column && !isWritable(column, rules);
    }),
  );
}

function isWritable(
  column: CatalogColumn,
  { mode, acceptsGeneratedKey }: Pick<BodyRules, 'mode' | 'acceptsGeneratedKey'>,
): boolean {
  // A version in a body is the expected version.
  if (column.source === 'version') return mode !== 'insert';
  if (column.source !== 'client') return false;
  if (mode !== 'insert') return column.updatable || column.primary;

  return column.insertable && (!column.autoIncrement || acceptsGeneratedKey);
}

/** Whether the database takes a record without the property. */
function isOmissible(name: string, catalog: Catalog, mode: WriteMode): boolean {
  const column = catalog.columns.get(name);

  if (column) return omissible(column) || (column.primary && mode !== 'insert') || column.source === 'version';
  if (catalog.relations.has(name)) return true;

  // What is neither column nor relation is an embedded object, or nothing that is stored.
  return [...catalog.columns.values()].filter(({ path }) => path.startsWith(`${name}.`)).every(omissible);
}

function omissible({ nullable, hasDefault, generated }: CatalogColumn): boolean {
  return nullable || hasDefault || generated;
}
