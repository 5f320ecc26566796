import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog } from '../plan/catalog.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { exposedName, isHiddenByClass, responseShape } from '../serialization/index.js';
import {
  type Answer,
  itemAnswer,
  namedByClass,
  namedPaths,
  pageAnswer,
  type Presence,
  serializedByOwnClass,
} from '../visibility/index.js';
import { classOfProperty, documentedProperties, isUntypedObject, ownProperties } from './class-properties.js';
import { type ModelShape, modelShape, type RelatedShape, signatureOf } from './model-shape.js';
import { nestedView, type ResponseView, placeOf } from './property-places.js';
import { schemaNamesOf, schemaSubjectOf } from './resource-names.js';
import { relatedName } from './shape-names.js';

/** What a record looks like in the response of a route. */
export function recordShape(definition: ResourceDefinition, route: BaseRouteName, catalog?: Catalog): ModelShape {
  const { model } = definition;
  const { record } = responseShape(definition, route);
  const shape = (answer: Answer, name?: string): ModelShape =>
    recordShapeOf(record || model, definition, catalog, { answer, ...(name !== undefined && { name }) });
  if (record !== false) return shape(itemAnswer(definition, route));

  // Without serialization more may be shown than other routes of the resource show.
  const usual = shape(serializedByOwnClass);
  const raw = shape(itemAnswer(definition, route), schemaNamesOf(definition).rawRecord(schemaSubjectOf(definition)));

  return signatureOf(raw) === signatureOf(usual) ? usual : raw;
}

/** What an envelope looks like that a class of the application's describes. */
export function envelopeShape(envelope: Type<unknown>, definition: ResourceDefinition, catalog?: Catalog): ModelShape {
  const name = schemaNamesOf(definition).record(envelope.name);
  const answer = pageAnswer(definition);
  const item = classOfProperty(envelope, 'data');
  const shape =
    item && recordShapeOf(item, definition, catalog, { answer, name: relatedName(name, 'data'), role: 'part' });

  return modelShape(envelope, name, shape?.name ? { related: new Map([['data', { shape, toMany: true }]]) } : {});
}

function recordShapeOf(
  type: Type<unknown>,
  definition: ResourceDefinition,
  catalog: Catalog | undefined,
  { answer, name, role = 'response' }: Partial<Pick<ResponseView, 'name' | 'role'>> & { readonly answer: Answer },
): ModelShape {
  const { model, options } = definition;
  const { record: nameOf } = schemaNamesOf(definition);
  const isEntity = type === model;
  const names = catalog && namedPaths(definition, catalog, answer);

  return shownShape({
    name: name ?? nameOf(isEntity ? schemaSubjectOf(definition) : type.name),
    role: isEntity ? 'entity' : role,
    type,
    shown: options.query,
    catalog,
    names,
    prefix: '',
    steps: [],
    answerPath: [],
  });
}

/**
 * A class without hidden properties, with those that a request may omit made optional, and its relations and embedded
 * objects as the options show them.
 */
function shownShape(view: ResponseView): ModelShape {
  const { name, type, role } = view;
  const owners = ownersOf(view);
  const made = role === 'response' ? ownProperties(type) : new Set<string>();
  const isEntity = role === 'entity';
  const omit = new Set<string>();
  const optional = new Set<string>();
  const related = new Map<string, RelatedShape>();
  const inherited = new Map<string, Type<unknown>>();
  const renamed = new Map<string, string>();

  for (const [property, owner] of owners) {
    const place = placeOf(view, property);
    const { answerName, presence } = appearanceOf(view, property, owner, [...owners.keys()]);

    if (presence === 'never' || !(place.isReturned || made.has(property))) {
      if (owner === type) omit.add(property);
      continue;
    }
    if (owner !== type) inherited.set(property, owner);
    if (answerName !== property) renamed.set(property, answerName);
    if (owner !== type || presence === 'sometimes' || !(place.isAlways || made.has(property))) optional.add(property);

    const nested = nestedView(view, owner, property, place, answerName);
    const shape = nested && shownShape(nested);
    // Whether the catalog gives the class of a property: for relations, and for embedded objects without a known type.
    const isFromCatalog = isEntity && (place.relation !== undefined || isUntypedObject(owner, property));
    if (shape && (shape.name !== undefined || isFromCatalog))
      related.set(property, { shape, toMany: place.relation?.toMany === true });
  }

  return modelShape(type, name, { omit, optional, related, inherited, renamed });
}

/** The documented properties, each with the class that documents it: records may be of classes that inherit from the entity's. */
function ownersOf({ type, role, catalog, prefix }: ResponseView): ReadonlyMap<string, Type<unknown>> {
  const subclasses =
    role === 'entity' && prefix === ''
      ? (catalog?.recordClasses ?? []).map(({ target }) => target).filter((target) => typeof target === 'function')
      : [];
  const owners = new Map<string, Type<unknown>>();

  for (const owner of [type, ...(subclasses as Type<unknown>[])])
    for (const property of documentedProperties(owner)) if (!owners.has(property)) owners.set(property, owner);

  return owners;
}

interface Appearance {
  readonly answerName: string;
  readonly presence: 'always' | 'sometimes' | 'never';
}

/** Whether answers have a property, and under which name. */
function appearanceOf(
  view: ResponseView,
  property: string,
  owner: Type<unknown>,
  documented: readonly string[],
): Appearance {
  const exposed = exposedName(owner, property);

  for (const answerName of exposed === undefined ? [property] : [property, exposed]) {
    const presence = presenceOf(view, property, answerName, documented);
    if (presence === 'never') continue;
    if (presence !== 'unknown') return { answerName, presence };

    // The application's classes threw for every sample record.
    return { answerName, presence: view.role !== 'part' && isHiddenByClass(owner, property) ? 'never' : 'always' };
  }

  return { answerName: property, presence: 'never' };
}

function presenceOf(
  { type, role, names, prefix, steps, answerPath }: ResponseView,
  property: string,
  answerName: string,
  documented: readonly string[],
): Presence {
  if (names) return names({ steps, path: `${prefix}${property}` }, [...answerPath, answerName]);
  if (role === 'part') return 'always';

  return namedByClass(type, documented)({ steps: [], path: property }, [answerName]);
}
