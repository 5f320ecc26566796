/** Which column or relation a property of a response class shows. */
import type { Type } from '@nestjs/common';
import type { ResourceDefinition } from '../definition/resource-definition.js';
import type { Catalog, CatalogRelation } from '../plan/catalog.js';
import type { RelationStep } from '../plan/resolve-names.js';
import { anyCovers, covers, isSelectable } from '../plan/column-access.js';
import type { NamedPaths } from '../visibility/index.js';
import { classOfProperty, documentedProperties, isUntypedObject } from './class-properties.js';
import { relatedName } from './shape-names.js';

type Shown = Pick<ResourceDefinition['options']['query'], 'allow' | 'exclude' | 'persist' | 'join'>;

/**
 * The role of a class in an answer: the entity itself, a response class (which the plain record is copied onto, so
 * properties of its own count too), or a class nested in one.
 */
type Role = 'entity' | 'response' | 'part';

/** A class, and what the options say of records that are shown by it. */
export interface ResponseView {
  readonly name: string;
  readonly type: Type<unknown>;
  readonly role: Role;
  readonly shown: Shown;
  readonly catalog: Catalog | undefined;
  /** What the answers of the route name; undefined without a catalog. */
  readonly names: NamedPaths | undefined;
  /** Path of an embedded object, with a dot behind it; empty for the record itself. */
  readonly prefix: string;
  /** Relations from the root to the record. */
  readonly steps: readonly RelationStep[];
  /** The path of the record or object in an answer. */
  readonly answerPath: readonly string[];
}

/** What a property is of the records. */
export interface Place {
  readonly path: string;
  readonly relation?: CatalogRelation | undefined;
  readonly isEmbedded: boolean;
  /** Whether any request can get it. */
  readonly isReturned: boolean;
  /** Whether it is returned whatever `fields` selects. */
  readonly isAlways: boolean;
}

export function placeOf({ catalog, shown, prefix, role }: ResponseView, property: string): Place {
  const path = `${prefix}${property}`;
  const { exclude = [], persist, join = {} } = shown;
  if (!catalog) {
    // Then it is unknown what the service selects.
    const isEmbedded = exclude.some((name) => name !== path && covers(path, name));

    return { path, isEmbedded, isReturned: role !== 'entity' || !anyCovers(exclude, path), isAlways: true };
  }

  const relation = catalog.relations.get(path);
  if (relation) return { path, relation, isEmbedded: false, isReturned: isJoinable(join, path), isAlways: false };

  const columns = [...catalog.columns.values()].filter((column) => covers(path, column.path));
  const returned = columns.filter((column) => isSelectable(shown, column));
  // Neither column nor relation: computed from unknown columns, so only a response class itself knows.
  if (columns.length === 0) {
    return {
      path,
      isEmbedded: false,
      isReturned: role !== 'entity' || !anyCovers(exclude, path),
      isAlways: role === 'response',
    };
  }

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
export function nestedView(
  view: ResponseView,
  owner: Type<unknown>,
  property: string,
  { path, relation, isEmbedded, isReturned }: Place,
  answerName: string,
): ResponseView | undefined {
  const { name, role, shown, steps } = view;
  const declared = classOfProperty(owner, property);
  const nested: ResponseView = {
    ...view,
    name: relatedName(name, property),
    role: role === 'entity' ? role : 'part',
    answerPath: [...view.answerPath, answerName],
  };

  if (isEmbedded) {
    const embedded = declared ?? (role === 'entity' ? embeddedClass(view, owner, property) : undefined);

    return embedded && { ...nested, type: embedded, prefix: `${path}.` };
  }
  if (!relation || !isReturned) return undefined;

  const { target } = relation.target;
  const entity = typeof target === 'function' ? (target as Type<unknown>) : undefined;
  const shownAs = role === 'entity' ? entity : declared;
  const join = shown.join ?? {};

  return (
    shownAs && {
      ...nested,
      type: shownAs,
      role: shownAs === entity ? 'entity' : 'part',
      shown: { ...join[path], join: joinsUnder(join, path) },
      catalog: relation.target,
      prefix: '',
      steps: [...steps, { path: [...steps.slice(-1).map((step) => step.path), path].join('.'), relation }],
    }
  );
}

/** The class of an embedded object that is declared as `Partial<X>` or the like, which leaves no trace of X. */
function embeddedClass(
  { catalog, prefix }: ResponseView,
  owner: Type<unknown>,
  property: string,
): Type<unknown> | undefined {
  const path = `${prefix}${property}`;
  const embedded = catalog?.recordClasses?.find((recordClass) => recordClass.embedded.has(path))?.embedded.get(path);
  const type = typeof embedded === 'function' ? (embedded as Type<unknown>) : undefined;

  return type && isUntypedObject(owner, property) && documentedProperties(type).length > 0 ? type : undefined;
}

function joinsUnder(join: NonNullable<Shown['join']>, relation: string): NonNullable<Shown['join']> {
  const under = `${relation}.`;

  return Object.fromEntries(
    Object.entries(join)
      .filter(([path]) => path.startsWith(under))
      .map(([path, option]) => [path.slice(under.length), option]),
  );
}
