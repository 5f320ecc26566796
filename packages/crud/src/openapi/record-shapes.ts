/** What records look like in answers: which properties a class shows, which may be missing, and what they hold. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import { anyCovers, covers, isSelectable } from '../plan/column-access.js';
import type { RelationStep } from '../plan/resolve-names.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { responseShape } from '../serialization/serialize.js';
import {
  type Appearance,
  type FindAppearance,
  findAppearances,
  findClassAppearances,
  itemAnswer,
  OWN_ANSWER,
} from '../visibility/path-states.js';
import type { Answer } from '../visibility/walk.js';
import {
  asClass,
  collectDefined,
  documentedProperties,
  isUntypedObject,
  ownProperties,
  propertyClass,
} from './class-properties.js';
import { ANY } from './value-schemas.js';
import { drawProperty, embeddedClass, heldProperties } from './drawn-properties.js';
import { schemaName } from './names.js';
import { isChanged, type NamedShape, type Shape, type ShapeProperty, signShape } from './schemas.js';

type Shown = Pick<ResourceDefinition['options']['query'], 'allow' | 'exclude' | 'persist' | 'join'>;

/**
 * The role of a class in an answer: the entity itself, a response class (which the plain record is copied onto, so
 * properties of its own count too), or a class nested in one.
 */
type Role = 'entity' | 'response' | 'part';

/** A class, and what the options say of records that are shown by it. */
interface ResponseView {
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
export function recordShape(definition: ResourceDefinition, route: BaseRouteName, catalog?: Catalog): NamedShape {
  const { model } = definition;
  const { record } = responseShape(definition, route);
  const type = record || model;
  const name = schemaName(definition, 'record', type === model ? {} : { one: type.name });
  const show = (answer: Answer): Shape => showClass(type, definition, catalog, answer);
  const shape = show(itemAnswer(definition, route));
  if (record !== false) return { ...shape, name };

  // Without serialization more may be shown than other routes of the resource show.
  const isUsual = signShape(shape) === signShape(show(OWN_ANSWER));

  return { ...shape, name: isUsual ? name : schemaName(definition, 'rawRecord') };
}

/** The class of the application's that documents the envelope of lists. */
export function ownEnvelope(definition: ResourceDefinition): Type<unknown> | undefined {
  const { envelope } = responseShape(definition, 'getManyBase');

  return envelope && documentedProperties(envelope).has('data') ? envelope : undefined;
}

/** What an envelope looks like that a class of the application's describes. */
export function envelopeShape(envelope: Type<unknown>, definition: ResourceDefinition, catalog?: Catalog): NamedShape {
  const item = propertyClass(envelope, 'data');
  const shape = item && showClass(item, definition, catalog, { envelope }, 'part');
  const related = shape && isChanged(shape) ? { shapes: [shape], toMany: true } : undefined;
  const properties = collectDefined(documentedProperties(envelope), (property, metadata): ShapeProperty => ({
    metadata,
    related: property === 'data' ? related : undefined,
  }));

  return { base: envelope, name: schemaName(definition, 'record', { one: envelope.name }), properties };
}

function showClass(
  type: Type<unknown>,
  { model, options }: ResourceDefinition,
  catalog: Catalog | undefined,
  answer: Answer,
  role: Role = 'response',
): Shape {
  return showView({
    role: type === model ? 'entity' : role,
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
  return {
    base: view.type,
    properties: collectDefined(findOwners(view), (property, owner) => showProperty(view, property, owner)),
  };
}

/** How a property is shown; undefined if it is hidden. */
function showProperty(view: ResponseView, property: string, owner: Type<unknown>): ShapeProperty | undefined {
  const { type, role, catalog } = view;
  const isMade = role === 'response' && ownProperties(type).has(property);
  const place = findPlace(view, property);
  const { name, presence, isTransformed } = findAppearance(view, property);
  if (presence === 'never' || !(place.isReturned || isMade)) return undefined;

  const drawn =
    isTransformed && catalog?.columns.has(place.path)
      ? (documentedProperties(owner).get(property) ?? { required: true, ...ANY })
      : drawProperty({ ...view, type: owner }, property);
  const isOptional = owner !== type || presence === 'sometimes' || !(place.isAlways || isMade);
  const metadata = {
    ...drawn,
    ...(name !== property && { name }),
    ...(isOptional && { required: false }),
  };
  const nested = nestView(view, owner, property, place);
  const shape = nested && showView(nested);
  // Whether the catalog gives the class of a property: for relations, and for embedded objects without a known type.
  const isFromCatalog =
    role === 'entity' && (place.relation || isUntypedObject(documentedProperties(owner).get(property)));
  const related =
    shape && (isChanged(shape) || isFromCatalog)
      ? { shapes: [shape], toMany: place.relation?.toMany ?? false }
      : undefined;

  return { metadata, related };
}

/** The properties of records, each with its class: records may be of classes that inherit from the entity's. */
function findOwners(view: ResponseView): ReadonlyMap<string, Type<unknown>> {
  const { type, role, catalog, prefix } = view;
  const subclasses =
    role === 'entity' && prefix === ''
      ? (catalog?.recordClasses ?? []).flatMap(({ target }) => asClass(target) ?? [])
      : [];
  const owners = new Map<string, Type<unknown>>();

  for (const owner of [type, ...subclasses]) {
    const properties = [...documentedProperties(owner).keys(), ...heldProperties({ ...view, type: owner })];
    for (const property of properties) if (!owners.has(property)) owners.set(property, owner);
  }

  return owners;
}

/** Whether answers have a property, and under which name. */
function findAppearance({ type, role, find, prefix, steps }: ResponseView, property: string): Appearance {
  if (find) return find({ steps, path: `${prefix}${property}` });
  if (role === 'part') return { name: property, presence: 'always', isTransformed: false };

  return findClassAppearances(type)({ steps: [], path: property });
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
  const relation = catalog?.relations.get(path);
  if (relation) return { path, relation, isEmbedded: false, isReturned: isJoinable(join, path), isAlways: false };

  const columns = [...(catalog?.columns.values() ?? [])].filter((column) => covers(path, column.path));
  const returned = columns.filter((column) => isSelectable(shown, column));
  const isStored = columns.length > 0;

  // Without a catalog it is unknown what the service selects. With one, a property that is not stored is computed from
  // unknown columns, so that only a response class itself knows.
  return {
    path,
    isEmbedded: catalog
      ? isStored && !catalog.columns.has(path)
      : exclude.some((name) => name !== path && covers(path, name)),
    isReturned: isStored ? returned.length > 0 : role !== 'entity' || !anyCovers(exclude, path),
    isAlways: isStored
      ? returned.some((column) => column.primary || anyCovers(persist, column.path))
      : !catalog || role === 'response',
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
  const { role, shown, steps } = view;
  const declared = propertyClass(owner, property);
  const isEntity = role === 'entity';

  if (isEmbedded) {
    const isUntyped = isEntity && isUntypedObject(documentedProperties(owner).get(property));
    const type = declared ?? (isUntyped && view.catalog ? embeddedClass(view.catalog, path) : undefined);

    return type && { ...view, role: isEntity ? role : 'part', type, prefix: `${path}.` };
  }
  if (!relation || !isReturned) return undefined;

  const entity = asClass(relation.target.target);
  const type = isEntity ? entity : declared;
  const join = shown.join ?? {};

  return (
    type && {
      ...view,
      type,
      role: type === entity ? 'entity' : 'part',
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
