/** What bodies look like: classes of `dto`, or the model without what the server fills in. */
import type { Type } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { listPathParams, type ResourceDefinition } from '../definition/resource-definition.js';
import { isManyRoute } from '../definition/route-behaviour.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { itemKeyFields } from '../plan/item-keys.js';
import type { OwnedRelation } from '../plan/relation-scope.js';
import type { WriteMode } from '../plan/write-plan.js';
import { type BaseRouteName, ROUTES } from '../routes/route-table.js';
import type { BodyRules } from '../validation/body-rules.js';
import { type BodyPlace, decideRuleTiming, relatedPlace, rootPlace } from '../validation/settable-properties.js';
import {
  filledInRelation,
  filledProperties,
  foreignKeyExample,
  isOmissibleInDatabase,
  type RelationForms,
  relationForms,
} from './body-relations.js';
import {
  asClass,
  collectDefined,
  documentedProperties,
  omitPropertyDefaults,
  propertyClass,
  type PropertyMetadata,
} from './class-properties.js';
import {
  applicableRules,
  type Drawing,
  drawProperties,
  embeddedClass,
  heldProperties,
  isEmbedded,
} from './drawn-properties.js';
import { routeVerb, schemaName, standInName } from './names.js';
import { isRequiredByRules } from './value-schemas.js';
import type { NamedShape, RelatedShape, Shape, ShapeProperty } from './schemas.js';

/** What the body of a route looks like. */
export function describeBody(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
  catalog: Catalog | undefined,
): NamedShape {
  const filled = filledProperties(definition, route, rules, catalog);
  if (!rules.isModel) return describeClass(definition, route, rules, catalog, filled);

  const version = rules.needsVersion ? catalog?.version?.path : undefined;
  const shape = describeRecord({
    ...rootPlace(rules, catalog),
    type: definition.model,
    checks: rules.validation !== false,
    filled,
    fillRelation: (relation) => filledInRelation(definition, catalog!, relation),
    asked: new Set([
      ...(rules.keyedBy ? itemKeyFields(rules.keyedBy, catalog) : []),
      ...(version === undefined ? [] : [version]),
    ]),
    keysAlone: rules.keysAlone === true,
    outer: [],
  });
  const isScoped = listPathParams(definition.options.params, ROUTES[route].single).some(
    ({ field }) =>
      shape.properties.get(field)?.metadata['required'] === false &&
      rules.mode !== 'update' &&
      !catalog?.columns.get(field)?.primary,
  );

  return { ...shape, name: bodyName(definition, route, rules.mode), isScoped };
}

/** A class of the application's for bodies, as its rules describe it. */
function describeClass(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
  catalog: Catalog | undefined,
  filled: ReadonlySet<string>,
): NamedShape {
  const { type, mode, isDto, validation } = rules;
  const inherits = isDto && type.prototype instanceof definition.model;
  const place = rootPlace(rules, catalog);
  const declared = documentedProperties(type);
  const drawn = [...drawProperties({ type, catalog, rules: validation === false ? undefined : { group: undefined } })];
  // What no body can set, a class may inherit from the entity.
  const shown = drawn.filter(([property]) => !(inherits && declared.has(property)) || isSettable(place, property));
  const isScoped = shown.some(([property, { required }]) => filled.has(property) && required !== false);
  const properties = shown.map(
    ([property, metadata]) => [property, { metadata: finishMetadata(metadata, mode, filled.has(property)) }] as const,
  );
  const keepsDefaults = shown.every(([, metadata]) => isDeepStrictEqual(finishMetadata(metadata, mode), metadata));
  const name =
    isScoped || shown.length < drawn.length
      ? bodyName(definition, route, mode)
      : keepsDefaults
        ? standInName(type.name)
        : schemaName(definition, 'body', { verb: routeVerb(route) });

  return { base: type, name, properties: new Map(properties), isScoped };
}

/** Defaults are left out of what PATCH shows: they would be written over what is stored. */
function finishMetadata(metadata: PropertyMetadata, mode: WriteMode, isOptional = false): PropertyMetadata {
  const shown = mode === 'update' ? omitPropertyDefaults(metadata) : metadata;

  return isOptional ? { ...shown, required: false } : shown;
}

/** A record of a body: the route's own, an embedded object of it, or a related one. */
interface BodyRecord extends BodyPlace {
  readonly type: Type<unknown>;
  /** Whether rules are checked at all. */
  readonly checks: boolean;
  /** What the server fills in. */
  readonly filled: ReadonlySet<string>;
  /** What the server fills in records of a relation. */
  readonly fillRelation: (relation: OwnedRelation) => ReadonlySet<string>;
  /** Key and version that it must name. */
  readonly asked: ReadonlySet<string>;
  /** Whether it names nothing else. */
  readonly keysAlone: boolean;
  /** The entities of the records around it. */
  readonly outer: readonly Catalog[];
}

function describeRecord(record: BodyRecord): Shape {
  const { type, catalog, prefix, group } = record;
  const drawing: Drawing = { type, catalog, prefix, rules: record.checks ? { group } : undefined };

  const drawn = drawProperties(drawing, heldProperties(drawing));

  return {
    base: type,
    properties: collectDefined(drawn, (property, metadata) => describeProperty(record, property, metadata)),
    isOwn: drawn.size > 0,
  };
}

