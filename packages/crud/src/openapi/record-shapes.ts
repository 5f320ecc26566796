/** A definition, a route and the catalog in; what the records of the route's response are like out, as plain descriptions; nothing is refused. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogColumn, CatalogRelation } from '../plan/catalog.js';
import { anyCovers, covers, isOpen } from '../plan/visibility.js';
import type { BaseRouteName } from '../routes/route-table.js';
import { isExposedToGroups } from '../serialization/class-plan.js';
import { exposedPaths } from '../serialization/exposed-paths.js';
import { responseShape } from '../serialization/response-shape.js';
import type { ClassFacts, ModelShape, RelatedShape } from './document-types.js';

/** What a record looks like in the response of a route. */
export function recordShape(
  definition: ResourceDefinition,
  route: BaseRouteName,
  facts: ClassFacts,
  catalog?: Catalog,
): ModelShape {
  const { record } = responseShape(definition, route);

  return recordShapeOf(record || definition.model, definition, facts, catalog);
}

/** What an envelope looks like that a class of the application's describes. */
export function envelopeShape(
  envelope: Type<unknown>,
  definition: ResourceDefinition,
  facts: ClassFacts,
  catalog?: Catalog,
): ModelShape {
  const name = `${envelope.name}ResponseDto`;
  const item = facts.classOf(envelope, 'data');
  const shape =
    item && recordShapeOf(item, definition, facts, catalog, { name: relatedName(name, 'data'), role: 'part' });

  return shape?.name
    ? { name, base: envelope, omit: NONE, optional: NONE, related: new Map([['data', { shape, toMany: true }]]) }
    : { base: envelope, omit: NONE, optional: NONE };
}

const NONE: ReadonlySet<string> = new Set();

function recordShapeOf(
  type: Type<unknown>,
  { model, modelName, options: { query } }: ResourceDefinition,
  facts: ClassFacts,
  catalog: Catalog | undefined,
  named: Partial<Pick<Look, 'name' | 'role'>> = {},
): ModelShape {
  const own: Pick<Look, 'name' | 'role'> = { name: `${type.name}ResponseDto`, role: 'response', ...named };
  const entity: Pick<Look, 'name' | 'role'> = { name: named.name ?? `${modelName}ResponseDto`, role: 'entity' };

  return shownShape({ ...(type === model ? entity : own), type, shown: query, catalog, prefix: '' }, facts);
}

type Shown = Pick<ResourceDefinition['options']['query'], 'allow' | 'exclude' | 'persist' | 'join'>;

/**
 * What makes plain objects of a class: of an entity its own decorators do; onto a class of the response the plain record is copied, so that its decorators and what it makes itself
 * count too; to a class that is part of one, nothing is done.
 */
type Role = 'entity' | 'response' | 'part';

/** A class, and what the options say of records that are shown by it. */
interface Look {
  readonly name: string;
  readonly type: Type<unknown>;
  readonly role: Role;
  readonly shown: Shown;
  readonly catalog: Catalog | undefined;
  /** Path of an embedded object, with a dot behind it; empty for the record itself. */
  readonly prefix: string;
}

/** A class without what may not leave, with what a request may leave out made optional; its relations and embedded objects are shown as the options let them out. */
function shownShape(look: Look, facts: ClassFacts): ModelShape {
  const { name, type, role } = look;
  const documented = facts.documented(type);
  const exposed = role === 'part' ? new Set(documented) : exposedPaths(type, documented);
  const made = role === 'response' ? facts.makes(type) : NONE;
  const isEntity = role === 'entity';
  const omit = new Set<string>();
  const optional = new Set<string>();
  const related = new Map<string, RelatedShape>();

  for (const property of documented) {
    const place = placeOf(look, property);
    const forGroups = !exposed.has(property) && isExposedToGroups(type, property);

    if ((!exposed.has(property) && !forGroups) || (isEntity && !place.isReturned)) {
      omit.add(property);
      continue;
    }
    if (forGroups || !(place.isAlways || made.has(property))) optional.add(property);

    const inner = innerLook(look, property, place, facts);
    const shape = inner && shownShape(inner, facts);
    // A relation's class is told by the catalog, any other by the class itself.
    if (shape && (shape.name !== undefined || (isEntity && place.relation)))
      related.set(property, { shape, toMany: place.relation?.toMany === true });
  }

  const isChanged = omit.size > 0 || optional.size > 0 || related.size > 0;

  return { ...(isChanged && { name }), base: type, omit, optional, ...(related.size > 0 && { related }) };
}

