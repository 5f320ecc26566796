/** What records look like in answers: which properties a class shows, which may be missing, and what they hold. */
import { isDeepStrictEqual } from 'node:util';
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { anyCovers, covers, isSelectable } from '../plan/column-access.js';
import type { RelationStep } from '../plan/resolve-names.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { responseShape } from '../serialization/index.js';
import {
  type Answer,
  type Appearance,
  type FindAppearance,
  findAppearances,
  findAppearancesIn,
  itemAnswer,
  OWN_ANSWER,
} from '../visibility/index.js';
import { documentedProperties, isUntypedObject, ownProperties, propertyClass } from './class-properties.js';
import { ANY } from './column-schemas.js';
import { drawProperty, embeddedClass, heldProperties } from './drawn-properties.js';
import { relatedName, schemaName } from './names.js';
import { oneShape, type PropertyChange, type Shape, signShape } from './schemas.js';

type Shown = Pick<ResourceDefinition['options']['query'], 'allow' | 'exclude' | 'persist' | 'join'>;

/**
 * The role of a class in an answer: the entity itself, a response class (which the plain record is copied onto, so
 * properties of its own count too), or a class nested in one.
 */
type Role = 'entity' | 'response' | 'part';

/** A class, and what the options say of records that are shown by it. */
interface ResponseView {
  readonly name: string;
  readonly type: Type<unknown>;
  readonly role: Role;
  readonly shown: Shown;
  readonly catalog: Catalog | undefined;
  /** What the answers of the route have; undefined without a catalog. */
  readonly find: FindAppearance | undefined;
  /** Path of an embedded object, with a dot behind it; empty for the record itself. */
  readonly prefix: string;
  /** Relations from the root to the record. */
  readonly steps: readonly RelationStep[];
}

/** What a record looks like in the response of a route. */
export function recordShape(definition: ResourceDefinition, route: BaseRouteName, catalog?: Catalog): Shape {
  const { record } = responseShape(definition, route);
  const show = (answer: Answer, name?: string): Shape =>
    showClass(record || definition.model, definition, catalog, { answer, name });
  if (record !== false) return show(itemAnswer(definition, route));

  // Without serialization more may be shown than other routes of the resource show.
  const usual = show(OWN_ANSWER);
  const raw = show(itemAnswer(definition, route), schemaName(definition, 'rawRecord'));

  return signShape(raw) === signShape(usual) ? usual : raw;
}

/** The class of the application's that documents the envelope of lists. */
export function ownEnvelope(definition: ResourceDefinition): Type<unknown> | undefined {
  const { envelope } = responseShape(definition, 'getManyBase');

  return envelope && documentedProperties(envelope).has('data') ? envelope : undefined;
}

/** What an envelope looks like that a class of the application's describes. */
export function envelopeShape(envelope: Type<unknown>, definition: ResourceDefinition, catalog?: Catalog): Shape {
  const name = schemaName(definition, 'record', { one: envelope.name });
  const item = propertyClass(envelope, 'data');
  const view = { answer: { envelope }, name: relatedName(name, 'data'), role: 'part' } as const;
  const shape = item && showClass(item, definition, catalog, view);
  const change = shape && shape.changes.size > 0 && { metadata: {}, related: oneShape(shape, true) };

  return { base: envelope, name, changes: new Map(change ? [['data', change]] : []) };
}

function showClass(
  type: Type<unknown>,
  definition: ResourceDefinition,
  catalog: Catalog | undefined,
  { answer, name, role = 'response' }: { answer: Answer; name?: string | undefined; role?: Role },
): Shape {
  const { model, options } = definition;
  const isEntity = type === model;

  return showView({
    name: name ?? schemaName(definition, 'record', isEntity ? {} : { one: type.name }),
    role: isEntity ? 'entity' : role,
    type,
    shown: options.query,
    catalog,
    find: catalog && findAppearances(catalog, answer),
    prefix: '',
    steps: [],
  });
}

/**
 * A class without hidden properties, with those that a request may omit made optional, and its relations and embedded
 * objects as the options show them.
 */
function showView(view: ResponseView): Shape {
  const { name, type } = view;
  const changes = new Map<string, PropertyChange>();

  for (const [property, owner] of findOwners(view)) {
    const change = showProperty(view, property, owner);
    if (change) changes.set(property, change);
  }

  return { base: type, name, changes };
}

/** How a property is shown; undefined if as the class itself says. */
function showProperty(view: ResponseView, property: string, owner: Type<unknown>): PropertyChange | undefined {
  const { type, role, catalog } = view;
  const declared = documentedProperties(type).get(property);
  const isMade = role === 'response' && ownProperties(type).has(property);
  const place = findPlace(view, property);
  const { name, presence, isTransformed } = findAppearance(view, property);
  if (presence === 'never' || !(place.isReturned || isMade)) return declared && {};

  const drawn =
    isTransformed && catalog?.columns.has(place.path)
      ? (documentedProperties(owner).get(property) ?? { required: true, ...ANY })
      : drawProperty({ ...view, type: owner }, property);
  const isOptional = owner !== type || presence === 'sometimes' || !(place.isAlways || isMade);
  const metadata = {
    ...(!isDeepStrictEqual(drawn, declared) && drawn),
    ...(name !== property && { name }),
    ...(isOptional && { required: false }),
  };
  const nested = nestView(view, owner, property, place);
  const shape = nested && showView(nested);
  // Whether the catalog gives the class of a property: for relations, and for embedded objects without a known type.
  const isFromCatalog = role === 'entity' && (place.relation !== undefined || isUntypedObject(owner, property));
  const related =
    shape && (shape.changes.size > 0 || isFromCatalog) ? oneShape(shape, place.relation?.toMany) : undefined;

  return related || Object.keys(metadata).length > 0 ? { metadata, related } : undefined;
}