/** What a body may say of a property; undefined: nothing. */
function describeProperty(record: BodyRecord, property: string, drawn: PropertyMetadata): ShapeProperty | undefined {
  const { catalog, prefix, mode } = record;
  const path = prefix + property;
  // Documented as one that only answers have.
  const isReadOnly = drawn['readOnly'] === true;
  const column = catalog?.columns.get(path);
  const relation = catalog?.relations.get(path);
  const forms = relation && relationForms(relation, mode);

  if (record.asked.has(property)) {
    const isSent = !column || column.source === 'version' || isReadOnly;

    return { metadata: { ...drawn, ...(isSent && { required: true, readOnly: false }) } };
  }
  if (record.keysAlone || (relation && !forms) || !isSettable(record, property)) return undefined;

  const isOptional = mode === 'update' || isReadOnly || record.filled.has(property) || isOmissible(property, record);
  const declared = documentedProperties(record.type).get(property) ?? {};
  const isGiven = 'example' in declared || 'default' in declared;
  const example =
    forms && 'example' in forms ? { example: forms.example } : column && foreignKeyExample(catalog!, column);

  return {
    metadata: finishMetadata({ ...drawn, ...(!isGiven && example) }, mode, isOptional),
    related: relation && forms ? relateRecords(relation, forms, record) : embedObject(property, record),
  };
}

/** Related records in a body. Entities that hold each other are shown once, further in by their keys. */
function relateRecords(relation: CatalogRelation, forms: RelationForms, record: BodyRecord): RelatedShape {
  const { target, toMany } = relation;
  const outer = [...record.outer, record.catalog!];
  const base = outer.includes(target) ? undefined : asClass(target.target);
  if (!base) return { shapes: [], toMany, links: forms.links.length > 0 ? forms.links : [{ type: 'object' }] };

  const shapes = forms.nested.map((mode) =>
    describeRecord({
      ...record,
      ...relatedPlace(record.group !== undefined, relation, mode === 'insert'),
      type: base,
      filled: record.fillRelation({ owner: record.catalog!, relation }),
      asked: new Set(mode === 'update' && forms.needsKey ? target.primary.map(({ path }) => path) : []),
      keysAlone: false,
      outer,
    }),
  );

  return { shapes, toMany, links: forms.links };
}

/** An embedded object in a body; undefined if the property is none, or of no known class. */
function embedObject(property: string, record: BodyRecord): RelatedShape | undefined {
  const { catalog, prefix, type } = record;
  const path = prefix + property;
  if (!catalog || !isEmbedded(catalog, path)) return undefined;
  const base = propertyClass(type, property) ?? embeddedClass(catalog, path);
  if (!base) return undefined;
  const nothing = new Set<string>();
  const shape = describeRecord({ ...record, type: base, prefix: `${path}.`, filled: nothing, asked: nothing });

  return { shapes: [shape], toMany: false };
}

/** What is set on all records that a condition matches: a body of PATCH without key, version and relations of many. */
export function describeSet(
  definition: ResourceDefinition,
  route: BaseRouteName,
  rules: BodyRules,
  catalog: Catalog | undefined,
): NamedShape {
  const shape = describeBody(definition, route, rules, catalog);
  const keys = new Set([
    ...itemKeyFields(definition.options.params, catalog),
    ...(catalog?.primary ?? []).map(({ path }) => path),
  ]);
  const isUnset = (name: string) =>
    keys.has(name) || catalog?.version?.path === name || catalog?.relations.get(name)?.references.length === 0;
  const properties = collectDefined(shape.properties, (name, { metadata, related }) => {
    if (isUnset(name)) return undefined;

    // A condition writes links alone.
    return { metadata, related: related?.links ? { ...related, shapes: [] } : related };
  });

  return { ...shape, name: schemaName(definition, 'set'), properties };
}

const BODY_VERBS = { insert: 'Create', update: 'Update', replace: 'Replace' } as const;

/** `CreateUserBodyDto`, or short `CreateUser`: the name of a body that is no class of the application. */
export function bodyName(definition: ResourceDefinition, route: BaseRouteName, mode: WriteMode): string {
  return isManyRoute(route)
    ? schemaName(definition, 'item', { verb: routeVerb(route) })
    : schemaName(definition, 'body', { verb: BODY_VERBS[mode] });
}

/** Whether a body may carry a property; of columns, those that clients own, and the version that they expect. */
function isSettable(place: BodyPlace, property: string): boolean {
  const source = place.catalog?.columns.get(place.prefix + property)?.source ?? 'client';

  return (source === 'client' || source === 'version') && decideRuleTiming(place, property) !== 'never';
}

/** Whether database and rules take a record without the property. */
function isOmissible(property: string, record: BodyRecord): boolean {
  const { catalog, prefix, mode, type, group, checks } = record;
  if (!catalog) return false;
  const isAsked = checks && decideRuleTiming(record, property) === 'always' && !record.initialised.has(property);

  return (
    isOmissibleInDatabase(prefix + property, catalog, mode) &&
    !(isAsked && isRequiredByRules(applicableRules(type, group, property)))
  );
}