/** What a property is of the records. */
interface Place {
  readonly path: string;
  readonly relation?: CatalogRelation | undefined;
  readonly isEmbedded: boolean;
  /** Whether a request can get it at all. */
  readonly isReturned: boolean;
  /** Whether it comes whatever `fields` of a request select. */
  readonly isAlways: boolean;
}

function placeOf({ catalog, shown, prefix, role }: Look, property: string): Place {
  const path = `${prefix}${property}`;
  const { exclude = [], persist, join = {} } = shown;
  if (!catalog) {
    // Nobody knows then what the service selects.
    const isEmbedded = exclude.some((name) => name !== path && covers(path, name));

    return { path, isEmbedded, isReturned: !anyCovers(exclude, path), isAlways: true };
  }

  const relation = catalog.relations.get(path);
  if (relation) return { path, relation, isEmbedded: false, isReturned: isJoinable(join, path), isAlways: false };

  const columns = [...catalog.columns.values()].filter((column) => covers(path, column.path));
  const returned = columns.filter(
    (column) => isReturned(column, shown) && (role === 'entity' || isExposed(catalog, column)),
  );
  // What is neither column nor relation is computed from whatever columns; a class of the response says itself what of it is there.
  if (columns.length === 0)
    return { path, isEmbedded: false, isReturned: !anyCovers(exclude, path), isAlways: role === 'response' };

  return {
    path,
    isEmbedded: !catalog.columns.has(path),
    isReturned: returned.length > 0,
    isAlways: returned.some((column) => column.primary || anyCovers(persist, column.path)),
  };
}

function isReturned({ selectable, primary, path }: CatalogColumn, shown: Shown): boolean {
  return selectable && (isOpen(shown, path) || (primary && !anyCovers(shown.exclude, path)));
}

// A copy for the response lacks what the entity hides.
function isExposed({ target }: Catalog, { path }: CatalogColumn): boolean {
  return exposedPaths(target, [path]).has(path);
}

function isJoinable(join: NonNullable<Shown['join']>, relation: string): boolean {
  return Object.entries(join).some(
    ([path, { select }]) => (path === relation && select !== false) || path.startsWith(`${relation}.`),
  );
}

/** How the record or embedded object in a property is shown; undefined where it is none, or of no known class. */
function innerLook(
  look: Look,
  property: string,
  { path, relation, isEmbedded, isReturned }: Place,
  facts: ClassFacts,
): Look | undefined {
  const { name, type, role, shown } = look;
  const declared = facts.classOf(type, property);
  const inner: Look = { ...look, name: relatedName(name, property), role: role === 'entity' ? role : 'part' };

  if (isEmbedded) return declared && { ...inner, type: declared, prefix: `${path}.` };
  if (!relation || !isReturned) return undefined;

  const { target } = relation.target;
  const entity = typeof target === 'function' ? (target as Type<unknown>) : undefined;
  const shownAs = role === 'entity' ? entity : declared;
  const join = shown.join ?? {};

  return (
    shownAs && {
      ...inner,
      type: shownAs,
      role: shownAs === entity ? 'entity' : 'part',
      shown: { ...join[path], join: joinsUnder(join, path) },
      catalog: relation.target,
      prefix: '',
    }
  );
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