/** The properties of records, each with its class: records may be of classes that inherit from the entity's. */
function findOwners(view: ResponseView): ReadonlyMap<string, Type<unknown>> {
  const { type, role, catalog, prefix } = view;
  const subclasses =
    role === 'entity' && prefix === ''
      ? (catalog?.recordClasses ?? []).map(({ target }) => target).filter((target) => typeof target === 'function')
      : [];
  const owners = new Map<string, Type<unknown>>();

  for (const owner of [type, ...(subclasses as Type<unknown>[])]) {
    const properties = [...documentedProperties(owner).keys(), ...heldProperties({ ...view, type: owner })];
    for (const property of properties) if (!owners.has(property)) owners.set(property, owner);
  }

  return owners;
}

/** Whether answers have a property, and under which name. */
function findAppearance({ type, role, find, prefix, steps }: ResponseView, property: string): Appearance {
  if (find) return find({ steps, path: `${prefix}${property}` });
  if (role === 'part') return { name: property, presence: 'always', isTransformed: false };

  return findAppearancesIn(type)({ steps: [], path: property });
}

/** What a property is of the records. */
interface Place {
  readonly path: string;
  readonly relation?: CatalogRelation | undefined;
  readonly isEmbedded: boolean;
  /** Whether any request can get it. */
  readonly isReturned: boolean;
  /** Whether it is returned whatever `fields` selects. */
  readonly isAlways: boolean;
}

function findPlace({ catalog, shown, prefix, role }: ResponseView, property: string): Place {
  const path = `${prefix}${property}`;
  const { exclude = [], persist, join = {} } = shown;
  const isPermitted = role !== 'entity' || !anyCovers(exclude, path);
  if (!catalog) {
    // Then it is unknown what the service selects.
    const isEmbedded = exclude.some((name) => name !== path && covers(path, name));

    return { path, isEmbedded, isReturned: isPermitted, isAlways: true };
  }

  const relation = catalog.relations.get(path);
  if (relation) return { path, relation, isEmbedded: false, isReturned: isJoinable(join, path), isAlways: false };

  const columns = [...catalog.columns.values()].filter((column) => covers(path, column.path));
  const returned = columns.filter((column) => isSelectable(shown, column));
  // Neither column nor relation: computed from unknown columns, so only a response class itself knows.
  if (columns.length === 0) return { path, isEmbedded: false, isReturned: isPermitted, isAlways: role === 'response' };

  return {
    path,
    isEmbedded: !catalog.columns.has(path),
    isReturned: returned.length > 0,
    isAlways: returned.some((column) => column.primary || anyCovers(persist, column.path)),
  };
}

function isJoinable(join: NonNullable<Shown['join']>, relation: string): boolean {
  return Object.entries(join).some(
    ([path, { select }]) => (path === relation && select !== false) || path.startsWith(`${relation}.`),
  );
}

/** How the record or embedded object in a property is shown; undefined if it is none, or of no known class. */
function nestView(
  view: ResponseView,
  owner: Type<unknown>,
  property: string,
  { path, relation, isEmbedded, isReturned }: Place,
): ResponseView | undefined {
  const { name, role, shown, steps } = view;
  const declared = propertyClass(owner, property);
  const isEntity = role === 'entity';
  const nested: ResponseView = { ...view, name: relatedName(name, property), role: isEntity ? role : 'part' };

  if (isEmbedded) {
    const catalog = isEntity && isUntypedObject(owner, property) ? view.catalog : undefined;
    const embedded = declared ?? (catalog && embeddedClass(catalog, path));

    return embedded && { ...nested, type: embedded, prefix: `${path}.` };
  }
  if (!relation || !isReturned) return undefined;

  const { target } = relation.target;
  const entity = typeof target === 'function' ? (target as Type<unknown>) : undefined;
  const shownAs = isEntity ? entity : declared;
  const join = shown.join ?? {};

  return (
    shownAs && {
      ...nested,
      type: shownAs,
      role: shownAs === entity ? 'entity' : 'part',
      shown: { ...join[path], join: nestJoins(join, path) },
      catalog: relation.target,
      prefix: '',
      steps: [...steps, { path: [...steps.slice(-1).map((step) => step.path), path].join('.'), relation }],
    }
  );
}

function nestJoins(join: NonNullable<Shown['join']>, relation: string): NonNullable<Shown['join']> {
  const under = `${relation}.`;

  return Object.fromEntries(
    Object.entries(join)
      .filter(([path]) => path.startsWith(under))
      .map(([path, option]) => [path.slice(under.length), option]),
  );
}
